import type { CellOperation } from '../../../model/cell/operations.ts';
import { type TotalsFunction, totalsFormula, totalsFunctions } from '../../../model/cell/table-totals.ts';
import type { SheetSource, TotalsCell } from './table-growth.ts';

export const totalsNames = Object.keys(totalsFunctions) as readonly TotalsFunction[];

/** The operation by which a column has another total, or none (null); the table says so by itself. */
export function changeTotal(
  page: SheetSource,
  { table, at }: TotalsCell,
  chosen: TotalsFunction | null,
): CellOperation {
  const sheet = page.sheetId.peek();
  const [row, column] = [table.area[2], table.area[1] + at];
  return chosen
    ? { op: 'set', sheet, cells: [[row, column, { f: totalsFormula(table, at, chosen) }]] }
    : { op: 'clear', sheet, areas: [[row, column, row, column]], part: 'content' };
}
