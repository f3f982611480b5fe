import type { Area } from '../../../model/cell/area.ts';
import { Formula } from '../../../model/cell/formula/formula.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import { type CellPosition, isIn } from '../grid/cell-areas.ts';
import { isEmpty, lastDataRow } from './table-growth.ts';

/** The page would stand still for as long as more rows get a formula. */
const mostRows = 100_000;

/**
 * What makes a column of a table calculated: the formula that was entered into one of its cells, the others of which are empty, is
 * copied into these, and is that of the column where it is the same in each row.
 */
export function calculatedColumn(sheet: Sheet, { row, column }: CellPosition): CellOperation[] {
  const { formula, format } = sheet.grid.cell(row, column);
  if (!formula || formula.span || sheet.properties.protection) return [];
  for (const [id, table] of itemsOf(sheet, 'table')) {
    const first = table.area[0] + (table.hasHeader ? 1 : 0);
    const last = lastDataRow(table);
    const all: Area = [first, column, last, column];
    const isOne = isIn({ row, column }, table.area) && row >= first && row <= last;
    if (!isOne || first === last || last - first >= mostRows) continue;
    if (!isEmpty(sheet, all, (cell) => cell.row === row)) return [];
    const isPlain = [...sheet.grid.rows(first, last)].every(
      ([at]) => at === row || sheet.grid.cell(at, column).format === 0,
    );
    const from: Area = [row, column, row, column];
    const part = isPlain && format !== 0 ? 'all' : 'content';
    const parts: Area[] = [
      [first, column, row - 1, column],
      [row + 1, column, last, column],
    ];
    const at = column - table.area[1];
    const isSame = Formula.copied(formula, 1, 0).text === formula.text;
    const columns = table.columns.with(at, { ...table.columns[at]!, formula: formula.text });
    return [
      ...parts
        .filter(([top, , bottom]) => top <= bottom)
        .map((to): CellOperation => ({ op: 'fill', sheet: sheet.id, from, to, part })),
      ...(isSame
        ? [{ op: 'patch', sheet: sheet.id, kind: 'table', id, patch: { columns } } as CellOperation]
        : []),
    ];
  }
  return [];
}
