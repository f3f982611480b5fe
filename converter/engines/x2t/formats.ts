/** The numbers by which x2t names the formats it writes; its xlsb is left out, which loses texts of cells. */
const writable = {
  docx: 65,
  odt: 67,
  rtf: 68,
  txt: 69,
  html: 70,
  epub: 72,
  fb2: 73,
  md: 92,
  docm: 75,
  dotx: 76,
  dotm: 77,
  ott: 79,
  pptx: 129,
  odp: 131,
  ppsx: 132,
  pptm: 133,
  ppsm: 134,
  potx: 135,
  potm: 136,
  otp: 138,
  xlsx: 257,
  ods: 259,
  csv: 260,
  tsv: 260,
  xlsm: 261,
  xltx: 262,
  xltm: 263,
  ots: 266,
  pdf: 513,
  pdfa: 513,
  // Pictures of pages share a number; which kind they are of is said elsewhere.
  bmp: 1024,
  gif: 1024,
  jpg: 1024,
  png: 1024,
} as const;

/** A format that x2t writes. */
type X2tTarget = keyof typeof writable;

/** The form that editors of the family read, of whichever kind the source is. */
export const BINARY_FORM = 8192;

/** Pages as an editor has drawn them. */
export const DRAWN_PAGES = 8196;

/** A PDF that can be filled in. */
export const PDF_FORM = 87;

const textTypes =
  'docx docm dotx dotm docxf oform doc dot odt fodt ott rtf txt html htm mht epub fb2 md'.split(' ');
const sheetTypes = 'xlsx xlsm xltx xltm xlsb xls xlt ods fods ots csv tsv'.split(' ');
const slideTypes = 'pptx pptm ppsx ppsm potx potm ppt pps pot odp fodp otp'.split(' ');

const officeTypeOf: ReadonlyMap<string, X2tTarget> = new Map([
  ...textTypes.map((type) => [type, 'docx'] as const),
  ...sheetTypes.map((type) => [type, 'xlsx'] as const),
  ...slideTypes.map((type) => [type, 'pptx'] as const),
]);

const ooxmlType = /^(?:doc|dot|xls|xlt|ppt|pps|pot)[xm]$/;

/** Files of these types need an encoding, and tables a delimiter too: neither is in the file. */
const plainTypes: ReadonlySet<string> = new Set(['txt', 'csv', 'tsv']);

const pageTargets = 'pdf pdfa bmp gif jpg png'.split(' ') as X2tTarget[];
const textTargets = 'docx docm dotx dotm odt ott rtf txt html epub fb2 md'.split(' ') as X2tTarget[];
const sheetTargets = 'xlsx xlsm xltx xltm ods ots csv tsv'.split(' ') as X2tTarget[];
const slideTargets = 'pptx pptm ppsx ppsm potx potm odp otp txt'.split(' ') as X2tTarget[];

/** What x2t writes of files of each type; it reads a PDF as a text. */
export const x2tPairs: ReadonlyMap<string, ReadonlySet<X2tTarget>> = new Map([
  ...[...textTypes, 'pdf', 'docy'].map((type) => [type, new Set([...textTargets, ...pageTargets])] as const),
  ['pages', new Set(pageTargets)] as const,
  ...[...sheetTypes, 'xlsy'].map((type) => [type, new Set([...sheetTargets, ...pageTargets])] as const),
  ...[...slideTypes, 'ppty'].map((type) => [type, new Set([...slideTargets, ...pageTargets])] as const),
]);

/** Whether x2t opens files of this type for editing. */
export const opensForEditing = (fileType: string): boolean => officeTypeOf.has(fileType);

export const isPlain = (fileType: string): boolean => plainTypes.has(fileType);

export const isTarget = (fileType: string): fileType is X2tTarget => Object.hasOwn(writable, fileType);

export const formatNumber = (target: X2tTarget): number => writable[target];

/**
 * The type in which a changed document of this type is written: its own where x2t writes it, else the OOXML type of
 * its kind. Where types are not kept, only those of OOXML are. Undefined for what cannot be edited.
 */
export function savedType(fileType: string, keepsType = true): X2tTarget | undefined {
  const officeType = officeTypeOf.get(fileType);
  const keeps = keepsType || ooxmlType.test(fileType);
  return officeType && keeps && isTarget(fileType) ? fileType : officeType;
}
