import type { CellFormat } from '../../../model/cell/cell-format.ts';
import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import { type TypedValue, typedValue } from '../../../model/cell/formats/typed-value.ts';
import { Formula, type FormulaJson } from '../../../model/cell/formula/formula.ts';
import type { CellInput, CellOperation } from '../../../model/cell/operations.ts';
import { type CellValue, isRichText, textOfValue } from '../../../model/cell/values.ts';
import { closedFormula, syntaxFault } from '../editing/formula-syntax.ts';
import { hasDecimalComma } from '../editing/local-formula.ts';
import { modelFormula, shownFormula } from '../editing/typed-formula.ts';
import { editedNumber } from '../formats/edited-text.ts';
import type { CellPosition } from '../grid/cell-areas.ts';
import { FormatList } from './format-list.ts';

/** What a cell has at present, as far as typing into it needs that. */
export interface EditedCell {
  readonly value: CellValue;
  /** Null where there is none. */
  readonly formula: FormulaJson | null;
  readonly format: CellFormat;
  /** The name of the table that it is in, or that grows with what is typed into it. */
  readonly table?: string | null;
  /** Whether a name that counts there stands for several values. */
  readonly isSeveral?: (name: string) => boolean;
  /** The number format that a formula gives to the cell if it has none; null for none. */
  readonly formatOfFormula?: (formula: string) => string | null;
}

/** What was typed, read; what cannot be a formula is a text. */
function readInput(text: string, pattern: string, settings: FormatSettings, hasTable: boolean): TypedValue {
  const typed = typedValue(closedFormula(text), pattern, settings);
  const isFaulty = typed.kind === 'formula' && syntaxFault(typed.formula, settings.locale, hasTable) !== null;
  return isFaulty ? { kind: 'text', text } : typed;
}

/** A typed text as what a cell gets, with a format where the way it was typed asks for one. */
export function inputOf(
  text: string,
  {
    format,
    formula = null,
    table = null,
    isSeveral = () => false,
    formatOfFormula = () => null,
  }: Pick<EditedCell, 'format'> & Partial<EditedCell>,
  settings: FormatSettings,
): { readonly input: CellInput; readonly format: CellFormat | null } {
  const pattern = format.number ?? 'General';
  const typed = readInput(text, pattern, settings, table !== null);
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
    case 'formula': {
      const writing = { hasDecimalComma: hasDecimalComma(settings.locale), table, isSeveral };
      const f = modelFormula(typed.formula, arrayOf(formula), writing);
      const number = pattern === 'General' ? formatOfFormula(typeof f === 'string' ? f : f.t) : null;
      return { input: { f }, format: number === null ? null : { ...format, number } };
    }
  }
}

const copied = (formula: FormulaJson, rows: number, columns: number): FormulaJson =>
  rows === 0 && columns === 0 ? formula : Formula.copied(Formula.ofJson(formula), rows, columns).toJSON();

/** What an array formula of old fills: it goes on filling that, whatever it becomes. */
const arrayOf = (formula: FormulaJson | null) =>
  formula !== null && typeof formula !== 'string' && formula.a[0] === 'array' ? formula.a : null;

/** The text by which a cell is edited. */
export function editedText(
  { value, formula, format, isSeveral = () => false }: EditedCell,
  settings: FormatSettings,
): string {
  if (formula !== null) {
    const writing = { hasDecimalComma: hasDecimalComma(settings.locale), isSeveral };
    return `=${shownFormula(formula, writing)}`;
  }
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

/**
 * The operation by which cells get what was typed. In others than the one where it was typed a formula is what a copy would be.
 * @param typedIn where it was typed; absent: in each of them
 */
export function setOperation(
  sheet: string,
  cells: readonly {
    readonly row: number;
    readonly column: number;
    readonly text: string;
    readonly cell: EditedCell;
  }[],
  settings: FormatSettings,
  typedIn?: CellPosition,
): CellOperation {
  const formats = new FormatList();
  const inputs = cells.map(({ row, column, text, cell }): [number, number, CellInput] => {
    const { input: typed, format } = inputOf(text, cell, settings);
    const from = typedIn ?? { row, column };
    const input = typed.f ? { ...typed, f: copied(typed.f, row - from.row, column - from.column) } : typed;
    if (!format) return [row, column, input];
    return [row, column, { ...input, s: formats.placeOf(format) }];
  });
  return { op: 'set', sheet, cells: inputs, ...(formats.all.length > 0 && { formats: formats.all }) };
}
