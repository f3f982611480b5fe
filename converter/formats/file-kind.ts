import { kinds, ownTypesOf } from '../../model/kinds.ts';
import { detectOffice, type OfficeKind } from '../engines/ooxml/package/office-kind.ts';
import { ZipArchive } from '../engines/ooxml/package/zip-archive.ts';
import { ConversionError } from '../errors.ts';

/**
 * What a file is by its content: an Office kind, or the usual extension of another format that can be recognised. `xml` is a
 * workbook of Excel 2003.
 */
type FileKind = OfficeKind | OpenFormat;
type OpenFormat =
  | (typeof packageTypes)[string]
  | 'fodt'
  | 'fods'
  | 'fodp'
  | 'fodg'
  | 'fb2'
  | 'xml'
  | EditorForm;
type EditorForm = 'docy' | 'xlsy' | 'ppty';

/** Formats whose zip files begin with an entry `mimetype` (OpenDocument 1.3 part 2, 3.3; EPUB OCF 4.3). */
const packageTypes: Readonly<
  Record<string, 'odt' | 'ott' | 'ods' | 'ots' | 'odp' | 'otp' | 'odg' | 'otg' | 'epub'>
> = {
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.text-template': 'ott',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.spreadsheet-template': 'ots',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.presentation-template': 'otp',
  'application/vnd.oasis.opendocument.graphics': 'odg',
  'application/vnd.oasis.opendocument.graphics-template': 'otg',
  'application/epub+zip': 'epub',
};

/** Formats of one XML file, by what its MIME type ends with. */
const flatTypes: Readonly<Record<string, 'fodt' | 'fods' | 'fodp' | 'fodg'>> = {
  text: 'fodt',
  spreadsheet: 'fods',
  presentation: 'fodp',
  graphics: 'fodg',
};

/** The beginning of a workbook of Excel 2003 in XML. */
const workbook2003 = /<(?:\w+:)?Workbook\b[^>]*["']urn:schemas-microsoft-com:office:spreadsheet["']/;

/** More than any MIME type takes. */
const mimeTypeBytes = 1_024;

/** So much of an XML file is looked at to find out what it is, bytes. */
const lookedAtBytes = 8_192;

/** Types that share a format, by the kind that their content is of. */
const typesOfKind: Readonly<Record<string, readonly string[]>> = {
  docx: [...ownTypesOf(kinds.named('word')!), 'docxf', 'oform'],
  xlsx: ownTypesOf(kinds.named('cell')!),
  pptx: ownTypesOf(kinds.named('slide')!),
  doc: ['doc', 'dot'],
  xls: ['xls', 'xlt'],
  ppt: ['ppt', 'pps', 'pot'],
  odt: ['odt', 'ott'],
  ods: ['ods', 'ots'],
  odp: ['odp', 'otp'],
  ott: ['ott', 'odt'],
  ots: ['ots', 'ods'],
  otp: ['otp', 'odp'],
  odg: ['odg', 'otg'],
  otg: ['otg', 'odg'],
  xml: ['xml', 'xls', 'xlt'],
};

/** Formats that are text: nothing in them says which. */
const textTypes: ReadonlySet<string> = new Set([
  'txt',
  'csv',
  'tsv',
  'md',
  'html',
  'htm',
  'mht',
  'mhtml',
  'xml',
]);

export function kindOf(bytes: Uint8Array): FileKind {
  const kind = detectOffice(bytes);
  if (kind === 'zip') return packageKind(bytes) ?? kind;
  return kind === 'unknown' ? (editorForm(bytes) ?? xmlKind(bytes) ?? kind) : kind;
}

/** Whether content of this kind may go by this name. */
export function isCalled(kind: FileKind, fileType: string): boolean {
  const isText = kind === 'unknown' || kind === 'fb2' || kind === 'xml';
  if (isText && textTypes.has(fileType)) return true;
  return kind === fileType || (typesOfKind[kind]?.includes(fileType) ?? false);
}

/**
 * The type of a file by its name where its content may be of that type, else by its content where that can be recognised.
 */
export function typeOf(kind: FileKind, namedType: string): string {
  const saysNothing = ['unknown', 'zip', 'broken-zip', 'ole', 'ole-encrypted'].includes(kind);
  return saysNothing || isCalled(kind, namedType) ? namedType : kind;
}

function packageKind(bytes: Uint8Array): OpenFormat | undefined {
  try {
    const archive = new ZipArchive(bytes);
    const entry = archive.find('mimetype');
    if (!entry || entry.sizeBytes > mimeTypeBytes) return undefined;
    return packageTypes[Buffer.from(archive.read(entry)).toString('latin1').trim()];
  } catch (error) {
    if (error instanceof ConversionError) return undefined;
    throw error;
  }
}

function editorForm(bytes: Uint8Array): EditorForm | undefined {
  const start = /^(DOCY|XLSY|PPTY);v/.exec(Buffer.from(bytes.subarray(0, 8)).toString('latin1'));
  return start?.[1]?.toLowerCase() as EditorForm | undefined;
}

function xmlKind(bytes: Uint8Array): OpenFormat | undefined {
  // Of UTF-16 the letters of names remain.
  const letters = bytes.subarray(0, lookedAtBytes).filter((byte) => byte !== 0);
  const start = Buffer.from(letters).toString('utf8');
  if (!/^\uFFFD*\s*</.test(start)) return undefined;
  if (workbook2003.test(start)) return 'xml';
  if (/<(?:\w+:)?FictionBook[\s>]/.test(start)) return 'fb2';
  const mime = /office:mimetype="application\/vnd\.oasis\.opendocument\.([a-z]+)/.exec(start)?.[1];
  return mime === undefined ? undefined : flatTypes[mime];
}
