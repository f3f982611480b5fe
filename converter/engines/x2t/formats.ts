/** The numbers by which x2t names the formats it writes. */
const writable = {
  docx: 65,
  odt: 67,
  rtf: 68,
  txt: 69,
  html: 70,
  epub: 72,
  fb2: 73,
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
  xlsm: 261,
  xltx: 262,
  xltm: 263,
  xlsb: 264,
  ots: 266,
  pdf: 513,
} as const;

/** A format that x2t writes. */
export type X2tTarget = keyof typeof writable;

/** The form that editors of the family read, of whichever kind the source is. */
export const BINARY_FORM = 8192;

const textTypes = 'docx docm dotx dotm doc dot odt fodt ott rtf txt html htm mht epub fb2'.split(' ');
const sheetTypes = 'xlsx xlsm xltx xltm xlsb xls xlt ods fods ots csv'.split(' ');
const slideTypes = 'pptx pptm ppsx ppsm potx potm ppt pps pot odp fodp otp'.split(' ');

const officeTypeOf: ReadonlyMap<string, X2tTarget> = new Map([
  ...textTypes.map((type) => [type, 'docx'] as const),
  ...sheetTypes.map((type) => [type, 'xlsx'] as const),
  ...slideTypes.map((type) => [type, 'pptx'] as const),
]);

/** Files of these types need an encoding, and a table a delimiter too: nothing in them says which. */
const plainTypes: ReadonlySet<string> = new Set(['txt', 'csv']);

/** Whether x2t opens files of this type for editing. */
export const opensForEditing = (fileType: string): boolean => officeTypeOf.has(fileType);

export const isPlain = (fileType: string): boolean => plainTypes.has(fileType);

export const isTarget = (fileType: string): fileType is X2tTarget => Object.hasOwn(writable, fileType);

export const formatNumber = (target: X2tTarget): number => writable[target];

/**
 * The type in which a changed document of this type is written: its own where x2t writes it, else the OOXML type of
 * its kind. Undefined for what cannot be edited.
 */
export function savedType(fileType: string): X2tTarget | undefined {
  return officeTypeOf.has(fileType) && isTarget(fileType) ? fileType : officeTypeOf.get(fileType);
}
