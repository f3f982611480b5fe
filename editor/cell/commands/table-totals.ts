import { quotedColumn } from '../../../model/cell/formula/column-renaming.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changeTable, type SheetSource, type Table, type TotalsCell } from './table-growth.ts';

type Column = Table['columns'][number];

/** Functions of a totals row in the order of their list, with the numbers by which SUBTOTAL calculates them over what is shown. */
const totalsFunctions = {
  average: 101,
  count: 103,
  countNums: 102,
  max: 104,
  min: 105,
  sum: 109,
  stdDev: 107,
  var: 110,
} as const;
export type TotalsFunction = keyof typeof totalsFunctions;

export const totalsNames = Object.keys(totalsFunctions) as readonly TotalsFunction[];

/** The operations by which a column has another total, or none (null). */
export function changeTotal(
  page: SheetSource,
  { id, table, at }: TotalsCell,
  chosen: TotalsFunction | null,
): CellOperation[] {
  const sheet = page.sheetId.peek();
  const [row, column] = [table.area[2], table.area[1] + at];
  const columns = table.columns.with(at, withTotal(table.columns[at]!, chosen));
  return [
    changeTable(page, id, { columns }),
    chosen
      ? { op: 'set', sheet, cells: [[row, column, { f: totalsFormula(table, at, chosen) }]] }
      : { op: 'clear', sheet, areas: [[row, column, row, column]], part: 'content' },
  ];
}

/** A column with another total, or none (null). */
export function withTotal(
  { totalsFunction: _function, totalsLabel: _label, totalsFormula: _formula, ...column }: Column,
  chosen: TotalsFunction | null,
): Column {
  return chosen === null ? column : { ...column, totalsFunction: chosen };
}

export const totalsFormula = ({ name, columns }: Table, at: number, fn: TotalsFunction): string =>
  `SUBTOTAL(${totalsFunctions[fn]},${name}[${quotedColumn(columns[at]!.name)}])`;
