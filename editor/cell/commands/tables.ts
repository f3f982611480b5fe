import type { Area } from '../../../model/cell/area.ts';
import type { BlockInput, CellOperation } from '../../../model/cell/operations.ts';
import { totalsFormula, withoutTotal } from '../../../model/cell/table-totals.ts';
import { itemsOf, namesOf, type Sheet, type Workbook } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { type CellPosition, isIn, isOneCell } from '../grid/cell-areas.ts';
import { regionAround } from '../grid/selection.ts';
import { plainReferences } from './plain-references.ts';
import { changeTable, columnNames, headingsOf, overlaps, type Table } from './table-growth.ts';

export type TableId = readonly [id: string, table: Table];

/** How a new table looks, as in Excel. */
export const usualStyle = 'TableStyleMedium2';

/** The table that a cell is in. */
export function tableAt(sheet: Sheet, cell: CellPosition): TableId | null {
  for (const [id, table] of itemsOf(sheet, 'table')) if (isIn(cell, table.area)) return [id, table];
  return null;
}

/** Cells that a new table would have: what is selected, or what hangs together with the active cell. */
export function tableRange(editor: CellEditor): Area {
  const { active } = editor.selection.peek();
  return isOneCell(editor.range) ? regionAround(editor.page.view.peek(), active) : editor.range;
}

/** Table1, Table2 …: a name that no table and no name has. */
export function freeTableName({ sheets, items }: Workbook, stem: string): string {
  const taken = new Set([
    ...sheets.flatMap((sheet) => [...itemsOf(sheet, 'table').values()].map(({ name }) => name.toLowerCase())),
    ...[...namesOf({ items }).values()].map(({ name }) => name.toLowerCase()),
  ]);
  for (let number = 1; ; number++) {
    const name = `${stem}${number}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

/** The operations that make a table of cells; headings are written as texts, each once. */
export function makeTable(
  editor: CellEditor,
  range: Area,
  { name, hasHeader, stem }: { name: string; hasHeader: boolean; stem: string },
): boolean {
  const view = editor.page.view.peek();
  const sheet = editor.page.sheetId.peek();
  const count = range[3] - range[1] + 1;
  const headings = Array.from({ length: count }, (_, at) =>
    hasHeader ? (view.cellAt(range[0], range[1] + at)?.text ?? '') : '',
  );
  const names = columnNames(headings, stem);
  // Without headings of its own a table gets some, above what it holds.
  const moved: CellOperation[] = hasHeader
    ? []
    : [{ op: 'insert', sheet, axis: 'row', at: range[0], count: 1, band: [range[1], range[3]] }];
  const bottom = Math.max(range[2], range[0] + (hasHeader ? 1 : 0)) + (hasHeader ? 0 : 1);
  const filters = [...itemsOf(editor.page.sheet, 'filter')]
    .filter(([, { area }]) => overlaps(area, range))
    .map(([id]): CellOperation => ({ op: 'drop', sheet, kind: 'filter', id }));
  return editor.change(...moved, ...filters, headingsOf(sheet, [range[0], range[1]], names), {
    ...{ op: 'put', sheet, kind: 'table', id: editor.newId() },
    item: {
      area: [range[0], range[1], bottom, range[3]],
      name,
      hasHeader: true,
      columns: names.map((column) => ({ name: column })),
      style: usualStyle,
      rowStripes: true,
    },
  });
}

/** Leaves the cells and takes the table away; formulas that named its columns name their cells. */
export function convertToRange(editor: CellEditor, [id, { area, name, filter }]: TableId): boolean {
  const sheet = editor.page.sheetId.peek();
  return editor.change(
    ...plainReferences(editor.page.workbook.peek(), sheet, name),
    { op: 'drop', sheet, kind: 'table', id },
    ...(filter
      ? [{ op: 'lines', sheet, axis: 'row', spans: [[area[0], area[2]]], patch: { filtered: null } } as const]
      : []),
  );
}

/**
 * The operations by which a table gets a totals row below it, or loses the one it has. The first column says what the row is,
 * the last is summed up.
 */
export function toggleTotals(editor: CellEditor, [id, table]: TableId, label: string): CellOperation[] {
  const sheet = editor.page.sheetId.peek();
  const [top, left, bottom, right] = table.area;
  if (table.hasTotals) {
    const columns = table.columns.map(withoutTotal);
    return [
      changeTable(editor.page, id, { hasTotals: false, columns, area: [top, left, bottom - 1, right] }),
      { op: 'clear', sheet, areas: [[bottom, left, bottom, right]], part: 'content' },
    ];
  }
  const last = table.columns.length - 1;
  const columns = table.columns.map((column, at) =>
    at === last && last > 0
      ? { ...column, totalsFunction: 'sum' }
      : at === 0
        ? { ...column, totalsLabel: label }
        : column,
  );
  const total: BlockInput[] = last > 0 ? [{ f: totalsFormula(table, last, 'sum') }] : [];
  // A block: as with headings nobody has typed it.
  const row: BlockInput[] = [label, ...new Array<null>(Math.max(0, last - 1)).fill(null), ...total];
  return [
    { op: 'insert', sheet, axis: 'row', at: bottom + 1, count: 1, band: [left, right] },
    changeTable(editor.page, id, { hasTotals: true, columns, area: [top, left, bottom + 1, right] }),
    { op: 'block', sheet, row: bottom + 1, column: left, rows: [row] },
  ];
}
