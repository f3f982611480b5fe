import { delimiterNumber, detectDelimiter } from '../../model/delimiters.ts';
import type { ConversionOptions } from '../formats/conversion.ts';
import { decodeText, detectCodePage, encodeText, UTF8_CODE_PAGE } from './text-encoding.ts';

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
const isMarked = (text: Uint8Array): boolean => mark.equals(text.subarray(0, mark.length));
const lineEnd = /\r\n|\r|\n/g;
/** It begins in one place only: else a long run of line ends within the text would be looked through from each of them. */
const lastLineEnds = /(?<![\r\n])[\r\n]+$/;

/**
 * Plain text in a code page, with the line ends, the byte order mark and the end of the last line as the source has them
 * that it was made of.
 */
export function likeSourceText(text: Uint8Array, source: Uint8Array, codePage: number): Uint8Array {
  const from = decodeText(source, codePage);
  const end = from.match(lineEnd)?.[0] ?? '\n';
  const lines = decodeText(text, codePage).replace(lastLineEnds, '').replace(lineEnd, end);
  return encodedLikeSource(lines + (lastLineEnds.test(from) ? end : ''), source, codePage);
}

/** Plain text in a code page, with a byte order mark if its source has one. */
export function encodedLikeSource(text: string, source: Uint8Array, codePage: number): Uint8Array {
  const written = encodeText(text, codePage);
  return isMarked(source) ? Buffer.concat([mark, written]) : written;
}

/** A result with the byte order mark that is wanted. Only UTF-8 needs one: other encodings have theirs, or none. */
export function withMark(
  text: Uint8Array,
  { byteOrderMark = false, codePage = UTF8_CODE_PAGE }: ConversionOptions,
): Uint8Array {
  const isWanted = byteOrderMark && codePage === UTF8_CODE_PAGE && !isMarked(text);
  return isWanted ? Buffer.concat([mark, text]) : text;
}
