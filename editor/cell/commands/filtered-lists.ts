import type { Area } from '../../../model/cell/area.ts';
import { type FilterColumn, hasCriteria } from '../../../model/cell/filter-columns.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { belowFirstRow, type CellPosition, isIn, isSameRange } from '../grid/cell-areas.ts';
import type { SheetScene } from '../shown/sheet-scene.ts';

/** A list whose rows are filtered: by the filter of the sheet, or by that of a table. */
export interface FilteredList {
  readonly kind: 'filter' | 'table';
  readonly id: string;
  /** What the filter of a sheet reaches by now, where that is more than it says. */
  readonly grown?: Area;
  /** The cells below those that name the columns. */
  readonly body: Area;
  readonly columns: readonly FilterColumn[];
  /** By which columns its rows were sorted last. */
  readonly sorted?: ItemOf<'filter'>['sorted'];
}

/** A column whose rows can be filtered. */
export interface FilteredColumn extends FilteredList {
  readonly column: number;
  /** By what it is filtered; null for nothing. */
  readonly own: FilterColumn | null;
}

/** The lists of the sheet that is shown. */
export function listsOf(editor: CellEditor): (FilteredList & { readonly range: Area })[] {
  const { sheet } = editor.page;
  const lists = [...itemsOf(sheet, 'filter')].map(([id, { area, columns, sorted }]) => {
    const range = sheet.properties.protection ? area : grownArea(editor.page.view.peek(), area);
    const grown = isSameRange(range, area) ? {} : { grown: range };
    return { kind: 'filter' as const, id, range, ...grown, body: belowFirstRow(range), columns, sorted };
  });
  const tables = [...itemsOf(sheet, 'table')]
    .filter(([, { hasHeader }]) => hasHeader)
    .map(([id, { area, filter, hasTotals, sorted }]) => {
      const [top, left, bottom, right] = area;
      const body: Area = [top + 1, left, bottom - (hasTotals ? 1 : 0), right];
      return { kind: 'table' as const, id, range: area, body, columns: filter ?? [], sorted };
    });
  return [...lists, ...tables];
}

/** The area of a filter with the rows that have come right below it, up to one of sums. */
export function grownArea({ sheet }: Pick<SheetScene, 'sheet'>, [top, left, bottom, right]: Area): Area {
  let last = bottom;
  for (const [row, { columns, cells }] of sheet.grid.rows(bottom + 1)) {
    const own = cells.filter((_, at) => columns[at]! >= left && columns[at]! <= right);
    const isFilled = own.some(({ value, formula }) => value !== null || formula !== null);
    const isSum = own.some(({ formula }) => formula && /^(?:SUM|SUBTOTAL|AGGREGATE)\(/i.test(formula.text));
    if (row !== last + 1 || !isFilled || isSum) break;
    last = row;
  }
  return [top, left, last, right];
}

/** The filtered column that a cell names; null for any other cell. */
export function filterAt(editor: CellEditor, { row, column }: CellPosition): FilteredColumn | null {
  for (const { range, ...list } of listsOf(editor)) {
    if (row !== range[0] || column < range[1] || column > range[3]) continue;
    const own = list.columns.find((one) => one.column === column - range[1]) ?? null;
    return { ...list, column, own: own && hasCriteria(own) ? own : null };
  }
  return null;
}

/** The rows of a list that have something, or something below them. */
export function rowsOf(editor: CellEditor, { body }: FilteredList): number[] {
  const last = Math.min(body[2], editor.page.view.peek().used?.[2] ?? -1);
  return Array.from({ length: Math.max(0, last - body[0] + 1) }, (_, at) => body[0] + at);
}

/** The table with headings that a cell is in. */
export const headedTableAt = (sheet: Sheet, cell: CellPosition): readonly [string, ItemOf<'table'>] | null =>
  [...itemsOf(sheet, 'table')].find(([, { area, hasHeader }]) => hasHeader && isIn(cell, area)) ?? null;

/** Whether there are buttons for filtering: those of the table that the active cell is in, else those of the sheet. */
export function hasFilterButtons(editor: CellEditor): boolean {
  const { sheet } = editor.page;
  const table = headedTableAt(sheet, editor.selection.value.active);
  return table ? table[1].hidesButtons !== true : itemsOf(sheet, 'filter').size > 0;
}

/** Whether rows of the sheet are filtered. */
export const isFiltered = (editor: CellEditor): boolean =>
  listsOf(editor).some(({ columns }) => columns.some(hasCriteria));

/** How many rows of filtered lists are shown, and how many there are; null where nothing is filtered. */
export function filteredRows(editor: CellEditor): { readonly shown: number; readonly all: number } | null {
  const lists = listsOf(editor).filter(({ columns }) => columns.some(hasCriteria));
  if (lists.length === 0) return null;
  const { grid } = editor.page.sheet;
  const rows = lists.flatMap((list) => rowsOf(editor, list));
  return { shown: rows.filter((row) => !grid.row(row)?.line.filtered).length, all: rows.length };
}
