import { blankCell, type Cell, isBlank } from './cell.ts';
import { type Line, noLine } from './lines.ts';

/** A row: its cells by rising column, and what it is itself. Never changes. */
export interface Row {
  readonly line: Line;
  readonly columns: readonly number[];
  /** One for each of the columns. */
  readonly cells: readonly Cell[];
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

export function cellIn(row: Row | undefined, column: number): Cell {
  if (!row) return blankCell;
  const at = placeIn(row.columns, column);
  return at < 0 ? blankCell : row.cells[at]!;
}

/** The row with another cell; a blank one is taken out unless it is to be kept. */
export function withCell(row: Row, column: number, cell: Cell, keeps = false): Row {
  const at = placeIn(row.columns, column);
  const { line } = row;
  if (!keeps && isBlank(cell)) {
    if (at < 0) return row;
    return { line, columns: row.columns.toSpliced(at, 1), cells: row.cells.toSpliced(at, 1) };
  }
  if (at >= 0) return { line, columns: row.columns, cells: row.cells.with(at, cell) };
  return {
    line,
    columns: row.columns.toSpliced(-1 - at, 0, column),
    cells: row.cells.toSpliced(-1 - at, 0, cell),
  };
}

/** The row with its cells in other columns; those without one (null) are left out. */
export function withColumns(row: Row, columnFor: (column: number) => number | null): Row {
  const placed = row.columns
    .flatMap((column, at): [number, Cell][] => {
      const next = columnFor(column);
      return next === null ? [] : [[next, row.cells[at]!]];
    })
    .sort(([one], [other]) => one - other);
  return { line: row.line, columns: placed.map(([column]) => column), cells: placed.map(([, cell]) => cell) };
}

/** Nothing is lost when the row is not kept. */
export const isEmptyRow = ({ line, columns }: Row): boolean => columns.length === 0 && line === noLine;
