import { codePageOf } from '../../converter/engines/x2t/encodings.ts';
import { localeNumber } from '../../converter/engines/x2t/locales.ts';
import type { ConversionOptions, Thumbnail } from '../../converter/formats/conversion.ts';

/** The parts of a file that editors send with a download: none, or the first, a middle, the last, the only one. */
export type SentPart = 'none' | 'first' | 'middle' | 'last' | 'only';

/** What of the `cmd` of a download counts here (integration API, 11.2). */
export interface DownloadCommand {
  /** `save`: the document as it is now; `savefromorigin`: its file as it was opened; anything else is not known. */
  command: string;
  /** Extension of the wanted file; null for the document's own format, `unknown` for a number without a name. */
  outputType: string | null;
  part: SentPart;
  /** What the answer to the first part gave. */
  saveKey: string | null;
  /** Whether the file is to be shown, to be printed, rather than saved. */
  inline: boolean;
  title: string | null;
  withoutPassword: boolean;
  options: ConversionOptions;
  tokenSession: string | undefined;
}

/** `outputformat` by its number: text documents, presentations, spreadsheets, pages, pictures. */
const families: readonly (readonly [first: number, types: readonly (string | null)[]])[] = [
  [65, ['docx', 'doc', 'odt', 'rtf', 'txt', 'html', 'mht', 'epub', 'fb2', 'mobi', 'docm', 'dotx', 'dotm']],
  [78, ['fodt', 'ott']],
  [85, ['oform', 'docxf', 'pdf']],
  [92, ['md']],
  [129, ['pptx', 'ppt', 'odp', 'ppsx', 'pptm', 'ppsm', 'potx', 'potm', 'fodp', 'otp']],
  [257, ['xlsx', 'xls', 'ods', 'csv', 'xlsm', 'xltx', 'xltm', 'xlsb', 'fods', 'ots']],
  [513, ['pdf', null, 'djvu', 'xps', null, null, null, null, 'pdfa']],
  [1025, ['jpg', null, null, 'gif', 'png', null, null, 'bmp']],
];

const parts: readonly SentPart[] = ['first', 'middle', 'last', 'only'];

/** Reads `cmd`: JSON text of an object, or nothing at all; null when it is anything else. */
export function downloadCommand(cmd: unknown): DownloadCommand | null {
  let given: unknown = {};
  try {
    if (cmd !== undefined) given = JSON.parse(String(cmd));
  } catch {
    return null;
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
  const members = given as Record<string, unknown>;
  return {
    command: textOf(members.c) ?? 'save',
    outputType: outputTypeOf(members.outputformat, objectOf(members.thumbnail)),
    part: typeof members.savetype === 'number' ? (parts[members.savetype] ?? 'none') : 'none',
    saveKey: textOf(members.savekey) ?? null,
    inline: members.inline === true || members.inline === 1,
    title: textOf(members.title) ?? null,
    withoutPassword: members.withoutPassword === true,
    options: optionsOf(members),
    tokenSession: textOf(members.tokenSession),
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const numberOf = (value: unknown): number | undefined =>
  value === undefined || value === null || value === '' || !Number.isInteger(Number(value))
    ? undefined
    : Number(value);

/** Pages as pictures are one format; the thumbnail says of which kind the pictures are. */
const PICTURES = 1024;
const pictures = ['bmp', 'gif', 'jpg', 'png'];
const PNG = 4;

function outputTypeOf(format: unknown, thumbnail: Record<string, unknown> = {}): string | null {
  if (format === undefined || format === null || format === '') return null;
  if (typeof format === 'string' && !/^\d+$/.test(format)) return format.toLowerCase();
  const number = Number(format);
  if (number === PICTURES) return pictures[(numberOf(thumbnail.format) ?? PNG) - 1] ?? 'unknown';
  for (const [first, types] of families) {
    const type = types[number - first];
    if (type) return type;
  }
  return 'unknown';
}

/** Editors name encodings by their place in a list, and give layouts as JSON text. */
function optionsOf(members: Record<string, unknown>): ConversionOptions {
  const encoding = numberOf(members.codepage);
  const layouts = layoutsOf(members.jsonparams);
  return {
    codePage: encoding === undefined ? undefined : (codePageOf(encoding) ?? encoding),
    // Editors of 9.3 name delimiters as a list, which has one.
    delimiter: numberOf(Array.isArray(members.delimiter) ? members.delimiter[0] : members.delimiter),
    delimiterChar: textOf(members.delimiterChar),
    spreadsheetLayout: objectOf(layouts.spreadsheetLayout),
    sheet: numberOf(members.sheet),
    documentLayout: objectOf(layouts.documentLayout),
    watermark: objectOf(layouts.watermark),
    region: typeof layouts.locale === 'string' && localeNumber(layouts.locale) ? layouts.locale : undefined,
    thumbnail: thumbnailOf(objectOf(members.thumbnail)),
  };
}

function thumbnailOf(given: Record<string, unknown> | undefined): Thumbnail | undefined {
  if (!given) return undefined;
  const sizes = {
    aspect: numberOf(given.aspect),
    width: numberOf(given.width),
    height: numberOf(given.height),
  };
  return { ...sizes, ...(typeof given.first === 'boolean' && { first: given.first }) };
}

function layoutsOf(given: unknown): Record<string, unknown> {
  try {
    return objectOf(typeof given === 'string' ? JSON.parse(given) : given) ?? {};
  } catch {
    return {};
  }
}

const objectOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
