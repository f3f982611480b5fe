import { delimiterOf, separatorLine } from '../../../model/delimiters.ts';
import type { ConversionOptions } from '../../formats/conversion.ts';
import { withPlainSource } from '../../text/plain-text.ts';

import { decodeText, UTF8_CODE_PAGE } from '../../text/text-encoding.ts';

/** Plain text as LibreOffice is given it, always in UTF-8, and the filter options that say so. */
export interface PlainSource {
  readonly bytes: Uint8Array;
  readonly filterOptions: string;
}

/** Tokens of filter options for tables: number of UTF-8, of the quotation mark, of the language (US English). */
const UTF8 = 76;
const QUOTE = 34;
const LANGUAGE = 1_033;

const tables: ReadonlySet<string> = new Set(['csv', 'tsv']);

/** Whether files of a type do not say in which encoding they are. */
export const isPlain = (type: string): boolean => type === 'txt' || tables.has(type);

export function plainSource(bytes: Uint8Array, fromType: string, options: ConversionOptions): PlainSource {
  const said = withPlainSource(bytes, fromType, options);
  const text = decodeText(bytes, said.codePage!);
  if (!tables.has(fromType)) return { bytes: Buffer.from(text), filterOptions: 'UTF8,LF,,,' };
  const delimiter = delimiterIn(fromType, said) ?? '';
  const line = separatorLine(text);
  return {
    bytes: Buffer.from(line?.delimiter === delimiter ? text.slice(line.end) : text),
    filterOptions: tableOptions(delimiter, [1, '', LANGUAGE]),
  };
}

/** Cells are written as they are shown; of several sheets the first. */
export function plainTarget(
  toType: string,
  options: ConversionOptions,
): { filterOptions: string; codePage: number } {
  const delimiter = delimiterIn(toType, options) ?? ',';
  return {
    filterOptions: tables.has(toType)
      ? tableOptions(delimiter, [1, '', 0, 'false', 'true', 'false', 'false', 'false', 0])
      : 'UTF8,LF,,,',
    codePage: options.codePage ?? UTF8_CODE_PAGE,
  };
}

/** Undefined where nothing says it; empty for none. */
function delimiterIn(type: string, { delimiter, delimiterChar }: ConversionOptions): string | undefined {
  if (type === 'tsv') return '\t';
  if (delimiterChar !== undefined) return delimiterChar;
  return delimiter === undefined ? undefined : (delimiterOf(delimiter) ?? '');
}

const tableOptions = (delimiter: string, others: readonly (string | number)[]): string =>
  [delimiter === '' ? '' : delimiter.charCodeAt(0), QUOTE, UTF8, ...others].join(',');
