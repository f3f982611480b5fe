import type { Cell } from '../../../model/cell/cell.ts';
import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import { typedValue } from '../../../model/cell/formats/typed-value.ts';
import { Formula, type FormulaJson, type FormulaSpan } from '../../../model/cell/formula/formula.ts';
import type { CellInput } from '../../../model/cell/operations.ts';
import { type CellValue, isErrorValue } from '../../../model/cell/values.ts';
import type { PasteOperation } from './paste-options.ts';

const signs = { add: '+', subtract: '-', multiply: '*', divide: '/' } as const;

/** One side of a calculation: a formula, or a number; nothing counts as 0. */
type Operand =
  | { readonly formula: string; readonly span: FormulaSpan | null }
  | { readonly number: number; readonly isBlank: boolean };

/**
 * What a cell gets where a cell is pasted with an operation: the number that comes of two numbers, else a formula of both. Null where the
 * cell stays as it is: text counts only where it reads as a number.
 */
export function combined(
  old: Pick<Cell, 'value' | 'formula'>,
  pasted: Pick<CellInput, 'v' | 'f'>,
  operation: Exclude<PasteOperation, 'none'>,
  settings: FormatSettings,
): CellInput | null {
  const one = operandOf(old.formula, old.value, settings);
  if (!one || ('span' in one && one.span?.kind === 'data')) return null;
  if (pasted.f === undefined && isErrorValue(pasted.v ?? null)) return { v: pasted.v! };
  const given = pasted.f === undefined ? null : Formula.ofJson(pasted.f);
  const other = operandOf(given, pasted.v ?? null, settings);
  if (!other) return null;
  if ('number' in one && 'number' in other) {
    if (one.isBlank && other.isBlank) return null;
    return { v: resultOf(one.number, other.number, operation) };
  }
  const text = `${written(one)}${signs[operation]}${written(other)}`;
  const span = ('span' in one && one.span) || ('span' in other && other.span) || null;
  return { f: Formula.of(text, span).toJSON() satisfies FormulaJson, v: null };
}

function operandOf(formula: Formula | null, value: CellValue, settings: FormatSettings): Operand | null {
  if (formula) return { formula: formula.text, span: formula.span };
  if (value === null) return { number: 0, isBlank: true };
  if (typeof value === 'number') return { number: value, isBlank: false };
  if (typeof value !== 'string') return null;
  const read = typedValue(value, 'General', settings);
  return read.kind === 'number' ? { number: read.number, isBlank: false } : null;
}

function resultOf(one: number, other: number, operation: Exclude<PasteOperation, 'none'>): CellValue {
  if (operation === 'divide' && other === 0) return { e: '#DIV/0!' };
  const result =
    operation === 'add'
      ? one + other
      : operation === 'subtract'
        ? one - other
        : operation === 'multiply'
          ? one * other
          : one / other;
  return Number.isFinite(result) ? result : { e: '#NUM!' };
}

/** As it stands in a formula: in brackets, but for numbers without a sign. */
function written(operand: Operand): string {
  if ('formula' in operand) return `(${operand.formula})`;
  return operand.number < 0 ? `(${operand.number})` : String(operand.number);
}
