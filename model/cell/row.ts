import { blankCell, type Cell } from './cell.ts';
import { type Line, noLine } from './lines.ts';

/** A row: its cells by rising column, and what it is itself. Never changes. */
export interface Row {
  readonly line: Line;
  readonly columns: readonly number[];
  /** One for each of the columns. */
  readonly cells: readonly Cell[];
  /** How many changes of formulas it has had, see `Grid`; absent: none. */
  readonly seen?: number;
}

export const emptyRow: Row = { line: noLine, columns: [], cells: [] };

/** Where a column stands in a row, or, as -1 less that, where it would. */
export function placeIn(columns: readonly number[], column: number): number {
  let from = 0;
  let to = columns.length;
  // Most cells are written behind the last one.
  if (to === 0 || columns[to - 1]! < column) return -1 - to;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (columns[middle]! < column) from = middle + 1;
    else to = middle;
  }
  return columns[from] === column ? from : -1 - from;
}

/** Where the first cell of a row stands that is not before a column. */
export function placeFrom({ columns }: Pick<Row, 'columns'>, column: number): number {
  const at = placeIn(columns, column);
  return at < 0 ? -1 - at : at;
}

export function cellIn(row: Row | undefined, column: number): Cell {
  if (!row) return blankCell;
  const at = placeIn(row.columns, column);
  return at < 0 ? blankCell : row.cells[at]!;
}

/** The row with its cells in other columns; those without one (null) are left out. */
export function withColumns(row: Row, columnFor: (column: number) => number | null): Row {
  const columns: number[] = [];
  const cells: Cell[] = [];
  let isInOrder = true;
  for (let at = 0; at < row.columns.length; at++) {
    const next = columnFor(row.columns[at]!);
    if (next === null) continue;
    isInOrder &&= columns.length === 0 || columns[columns.length - 1]! < next;
    columns.push(next);
    cells.push(row.cells[at]!);
  }
  // Lists that grew keep no room for more.
  if (isInOrder) return { line: row.line, columns: columns.slice(), cells: cells.slice() };
  const order = columns.map((_, at) => at).sort((one, other) => columns[one]! - columns[other]!);
  return { line: row.line, columns: order.map((at) => columns[at]!), cells: order.map((at) => cells[at]!) };
}

/** How much there is to keep of a row: its cells, and itself. */
export const weightOf = ({ line, columns }: Row): number =>
  columns.length + (columns.length > 0 || line !== noLine ? 1 : 0);

/** Nothing is lost when the row is not kept. */
export const isEmptyRow = ({ line, columns }: Row): boolean => columns.length === 0 && line === noLine;
