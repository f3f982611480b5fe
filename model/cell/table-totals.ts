import { type Cell, sameContent } from './cell.ts';
import { quotedColumn } from './formula/column-renaming.ts';
import type { Item, ItemOf } from './items.ts';
import { textOfValue } from './values.ts';
import { itemsOf, type Sheet, sheetOf, type Workbook } from './workbook.ts';
import { withKind, withSheet } from './workbook-change.ts';

type Table = ItemOf<'table'>;
type Column = Table['columns'][number];

/** Functions of a totals row in the order of their list, with the numbers by which SUBTOTAL calculates them over what is shown. */
export const totalsFunctions = {
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

/** The formula of the total of a column. */
export const totalsFormula = ({ name, columns }: Table, at: number, fn: TotalsFunction): string =>
  `SUBTOTAL(${totalsFunctions[fn]},${name}[${quotedColumn(columns[at]!.name)}])`;

/** A column that says nothing of its total. */
export function withoutTotal({
  totalsFunction: _function,
  totalsLabel: _label,
  totalsFormula: _formula,
  ...column
}: Column): Column {
  return column;
}

/** Columns of tables say what their totals are: after a change of cells of a sheet, those say so whose totals are others. */
export function followTotals(before: Workbook, after: Workbook, id: string): Workbook {
  const [old, now] = [sheetOf(before, id)!, sheetOf(after, id)!];
  const tables = new Map<string, Item>();
  for (const [tableId, table] of itemsOf(now, 'table')) {
    const was = itemsOf(old, 'table').get(tableId);
    const columns = was && newColumns(table, was, old, now);
    if (columns) tables.set(tableId, { ...table, columns });
  }
  if (tables.size === 0) return after;
  const all = new Map<string, Item>([...itemsOf(now, 'table'), ...tables]);
  return withSheet(after, { ...now, items: withKind(now.items, 'table', all) });
}

/** The columns as their totals are now; null where none is another one than it was. */
function newColumns(table: Table, was: Table, old: Sheet, now: Sheet): Column[] | null {
  const { area, hasTotals, columns } = table;
  if (!hasTotals || !was.hasTotals) return null;
  const [[, left, bottom], [, oldLeft, oldBottom]] = [area, was.area];
  if (old.grid.row(oldBottom) === now.grid.row(bottom) && oldLeft === left) return null;
  let isSame = true;
  const next = columns.map((column, at) => {
    const cell = now.grid.cell(bottom, left + at);
    if (sameContent(old.grid.cell(oldBottom, oldLeft + at), cell)) return column;
    isSame = false;
    return { ...withoutTotal(column), ...totalOf(table, at, cell) };
  });
  return isSame ? null : next;
}

/** What a column says of the cell of its total. */
function totalOf(table: Table, at: number, { formula, value }: Cell): Partial<Column> {
  if (formula === null) {
    const label = typeof value === 'number' || typeof value === 'boolean' ? '' : textOfValue(value);
    return label === '' ? {} : { totalsLabel: label };
  }
  const text = formula.text.toLowerCase();
  const names = Object.keys(totalsFunctions) as TotalsFunction[];
  const known = names.find((name) => totalsFormula(table, at, name).toLowerCase() === text);
  return known ? { totalsFunction: known } : { totalsFunction: 'custom', totalsFormula: formula.text };
}
