import type { ConversionOptions } from '../formats/conversion.ts';
import { decodeText, detectCodePage, encodeText } from './text-encoding.ts';

/** Delimiters by the numbers of the integration API (9.1). 0 is none. */
const numbered: readonly (string | undefined)[] = [undefined, '\t', ';', ':', ',', ' '];

/** The delimiters to look for in a table without a given one; of two that fit equally well, the first. */
const candidates: readonly string[] = [',', ';', '\t', '|'];

const COMMA = ',';
/** How many lines are read to find the delimiter. */
const lookedAtLines = 50;

/** What stands between the cells of a line, undefined for nothing. */
export const delimiterOf = (number: number): string | undefined => numbered[number];

/** The delimiter of a table when it is not given: the one that divides the lines most evenly, else a comma. */
export function detectDelimiter(text: string): string {
  const lines = text
    .split(/\r\n|\r|\n/, lookedAtLines)
    .map((line) => line.replaceAll(/"(?:[^"]|"")*"/g, ''))
    .filter((line) => line.trim() !== '');
  let best = COMMA;
  let bestShare = 0;
  for (const candidate of candidates) {
    const counts = lines.map((line) => line.split(candidate).length - 1);
    const usual = mostFrequent(counts.filter((count) => count > 0));
    const share = counts.filter((count) => count > 0 && count === usual).length / Math.max(1, lines.length);
    if (share > bestShare) {
      best = candidate;
      bestShare = share;
    }
  }
  return best;
}

/** The number of a delimiter, undefined for one that has none. */
function delimiterNumber(delimiter: string): number | undefined {
  const number = numbered.indexOf(delimiter);
  return number < 0 ? undefined : number;
}

function mostFrequent(counts: readonly number[]): number | undefined {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  return [...times].sort(([, one], [, other]) => other - one)[0]?.[0];
}

/**
 * The options of a conversion with what is not in plain text itself: its encoding, and the delimiter of a table. Where they
 * are not given they are detected.
 */
export function withPlainSource(
  bytes: Uint8Array,
  fromType: string,
  options: ConversionOptions,
): ConversionOptions {
  if (!['txt', 'csv', 'tsv'].includes(fromType)) return options;
  const codePage = options.codePage ?? detectCodePage(bytes);
  const isGiven = options.delimiter !== undefined || options.delimiterChar !== undefined;
  if (fromType !== 'csv' || isGiven) return { ...options, codePage };
  const delimiterChar = detectDelimiter(decodeText(bytes, codePage));
  const delimiter = delimiterNumber(delimiterChar);
  return { ...options, codePage, ...(delimiter === undefined ? { delimiterChar } : { delimiter }) };
}

const mark = Buffer.from('\uFEFF');
const lineEnd = /\r\n|\r|\n/g;

/**
 * Plain text in a code page, with the line ends, the byte order mark and the end of the last line as the source has them
 * that it was made of.
 */
export function likeSourceText(text: Uint8Array, source: Uint8Array, codePage: number): Uint8Array {
  const from = decodeText(source, codePage);
  const end = from.match(lineEnd)?.[0] ?? '\n';
  const lines = decodeText(text, codePage).replace(/[\r\n]+$/, '');
  const written = encodeText(lines.replace(lineEnd, end) + (/[\r\n]$/.test(from) ? end : ''), codePage);
  return mark.equals(source.subarray(0, mark.length)) ? Buffer.concat([mark, written]) : written;
}
