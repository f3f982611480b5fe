import type { ConversionOptions } from '../formats/conversion.ts';
import { delimiterNumber, detectDelimiter } from './delimiter.ts';
import { decodeText, detectCodePage } from './text-encoding.ts';

/**
 * The options of a conversion with what plain text does not say itself: its encoding, and the delimiter of a table. What
 * is not given is found out by the content.
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
