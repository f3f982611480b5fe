import { type Cell, isBlank } from './cell.ts';
import { placeFrom, type Row } from './row.ts';

/** How the cells of a row are cleared. */
export interface RowClearing {
  /** First and last column. */
  readonly span: readonly [from: number, to: number];
  /** What is left of a cell; the very same where there is nothing to clear. */
  readonly left: (cell: Cell) => Cell;
  /** The format of cells that are not kept. */
  readonly defaultAt: (column: number) => number;
}

/** A row with some of its cells cleared; the very same where nothing changes. */
export function clearedRow(row: Row, { span: [from, to], left, defaultAt }: RowClearing): Row {
  const first = placeFrom(row, from);
  const end = placeFrom(row, to + 1);
  if (first === end) return row;
  const columns = row.columns.slice(0, first);
  const cells = row.cells.slice(0, first);
  let isChanged = false;
  for (let at = first; at < end; at++) {
    const column = row.columns[at]!;
    const before = row.cells[at]!;
    const cell = left(before);
    const isGone = isBlank(cell) && defaultAt(column) === 0;
    isChanged ||= isGone || cell !== before;
    if (isGone) continue;
    columns.push(column);
    cells.push(cell);
  }
  if (!isChanged) return row;
  // Without the room that lists have which grew.
  return {
    line: row.line,
    columns: columns.length === end ? row.columns : columns.concat(row.columns.slice(end)),
    cells: cells.concat(row.cells.slice(end)),
  };
}
