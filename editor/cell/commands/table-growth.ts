import type { Area } from '../../../model/cell/area.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import type { CellInput, CellOperation } from '../../../model/cell/operations.ts';
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

/** What grows with what is typed right below or right beside a table: operations beside the one that writes the cell. */
export function tableGrowth(
  page: SheetSource,
  cell: CellPosition,
  text: string,
  stem: string,
): CellOperation[] {
  const { sheet } = page.view.peek();
  const value = text.trim();
  if (value === '') return [];
  for (const [id, table] of itemsOf(sheet, 'table')) {
    const [top, left, bottom, right] = table.area;
    const isBelow =
      cell.row === bottom + 1 && cell.column >= left && cell.column <= right && !table.hasTotals;
    const isBeside = cell.column === right + 1 && cell.row >= top && cell.row <= bottom;
    if (!isBelow && !isBeside) continue;
    const range: Area = [top, left, isBelow ? bottom + 1 : bottom, isBeside ? right + 1 : right];
    if (!canBeTable(sheet, range, id) || !isEmptyBeside(sheet, range, table, cell)) return [];
    const { columns, area } = resized(page, table, range, stem);
    const headed = isBeside && cell.row === top ? columns!.with(-1, { name: value }) : columns!;
    const names = columnNames(
      headed.map(({ name }) => name),
      stem,
    );
    const named = headed.map((column, at) => ({ ...column, name: names[at]! }));
    const heading: CellOperation[] =
      isBeside && table.hasHeader && cell.row !== top
        ? [{ op: 'set', sheet: sheet.id, cells: [[top, range[3], { v: named.at(-1)!.name }]] }]
        : [];
    return [
      changeTable(page, id, { area: area!, columns: named }),
      ...heading,
      ...calculated(sheet, table, range, isBelow),
    ];
  }
  return [];
}

/** Whether the new row or column holds nothing yet beside the cell that is typed. */
function isEmptyBeside(sheet: Sheet, range: Area, { area }: Table, cell: CellPosition): boolean {
  for (const [row, { columns, cells }] of sheet.grid.rows(range[0], range[2])) {
    for (const [at, column] of columns.entries()) {
      const isNew = row > area[2] || column > area[3];
      const isIt = row === cell.row && column === cell.column;
      const { value, formula } = cells[at]!;
      if (isNew && !isIt && isIn({ row, column }, range) && (formula || textOfValue(value) !== ''))
        return false;
    }
  }
  return true;
}

/** A new row has the formulas of the columns that are calculated throughout. */
function calculated({ id }: Sheet, { columns, area }: Table, range: Area, isBelow: boolean): CellOperation[] {
  if (!isBelow) return [];
  const cells = columns.flatMap(({ formula }, at): [number, number, CellInput][] =>
    formula === undefined ? [] : [[range[2], area[1] + at, { f: formula }]],
  );
  return cells.length > 0 ? [{ op: 'set', sheet: id, cells }] : [];
}
