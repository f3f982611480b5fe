import type { Area } from '../../../model/cell/area.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { textOfValue } from '../../../model/cell/values.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import { type CellPosition, isIn } from '../grid/cell-areas.ts';

export type Table = ItemOf<'table'>;

/** The sheet that is shown, as far as tables need it. */
export interface SheetSource {
  readonly sheetId: { peek(): string };
  readonly view: {
    peek(): {
      readonly sheet: Sheet;
      cellAt(row: number, column: number): { readonly text: string } | null;
    };
  };
}

/** Names of columns: what heads them, with a number where that is empty or comes again. */
export function columnNames(headings: readonly string[], stem: string): string[] {
  const taken = new Set<string>();
  return headings.map((heading, at) => {
    const wished = heading.trim() || `${stem}${at + 1}`;
    let name = wished;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${wished}${number}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

export const overlaps = (one: Area, other: Area): boolean =>
  one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3];

/** Whether cells can be a table: no other table, merged cells or filter is among them. */
export function canBeTable(sheet: Sheet, area: Area, except: string | null = null): boolean {
  const tables = [...itemsOf(sheet, 'table')].filter(([id]) => id !== except).map(([, table]) => table.area);
  const merges = [...itemsOf(sheet, 'merge').values()].map((merge) => merge.area);
  return ![...tables, ...merges].some((other) => overlaps(area, other));
}

export const changeTable = (page: SheetSource, id: string, patch: Partial<Table>): CellOperation => ({
  ...{ op: 'patch', sheet: page.sheetId.peek(), kind: 'table', id },
  patch,
});

/** A table with other cells: columns keep their names, new ones get what heads them. */
export function resized(page: SheetSource, table: Table, range: Area, stem: string): Partial<Table> {
  const view = page.view.peek();
  const count = range[3] - range[1] + 1;
  const before = new Map(table.columns.map((column, at) => [table.area[1] + at, column]));
  const headings = Array.from({ length: count }, (_, at) => {
    const column = range[1] + at;
    return before.get(column)?.name ?? view.cellAt(range[0], column)?.text ?? '';
  });
  const names = columnNames(headings, stem);
  const columns = names.map((name, at) => ({ ...before.get(range[1] + at), name }));
  return { area: range, columns };
}

/** Writes headings. A block: nobody has typed them, so that nobody is told that others change what they had typed. */
export const headingsOf = (
  sheet: string,
  [row, column]: readonly [row: number, column: number],
  names: readonly string[],
): CellOperation => ({ op: 'block', sheet, row, column, rows: [names] });

/** A table that something typed beside it makes larger. */
interface Growing {
  readonly id: string;
  readonly table: Table;
  /** Its cells by then. */
  readonly range: Area;
  /** Whether it grows by a row; else by a column. */
  readonly isBelow: boolean;
}

/** The table that grows with what is typed into a cell right below or right beside it; null for none. In a protected sheet nothing grows. */
export function growingTable(sheet: Sheet, cell: CellPosition): Growing | null {
  if (sheet.properties.protection) return null;
  for (const [id, table] of itemsOf(sheet, 'table')) {
    const [top, left, bottom, right] = table.area;
    const isBelow =
      cell.row === bottom + 1 && cell.column >= left && cell.column <= right && !table.hasTotals;
    const isBeside = cell.column === right + 1 && cell.row >= top && cell.row <= bottom;
    if (!isBelow && !isBeside) continue;
    const range: Area = [top, left, isBelow ? bottom + 1 : bottom, isBeside ? right + 1 : right];
    const isFree = canBeTable(sheet, range, id) && isEmptyBeside(sheet, range, table, cell);
    return isFree ? { id, table, range, isBelow } : null;
  }
  return null;
}

/** What grows with what is typed right below or right beside a table: operations before the one that writes the cell. */
export function tableGrowth(
  page: SheetSource,
  cell: CellPosition,
  text: string,
  stem: string,
): CellOperation[] {
  const { sheet } = page.view.peek();
  const value = text.trim();
  const growing = value === '' ? null : growingTable(sheet, cell);
  if (!growing) return [];
  const { id, table, range, isBelow } = growing;
  const [top] = range;
  const { columns, area } = resized(page, table, range, stem);
  const headed = !isBelow && cell.row === top ? columns!.with(-1, { name: value }) : columns!;
  const names = columnNames(
    headed.map(({ name }) => name),
    stem,
  );
  const named = headed.map((column, at) => ({ ...column, name: names[at]! }));
  const heading: CellOperation[] =
    !isBelow && table.hasHeader && cell.row !== top
      ? [headingsOf(sheet.id, [top, range[3]], [named.at(-1)!.name])]
      : [];
  return [
    changeTable(page, id, { area: area!, columns: named }),
    ...heading,
    ...(isBelow ? rowsBelow(sheet, table, 1) : []),
  ];
}

/** A cell of a totals row: its table, and which column of it that is. */
export interface TotalsCell {
  readonly id: string;
  readonly table: Table;
  readonly at: number;
}

/** The table whose totals row has a cell; null for any other cell. */
export function totalsAt(sheet: Sheet, cell: CellPosition): TotalsCell | null {
  for (const [id, table] of itemsOf(sheet, 'table')) {
    if (table.hasTotals && cell.row === table.area[2] && isIn(cell, table.area))
      return { id, table, at: cell.column - table.area[1] };
  }
  return null;
}

/** The last row of a table that is not one of totals. */
export const lastDataRow = ({ area, hasTotals }: Table): number => area[2] - (hasTotals ? 1 : 0);

/** The formulas that rows which were put into a sheet get where they have come into tables whose columns are calculated. */
export function calculatedRows(sheet: Sheet, at: number, count: number): CellOperation[] {
  return [...itemsOf(sheet, 'table').values()].flatMap((table) => {
    const first = table.area[0] + (table.hasHeader ? 1 : 0);
    const isInside = at >= Math.max(first, table.area[0] + 1) && at <= table.area[2];
    return isInside ? calculated(sheet, table, at, count) : [];
  });
}

/** Whether cells hold nothing yet, but for some. */
export function isEmpty(sheet: Sheet, area: Area, isExcepted: (cell: CellPosition) => boolean): boolean {
  for (const [row, { columns, cells }] of sheet.grid.rows(area[0], area[2])) {
    for (const [at, column] of columns.entries()) {
      const cell = { row, column };
      const { value, formula } = cells[at]!;
      if (isIn(cell, area) && !isExcepted(cell) && (formula || textOfValue(value) !== '')) return false;
    }
  }
  return true;
}

/** Whether the new row or column holds nothing yet beside the cell that is typed. */
const isEmptyBeside = (sheet: Sheet, range: Area, { area }: Table, typed: CellPosition): boolean =>
  isEmpty(
    sheet,
    range,
    (cell) => isIn(cell, area) || (cell.row === typed.row && cell.column === typed.column),
  );

/** New rows below a table look like its last one, and have the formulas of the columns that are calculated throughout. */
export function rowsBelow(sheet: Sheet, table: Table, count: number): CellOperation[] {
  const [, left, bottom, right] = table.area;
  const to: Area = [bottom + 1, left, bottom + count, right];
  const isPlain = [...sheet.grid.rows(to[0], to[2])].every(([, { columns, cells }]) =>
    columns.every((column, at) => column < left || column > right || cells[at]!.format === 0),
  );
  const looks: CellOperation[] = isPlain
    ? [{ op: 'fill', sheet: sheet.id, from: [bottom, left, bottom, right], to, part: 'format' }]
    : [];
  return [...looks, ...calculated(sheet, table, bottom + 1, count)];
}

/** Blocks, as nobody types what a row has by its table. */
function calculated(
  { id: sheet }: Sheet,
  { columns, area }: Table,
  at: number,
  count: number,
): CellOperation[] {
  return columns.flatMap(({ formula }, place): CellOperation[] => {
    if (formula === undefined) return [];
    const rows = Array.from({ length: count }, () => [{ f: formula }]);
    return [{ op: 'block', sheet, row: at, column: area[1] + place, rows }];
  });
}
