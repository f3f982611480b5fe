import type { Area } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import type { CellPosition } from '../grid/cell-areas.ts';
import { calculatedRows, changeTable, lastDataRow, type SheetSource, type Table } from './table-growth.ts';

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
