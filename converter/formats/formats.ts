import type { DocumentModel } from '../../db/document-row.ts';
import { detectOffice } from '../engines/ooxml/package/office-kind.ts';
import { opensForEditing, savedType } from '../engines/x2t/formats.ts';
import { CONVERSION_ERROR } from '../errors.ts';
import type { ConversionTable } from './conversion-table.ts';
import { kindOf, typeOf } from './file-kind.ts';
import { isOwnType, opensInWord, savedWordType } from './kind-formats.ts';
import { isShown } from './shown-formats.ts';

/** Formats that can be opened, and for each the names under which the same kind of package goes. */
const namesOfKind: Readonly<Record<string, readonly string[]>> = {
  docx: ['docx', 'docm', 'dotx', 'dotm'],
  xlsx: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  pptx: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
};

/** Kinds of content that x2t opens by what they are, whatever they are called. */
const ownKinds: ReadonlySet<string> = new Set(['doc', 'xls', 'ppt', 'rtf']);

/** Formats whose files say what they are: content of which nothing is known is damaged when it is called so. */
const tellingTypes: ReadonlySet<string> = new Set(['odt', 'ott', 'fodt', 'rtf', 'epub', 'fb2', 'stw', 'sxw']);

/** What a source is, or why it cannot be opened; `message` is safe to show. */
export type SourceCheck = { fileType: string } | { errorCode: number; message: string };

/**
 * Finds out what a source is by its content as well as by its name. The name decides among formats that share a
 * package (docx and docm); where name and content disagree, the content is right. In the binary form also what else x2t
 * opens is accepted, and x2t decides whether it is what its name says; in our model, what an engine makes a docx of; to
 * be looked at, what is a PDF or an engine makes one of.
 */
export function checkSource(
  bytes: Uint8Array,
  namedType: string,
  model: DocumentModel,
  table: ConversionTable,
): SourceCheck {
  if (model === 'pages') return checkShown(bytes, namedType, table);
  const kind = detectOffice(bytes);
  const isBinary = model === 'binary';
  if (isBinary && namedType === 'xlsb' && kind === 'xlsx') return { fileType: namedType };
  const names = namesOfKind[kind];
  if (names) return { fileType: names.includes(namedType) ? namedType : names[0]! };
  if (kind === 'ole-encrypted' && isBinary) {
    return { fileType: opensForEditing(namedType) ? namedType : 'docx' };
  }
  if (kind === 'ole-encrypted' && model === 'word') {
    // Nobody is asked for a password that no engine here has a use for.
    if (!decrypts(table)) return { errorCode: CONVERSION_ERROR.protected, message: 'The file is encrypted' };
    return { fileType: opensInWord(namedType, table) ? namedType : 'docx' };
  }
  if (kind === 'ole-encrypted') {
    return { errorCode: CONVERSION_ERROR.passwordRequired, message: 'The file is protected by a password' };
  }
  const isNamedOffice = Object.values(namesOfKind).flat().includes(namedType);
  if (kind === 'broken-zip' || (kind === 'unknown' && isNamedOffice)) {
    return { errorCode: CONVERSION_ERROR.corrupted, message: 'The file is damaged' };
  }
  if (isBinary && ownKinds.has(kind)) return { fileType: kind };
  if (isBinary && opensForEditing(namedType) && !isNamedOffice) return { fileType: namedType };
  const content = kindOf(bytes);
  const fileType = typeOf(content, namedType);
  if (model === 'word' && !isOwnType(fileType) && opensInWord(fileType, table)) {
    if (content !== 'unknown' || !tellingTypes.has(fileType)) return { fileType };
    return { errorCode: CONVERSION_ERROR.corrupted, message: 'The file is damaged' };
  }
  return {
    errorCode: CONVERSION_ERROR.unknownFormat,
    message: `Files of this kind (${fileType || kind}) cannot be opened`,
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
  const isNamedOffice = Object.values(namesOfKind).flat().includes(fileType);
  const tells = fileType === 'pdf' || isNamedOffice || tellingTypes.has(fileType);
  if (kind === 'broken-zip' || (kind === 'unknown' && tells)) {
    return { errorCode: CONVERSION_ERROR.corrupted, message: 'The file is damaged' };
  }
  if (isShown(fileType, table)) return { fileType };
  return {
    errorCode: CONVERSION_ERROR.unknownFormat,
    message: `Files of this kind (${fileType || kind}) cannot be shown`,
  };
}

/** Whether a docx that is protected by a password can be made one that is not. */
function decrypts(table: ConversionTable): boolean {
  const conversion = { fromType: 'docx', toType: 'docx', options: { password: 'any' } };
  return table.canMake(conversion);
}

/**
 * The type of the file in which changes to a document are saved: its own where an engine writes that, unless
 * `keepsType` is false and Office Open XML is wanted of everything.
 */
export function typeOfSaved(
  { model, fileType }: { model: DocumentModel | null; fileType: string },
  keepsType: boolean,
  table: Pick<ConversionTable, 'handles'>,
): string {
  if (model === 'word') return savedWordType(fileType, keepsType, table);
  return (model === 'binary' && savedType(fileType, keepsType)) || fileType;
}
