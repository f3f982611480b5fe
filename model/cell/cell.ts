import { formatKey } from './cell-format.ts';
import type { Formula } from './formula/formula.ts';
import { CELL_LIMITS } from './limits.ts';
import type { CellValue } from './values.ts';

/** A cell that holds or looks like something. Never changes. */
export interface Cell {
  /** Of a formula: the value that it had in the file, or when it was entered; null where nobody said one. */
  readonly value: CellValue;
  readonly formula: Formula | null;
  /** Its place in the workbook's table of formats. */
  readonly format: number;
}

export const blankCell: Cell = { value: null, formula: null, format: 0 };

/** A cell that need not be kept. */
export const isBlank = ({ value, formula, format }: Cell): boolean =>
  value === null && formula === null && format === 0;

export const sameValue = (one: CellValue, other: CellValue): boolean =>
  Object.is(one, other) ||
  (typeof one === 'object' && typeof other === 'object' && formatKey(one) === formatKey(other));

export const sameFormula = (one: Formula | null, other: Formula | null): boolean =>
  one === other || (one !== null && other !== null && one.equals(other));

/** Whether two cells hold the same, whatever they look like. */
export const sameContent = (one: Cell, other: Cell): boolean =>
  sameFormula(one.formula, other.formula) && sameValue(one.value, other.value);

/** Whether a cell has a formula that is calculated: data tables, and arrays of more cells than columns have, stay as the file has them. */
export function isCalculated({ formula }: Pick<Cell, 'formula'>): boolean {
  const { kind, rows = 1, columns = 1 } = formula?.span ?? {};
  return formula !== null && kind !== 'data' && rows * columns <= CELL_LIMITS.cellsPerOperation;
}
