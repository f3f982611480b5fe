import type { Area } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import { type CellPosition, isIn } from '../grid/cell-areas.ts';
import {
  calculatedRows,
  canBeTable,
  changeTable,
  isEmpty,
  lastDataRow,
  rowsBelow,
  type SheetSource,
  type Table,
} from './table-growth.ts';

/** A row that a table gets by Tab in its last cell. */
export interface TableRow {
  /** The first cell of the row. */
  readonly cell: CellPosition;
  readonly operations: readonly CellOperation[];
}

/** The row that comes behind the last one of a table whose last cell this is; null for any other cell. */
export function rowBehind(page: SheetSource, { row, column }: CellPosition): TableRow | null {
  const { sheet } = page.view.peek();
  for (const [id, table] of itemsOf(sheet, 'table')) {
    const [top, left, bottom, right] = table.area;
    const at = lastDataRow(table) + 1;
    if (column !== right || row !== at - 1 || row < top + (table.hasHeader ? 1 : 0)) continue;
    if (!canShift(sheet, [at, left, right], id)) return null;
    const grown: Table = { ...table, area: [top, left, bottom + 1, right] };
    return {
      cell: { row: at, column: left },
      operations: [
        { op: 'insert', sheet: sheet.id, axis: 'row', at, count: 1, band: [left, right], like: 'before' },
        ...(table.hasTotals ? [] : [changeTable(page, id, { area: grown.area })]),
        ...calculatedRows({ ...sheet, items: { table: new Map([[id, grown]]) } }, at, 1),
      ],
    };
  }
  return null;
}

/** What grows with what is pasted right below a table: operations before those that paste. */
export function pastedGrowth(page: SheetSource, pasted: Area): CellOperation[] {
  const { sheet } = page.view.peek();
  if (sheet.properties.protection) return [];
  for (const [id, table] of itemsOf(sheet, 'table')) {
    const [top, left, bottom, right] = table.area;
    if (table.hasTotals || pasted[0] !== bottom + 1 || pasted[1] < left || pasted[3] > right) continue;
    const area: Area = [top, left, pasted[2], right];
    const isFree = isEmpty(sheet, [bottom + 1, left, pasted[2], right], (cell) => isIn(cell, pasted));
    if (!canBeTable(sheet, area, id) || !isFree) return [];
    return [changeTable(page, id, { area }), ...rowsBelow(sheet, table, pasted[2] - bottom)];
  }
  return [];
}

/** Whether cells from a row on can move down between two columns: what is there lies between these. */
function canShift(
  sheet: Sheet,
  [at, left, right]: readonly [row: number, first: number, last: number],
  except: string,
): boolean {
  const areas: Area[] = [
    ...[...itemsOf(sheet, 'table')].filter(([id]) => id !== except).map(([, { area }]) => area),
    ...[...itemsOf(sheet, 'merge').values()].map(({ area }) => area),
  ];
  return areas.every(
    ([, first, bottom, last]) =>
      bottom < at || last < left || first > right || (first >= left && last <= right),
  );
}
