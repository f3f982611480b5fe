import { type EditedKind, kinds, nativeTypeOf, ownTypesOf } from '../../model/kinds.ts';
import { detectOffice } from '../engines/ooxml/package/office-kind.ts';
import { opensForEditing, savedType } from '../engines/x2t/formats.ts';
import { CONVERSION_ERROR } from '../errors.ts';
import type { ConversionTable } from './conversion-table.ts';
import { kindOf, typeOf } from './file-kind.ts';
import { isOwnType, isShown, opensAs, savedTypeOf } from './kind-formats.ts';

/** Formats that are packages of Office Open XML: content says which of them it is. */
const packageTypes: ReadonlySet<string> = new Set(['docx', 'xlsx', 'pptx']);

/** For each of them the names under which the same package goes. */
const namesOfPackage: ReadonlyMap<string, readonly string[]> = new Map(
  kinds.all
    .filter((kind) => packageTypes.has(nativeTypeOf(kind)))
    .map((kind) => [nativeTypeOf(kind), ownTypesOf(kind)]),
);

const isPackageName = (fileType: string): boolean =>
  [...namesOfPackage.values()].some((names) => names.includes(fileType));

/** Formats that x2t opens by their content, whatever they are called. */
const foundByX2t: ReadonlySet<string> = new Set(['xlsb', 'doc', 'xls', 'ppt', 'rtf']);

/** Formats that can be recognised by their content: a file with such a name and unknown content is damaged. */
const recognizedTypes: ReadonlySet<string> = new Set([
  'odt',
  'ott',
  'fodt',
  'rtf',
  'epub',
  'fb2',
  'stw',
  'sxw',
  'xml',
]);

/** For whoever reads the log: a machine without LibreOffice opens few kinds. */
const seeEngines = ' (`quire doctor` says which engines there are)';

/** What a source is, or why it cannot be opened; `message` is safe to show. */
type SourceCheck = { fileType: string } | { errorCode: number; message: string };

/**
 * Finds out what a source is by its content as well as by its name. The name decides among formats that share a package
 * (docx and docm); where name and content disagree, the content is right. The binary form takes every type that x2t opens,
 * and x2t decides whether the file is what its name says. A model of ours takes what its engine reads and what can be
 * converted to its native type. Pages for reading take PDFs and what can be converted to one.
 */
export function checkSource(
  bytes: Uint8Array,
  namedType: string,
  model: string,
  table: ConversionTable,
): SourceCheck {
  if (model === 'pages') return checkShown(bytes, namedType, table);
  const kind = detectOffice(bytes);
  const isBinary = model === 'binary';
  const names = namesOfPackage.get(kind);
  if (names) return { fileType: names.includes(namedType) ? namedType : names[0]! };
  if (kind === 'ole-encrypted' && isBinary) {
    return { fileType: opensForEditing(namedType) ? namedType : 'docx' };
  }
  const ours = kinds.ofModel(model);
  if (kind === 'ole-encrypted' && ours) {
    // Nobody is asked for a password that no engine here has a use for.
    if (!decrypts(ours, table))
      return { errorCode: CONVERSION_ERROR.protected, message: 'The file is encrypted' };
    return { fileType: opensAs(ours, namedType, table) ? namedType : nativeTypeOf(ours) };
  }
  if (kind === 'ole-encrypted') {
    return { errorCode: CONVERSION_ERROR.passwordRequired, message: 'The file is protected by a password' };
  }
  const isNamedOffice = isPackageName(namedType);
  if (kind === 'broken-zip' || (kind === 'unknown' && isNamedOffice)) {
    return { errorCode: CONVERSION_ERROR.corrupted, message: 'The file is damaged' };
  }
  if (isBinary && foundByX2t.has(kind)) return { fileType: kind };
  if (isBinary && opensForEditing(namedType) && !isNamedOffice) return { fileType: namedType };
  const content = kindOf(bytes);
  const fileType = typeOf(content, namedType);
  // What is no package and has a type of the kind's own is for its engine to recognise.
  if (ours && isOwnType(ours, fileType) && !isPackageName(fileType)) return { fileType };
  if (ours && !isOwnType(ours, fileType) && opensAs(ours, fileType, table)) {
    if (content !== 'unknown' || !recognizedTypes.has(fileType)) return { fileType };
    return { errorCode: CONVERSION_ERROR.corrupted, message: 'The file is damaged' };
  }
  return {
    errorCode: CONVERSION_ERROR.unknownFormat,
    message: `Files of this kind (${fileType || kind}) cannot be edited: no engine here opens them${seeEngines}`,
  };
}

function checkShown(bytes: Uint8Array, namedType: string, table: ConversionTable): SourceCheck {
  const kind = kindOf(bytes);
  if (kind === 'ole-encrypted') {
    // The content does not say which of them it is; a name that an engine reads does.
    const fileType = isShown(namedType, table) && namedType !== 'pdf' ? namedType : 'docx';
    const isReadable = table.canMake({ fromType: fileType, toType: 'pdf', options: { password: 'any' } });
    if (isReadable) return { fileType };
    return { errorCode: CONVERSION_ERROR.protected, message: 'The file is encrypted' };
  }
  const fileType = typeOf(kind, namedType);
  const isNamedOffice = isPackageName(fileType);
  const isRecognized = fileType === 'pdf' || isNamedOffice || recognizedTypes.has(fileType);
  if (kind === 'broken-zip' || (kind === 'unknown' && isRecognized)) {
    return { errorCode: CONVERSION_ERROR.corrupted, message: 'The file is damaged' };
  }
  if (isShown(fileType, table)) return { fileType };
  return {
    errorCode: CONVERSION_ERROR.unknownFormat,
    message: `Files of this kind (${fileType || kind}) cannot be shown: no engine here makes a PDF of them${seeEngines}`,
  };
}

/** Whether the password of a protected file of the native type of a kind can be removed. */
function decrypts(kind: EditedKind, table: ConversionTable): boolean {
  const type = nativeTypeOf(kind);
  return table.canMake({ fromType: type, toType: type, options: { password: 'any' } });
}

/**
 * The type of the file in which changes to a document are saved: its own where an engine writes that, unless
 * `keepsType` is false and Office Open XML is wanted of everything.
 */
export function typeOfSaved(
  { model, fileType }: { model: string | null; fileType: string },
  keepsType: boolean,
  table: Pick<ConversionTable, 'handles'>,
): string {
  const kind = kinds.ofModel(model);
  if (kind) return savedTypeOf(kind, fileType, keepsType, table);
  return (model === 'binary' && savedType(fileType, keepsType)) || fileType;
}
