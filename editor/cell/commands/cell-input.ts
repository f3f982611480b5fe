import type { CellFormat } from '../../../model/cell/cell-format.ts';
import type { CellInput, CellOperation } from '../../../model/cell/operations.ts';
import { type CellValue, isRichText, textOfValue } from '../../../model/cell/values.ts';
import { withBrackets } from '../editing/cell-editing.ts';
import { editedNumber } from '../formats/edited-text.ts';
import type { FormatSettings } from '../formats/shown-value.ts';
import { typedValue } from '../formats/typed-value.ts';

/** What a cell has at present, as far as typing into it needs that. */
export interface EditedCell {
  readonly value: CellValue;
  /** Without the equals sign; null where there is none. */
  readonly formula: string | null;
  readonly format: CellFormat;
}

/** A typed text as what a cell gets, with a format where the way it was typed asks for one. */
export function inputOf(
  text: string,
  { format }: Pick<EditedCell, 'format'>,
  settings: FormatSettings,
): { readonly input: CellInput; readonly format: CellFormat | null } {
  const pattern = format.number ?? 'General';
  const typed = typedValue(withBrackets(text), pattern, settings);
  switch (typed.kind) {
    case 'nothing':
      return { input: { v: null }, format: null };
    case 'text': {
      // A line break in a cell is seen only where its text is broken into lines.
      const needsLines = typed.text.includes('\n') && format.align?.wrap !== true;
      const wrapped = needsLines ? { ...format, align: { ...format.align, wrap: true } } : null;
      return { input: { v: typed.text }, format: wrapped };
    }
    case 'number': {
      // A format that somebody has chosen stays.
      const takes = typed.pattern !== null && pattern === 'General';
      return { input: { v: typed.number }, format: takes ? { ...format, number: typed.pattern! } : null };
    }
    case 'boolean':
      return { input: { v: typed.on }, format: null };
    case 'error':
      return { input: { v: { e: typed.error } }, format: null };
    case 'formula':
      return { input: { f: typed.formula }, format: null };
  }
}

/** The text by which a cell is edited. */
export function editedText({ value, formula, format }: EditedCell, settings: FormatSettings): string {
  if (formula !== null) return `=${formula}`;
  if (typeof value === 'number') return editedNumber(value, format.number ?? 'General', settings);
  if (typeof value === 'string' || (value !== null && typeof value === 'object' && isRichText(value))) {
    const text = textOfValue(value);
    const isText = format.number === '@';
    // Text that would be read as something else has the sign that says it is text.
    return !isText && typedValue(text, 'General', settings).kind !== 'text' && text !== ''
      ? `'${text}`
      : text;
  }
  return textOfValue(value);
}

/** The operation by which cells get what was typed. */
export function setOperation(
  sheet: string,
  cells: readonly {
    readonly row: number;
    readonly column: number;
    readonly text: string;
    readonly cell: EditedCell;
  }[],
  settings: FormatSettings,
): CellOperation {
  const formats: CellFormat[] = [];
  const inputs = cells.map(({ row, column, text, cell }): [number, number, CellInput] => {
    const { input, format } = inputOf(text, cell, settings);
    if (!format) return [row, column, input];
    formats.push(format);
    return [row, column, { ...input, s: formats.length - 1 }];
  });
  return { op: 'set', sheet, cells: inputs, ...(formats.length > 0 && { formats }) };
}
