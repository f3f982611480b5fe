import type { Font } from './cell-format.ts';

/** An error as a value: `#N/A`, `#REF!`, … */
export interface ErrorValue {
  readonly e: string;
}

/** A run of a text; without a font it looks like its cell. */
export interface TextRun {
  readonly t: string;
  readonly font?: Font;
}

/** A text whose parts look different; `xml` is what the file says of it beside that, for the engine. */
export interface RichText {
  readonly r: readonly TextRun[];
}

/** What a cell holds; null is nothing. The same in memory and in JSON. */
export type CellValue = number | string | boolean | null | ErrorValue | RichText;

export const isErrorValue = (value: CellValue): value is ErrorValue =>
  typeof value === 'object' && value !== null && 'e' in value;

export const isRichText = (value: CellValue): value is RichText =>
  typeof value === 'object' && value !== null && 'r' in value;

/** The value as text, where it is one; numbers as JSON writes them. */
export function textOfValue(value: CellValue): string {
  if (value === null) return '';
  if (typeof value !== 'object')
    return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
  return 'e' in value ? value.e : value.r.map(({ t }) => t).join('');
}
