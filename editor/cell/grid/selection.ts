import { type Area, everything, intersection, lastColumn, lastRow } from '../../../model/cell/area.ts';
import {
  type CellPosition,
  cellAt,
  cellsOf,
  cornerOf,
  isIn,
  isOneCell,
  isSameCell,
  isSameRange,
  isWholeColumns,
  isWholeRows,
  rangeBetween,
  rangeOf,
  unionOf,
  wholeColumns,
  wholeRows,
} from './cell-areas.ts';
import type { DrawnSheet } from './drawn-sheet.ts';

/** What is selected: at least one range, and one cell in one of them that typing goes to. */
export interface Selection {
  readonly ranges: readonly Area[];
  /** Which of the ranges has the active cell. */
  readonly current: number;
  readonly active: CellPosition;
  /** The corner of the current range that moves when the selection is extended. */
  readonly head: CellPosition;
}

export type Direction = 'up' | 'down' | 'left' | 'right';

/** As much of a sheet as moving in it needs. */
export type Terrain = Pick<DrawnSheet, 'rows' | 'columns' | 'cellAt' | 'mergeAt' | 'mergesIn' | 'used'>;

export const selectionOf = (cell: CellPosition): Selection => ({
  ranges: [rangeOf(cell)],
  current: 0,
  active: cell,
  head: cell,
});

export const firstSelection = selectionOf(cellAt(0, 0));

/** The range with the active cell. */
export const currentRange = ({ ranges, current }: Selection): Area => ranges[current]!;

/** Selects one cell, or the merged cells that it is part of. */
export function selectCell(sheet: Terrain, cell: CellPosition): Selection {
  const merge = sheet.mergeAt(cell.row, cell.column);
  if (!merge) return selectionOf(cell);
  return { ranges: [merge], current: 0, active: cornerOf(merge), head: cornerOf(merge) };
}

/** Selects a range; its first corner is the active cell unless another one of it is given. */
export function selectRange(sheet: Terrain, range: Area, active = cornerOf(range)): Selection {
  const whole = withMerges(sheet, range);
  const isAtTop = active.row === range[0];
  const isAtLeft = active.column === range[1];
  const head = cellAt(isAtTop ? range[2] : range[0], isAtLeft ? range[3] : range[1]);
  return { ranges: [whole], current: 0, active: anchorOf(sheet, active), head };
}

/** Selects several ranges; the first corner of the first of them is the active cell. */
export function selectRanges(sheet: Terrain, ranges: readonly Area[]): Selection {
  const selections = ranges.map((range) => selectRange(sheet, range));
  return { ...selections[0]!, ranges: selections.flatMap((one) => one.ranges) };
}

export const selectAll = (selection: Selection): Selection => ({
  ...selection,
  ranges: [everything],
  current: 0,
  head: cellAt(lastRow, lastColumn),
});

/** Selects rows from one to another; the active cell is where they begin. */
export const selectRows = (from: number, to: number, column = 0): Selection => ({
  ranges: [wholeRows(Math.min(from, to), Math.max(from, to))],
  current: 0,
  active: cellAt(from, column),
  head: cellAt(to, lastColumn),
});

export const selectColumns = (from: number, to: number, row = 0): Selection => ({
  ranges: [wholeColumns(Math.min(from, to), Math.max(from, to))],
  current: 0,
  active: cellAt(row, from),
  head: cellAt(lastRow, to),
});

/** Adds what another selection has, which becomes the current one. */
export const addTo = ({ ranges }: Selection, added: Selection): Selection => ({
  ...added,
  ranges: [...ranges, ...added.ranges],
  current: ranges.length + added.current,
});

/** Has the current range reach from the active cell to another one. */
export function extendTo(sheet: Terrain, selection: Selection, head: CellPosition): Selection {
  const range = withMerges(
    sheet,
    unionOf(rangeBetween(selection.active, head), activeRangeOf(sheet, selection)),
  );
  const ranges = selection.ranges.map((other, at) => (at === selection.current ? range : other));
  return { ...selection, ranges, head };
}

/** Has the current range reach over whole rows or columns to one of them. */
export function extendToRow(selection: Selection, row: number): Selection {
  const { active, current } = selection;
  const range = wholeRows(Math.min(active.row, row), Math.max(active.row, row));
  const ranges = selection.ranges.map((other, at) => (at === current ? range : other));
  return { ...selection, ranges, head: cellAt(row, lastColumn) };
}

export function extendToColumn(selection: Selection, column: number): Selection {
  const { active, current } = selection;
  const range = wholeColumns(Math.min(active.column, column), Math.max(active.column, column));
  const ranges = selection.ranges.map((other, at) => (at === current ? range : other));
  return { ...selection, ranges, head: cellAt(lastRow, column) };
}

/** Makes the next corner of the current range the active cell, clockwise. */
export function nextCorner(sheet: Terrain, { ranges, current, active }: Selection): Selection {
  const [top, left, bottom, right] = ranges[current]!;
  const corners = [cellAt(top, left), cellAt(top, right), cellAt(bottom, right), cellAt(bottom, left)];
  const at = corners.findIndex((corner) => isSameCell(anchorOf(sheet, corner), active));
  return { ...selectRange(sheet, ranges[current]!, corners[(at + 1) % 4]!), ranges, current };
}

/** Makes the rows, or the columns, of what is selected whole. */
export function wholeLines(selection: Selection, axis: 'row' | 'column'): Selection {
  const ranges = selection.ranges.map(([top, left, bottom, right]) =>
    axis === 'row' ? wholeRows(top, bottom) : wholeColumns(left, right),
  );
  const { head } = selection;
  return {
    ...selection,
    ranges,
    head: axis === 'row' ? cellAt(head.row, lastColumn) : cellAt(lastRow, head.column),
  };
}

/** Moves the active cell by one and selects it alone. */
export function move(sheet: Terrain, { active }: Selection, direction: Direction): Selection {
  return selectCell(sheet, stepFrom(sheet, active, active, direction));
}

/** Moves the active cell to the end of what is filled, or to the next that is. */
export function jump(sheet: Terrain, { active }: Selection, direction: Direction): Selection {
  return selectCell(sheet, jumpFrom(sheet, active, direction));
}

/** Moves the other corner of the current range by one. */
export function extend(sheet: Terrain, selection: Selection, direction: Direction): Selection {
  const before = currentRange(selection);
  if (isAlong(before, direction)) return selection;
  let head = selection.head;
  // Merged cells are passed as one.
  for (;;) {
    const next = step(sheet, head, direction);
    if (isSameCell(next, head)) return selection;
    head = next;
    const extended = extendLines(sheet, selection, head);
    const after = currentRange(extended);
    if (after[0] !== before[0] || after[2] !== before[2]) return extended;
    if (after[1] !== before[1] || after[3] !== before[3]) return extended;
    if (isOneCell(before)) return extended;
  }
}

export function extendByJump(sheet: Terrain, selection: Selection, direction: Direction): Selection {
  const range = currentRange(selection);
  if (isAlong(range, direction)) return selection;
  const { active, head } = selection;
  // Whole rows and columns go as far as the active cell would.
  const from = {
    row: isWholeColumns(range) ? active.row : head.row,
    column: isWholeRows(range) ? active.column : head.column,
  };
  return extendLines(sheet, selection, jumpFrom(sheet, from, direction));
}

/** Whether a range reaches from one edge of the sheet to the other, this way. */
const isAlong = (range: Area, direction: Direction): boolean =>
  direction === 'up' || direction === 'down' ? isWholeColumns(range) : isWholeRows(range);

/** Has the current range reach to another cell; whole rows and columns stay whole ones. */
function extendLines(sheet: Terrain, selection: Selection, head: CellPosition): Selection {
  const range = currentRange(selection);
  if (isWholeRows(range)) return extendToRow(selection, head.row);
  if (isWholeColumns(range)) return extendToColumn(selection, head.column);
  return extendTo(sheet, selection, head);
}

/**
 * What Tab and Enter do: the next cell; where more than one is selected, the next of those, over the ranges in their order.
 */
export function advance(sheet: Terrain, selection: Selection, direction: Direction): Selection {
  const range = currentRange(selection);
  const isAlone = selection.ranges.length === 1 && isWithinOneCell(sheet, range, selection.active);
  if (isAlone) return move(sheet, selection, direction);
  const isAcross = direction === 'left' || direction === 'right';
  const step = direction === 'down' || direction === 'right' ? 1 : -1;
  let { current } = selection;
  let cell: CellPosition | null = selection.active;
  for (let tries = 0; tries < 10_000; tries++) {
    cell = nextIn(sheet, selection.ranges[current]!, cell, isAcross, step);
    if (cell === null) {
      current = (current + step + selection.ranges.length) % selection.ranges.length;
      cell = entryOf(sheet, selection.ranges[current]!, step);
    }
    const merge = sheet.mergeAt(cell.row, cell.column);
    if (!merge || isSameCell(cornerOf(merge), cell)) break;
  }
  return { ...selection, current, active: cell!, head: cell! };
}

/** Whether a range is the active cell alone, or the merged cells that it is part of. */
export function isWithinOneCell(sheet: Terrain, range: Area, active: CellPosition): boolean {
  const merge = sheet.mergeAt(active.row, active.column);
  return isOneCell(range) || (merge !== null && isSameRange(merge, range));
}

function nextIn(
  { rows, columns }: Terrain,
  [top, left, bottom, right]: Area,
  { row, column }: CellPosition,
  isAcross: boolean,
  step: 1 | -1,
): CellPosition | null {
  const nextColumn = step > 0 ? columns.next(column) : columns.previous(column);
  const nextRow = step > 0 ? rows.next(row) : rows.previous(row);
  const hasColumn = nextColumn !== null && nextColumn >= left && nextColumn <= right;
  const hasRow = nextRow !== null && nextRow >= top && nextRow <= bottom;
  const firstColumn = step > 0 ? visible(columns, left) : visible(columns, right, -1);
  const firstRow = step > 0 ? visible(rows, top) : visible(rows, bottom, -1);
  if (isAcross) {
    if (hasColumn) return cellAt(row, nextColumn);
    return hasRow ? cellAt(nextRow, firstColumn) : null;
  }
  if (hasRow) return cellAt(nextRow, column);
  return hasColumn ? cellAt(firstRow, nextColumn) : null;
}

const entryOf = ({ rows, columns }: Terrain, [top, left, bottom, right]: Area, step: 1 | -1): CellPosition =>
  step > 0
    ? cellAt(visible(rows, top), visible(columns, left))
    : cellAt(visible(rows, bottom, -1), visible(columns, right, -1));

/** The one itself, or the nearest that is not hidden. */
function visible(axis: Terrain['rows'], index: number, step: 1 | -1 = 1): number {
  if (!axis.isHidden(index)) return index;
  return (step > 0 ? axis.next(index) : axis.previous(index)) ?? index;
}

const activeRangeOf = (sheet: Terrain, { active }: Selection): Area =>
  sheet.mergeAt(active.row, active.column) ?? rangeOf(active);

/** The cell, or the first of the merged cells that it is one of. */
export const anchorOf = (sheet: Terrain, cell: CellPosition): CellPosition => {
  const merge = sheet.mergeAt(cell.row, cell.column);
  return merge ? cornerOf(merge) : cell;
};

/** A range with all of the merged cells that it has a part of. */
export function withMerges(sheet: Pick<Terrain, 'mergesIn'>, range: Area): Area {
  const all = sheet.mergesIn(range).reduce(unionOf, range);
  return isSameRange(all, range) ? range : withMerges(sheet, all);
}

/** One cell on from the merged cells that a cell is part of. */
function stepFrom(
  sheet: Terrain,
  cell: CellPosition,
  home: CellPosition,
  direction: Direction,
): CellPosition {
  const merge = sheet.mergeAt(cell.row, cell.column);
  if (!merge) return step(sheet, cell, direction);
  const edge = {
    up: cellAt(merge[0], home.column),
    down: cellAt(merge[2], home.column),
    left: cellAt(home.row, merge[1]),
    right: cellAt(home.row, merge[3]),
  }[direction];
  return step(sheet, edge, direction);
}

function step({ rows, columns }: Terrain, { row, column }: CellPosition, direction: Direction): CellPosition {
  switch (direction) {
    case 'up':
      return cellAt(rows.previous(row) ?? row, column);
    case 'down':
      return cellAt(rows.next(row) ?? row, column);
    case 'left':
      return cellAt(row, columns.previous(column) ?? column);
    case 'right':
      return cellAt(row, columns.next(column) ?? column);
  }
}

const isFilled = (sheet: Terrain, { row, column }: CellPosition): boolean => {
  const cell = sheet.cellAt(row, column);
  return cell !== null && cell.kind !== 'blank';
};

/** To the last filled cell before an empty one, else to the next filled one, else to the edge of the sheet. */
function jumpFrom(sheet: Terrain, from: CellPosition, direction: Direction): CellPosition {
  const next = stepFrom(sheet, from, from, direction);
  if (isSameCell(next, from)) return from;
  let at = next;
  if (isFilled(sheet, from) && isFilled(sheet, next)) {
    for (;;) {
      const further = step(sheet, at, direction);
      if (isSameCell(further, at) || !isFilled(sheet, further)) return at;
      at = further;
    }
  }
  const { used } = sheet;
  while (!isFilled(sheet, at)) {
    const isPast = used === null || (!isIn(at, used) && isLeaving(at, used, direction));
    if (isPast) return edgeOf(sheet, at, direction);
    const further = step(sheet, at, direction);
    if (isSameCell(further, at)) return at;
    at = further;
  }
  return at;
}

/** Nothing that is used lies ahead. */
function isLeaving({ row, column }: CellPosition, used: Area, direction: Direction): boolean {
  if (direction === 'up' || direction === 'down') {
    if (column < used[1] || column > used[3]) return true;
    return direction === 'up' ? row < used[0] : row > used[2];
  }
  if (row < used[0] || row > used[2]) return true;
  return direction === 'left' ? column < used[1] : column > used[3];
}

function edgeOf(
  { rows, columns }: Terrain,
  { row, column }: CellPosition,
  direction: Direction,
): CellPosition {
  switch (direction) {
    case 'up':
      return cellAt(visible(rows, 0), column);
    case 'down':
      return cellAt(visible(rows, lastRow, -1), column);
    case 'left':
      return cellAt(row, visible(columns, 0));
    case 'right':
      return cellAt(row, visible(columns, lastColumn, -1));
  }
}

/** The filled cells that hang together with one: what Ctrl+A takes first, and what is sorted where nothing is selected. */
export function regionAround(sheet: Terrain, cell: CellPosition): Area {
  const { used } = sheet;
  let range = rangeOf(cell);
  if (!used) return range;
  const hasFilled = (row: Area) => {
    const part = intersection(row, used);
    if (!part) return false;
    for (const one of cellsOf(part)) if (isFilled(sheet, one)) return true;
    return false;
  };
  for (;;) {
    let [top, left, bottom, right] = range;
    // Down and up first, as far as it goes: what lies beside a long list is looked at once, not for each of its rows.
    const [before, behind] = [Math.max(0, left - 1), right + 1];
    while (top > 0 && hasFilled([top - 1, before, top - 1, behind])) top--;
    while (hasFilled([bottom + 1, before, bottom + 1, behind])) bottom++;
    const [above, below] = [Math.max(0, top - 1), bottom + 1];
    while (left > 0 && hasFilled([above, left - 1, below, left - 1])) left--;
    while (hasFilled([above, right + 1, below, right + 1])) right++;
    const next: Area = [top, left, bottom, right];
    if (isSameRange(next, range)) return range;
    range = next;
  }
}

/** One page on: `rows` is how many are seen. */
export function page(sheet: Terrain, { active }: Selection, rows: number, columns: number): Selection {
  const row = Math.min(lastRow, Math.max(0, active.row + rows));
  const column = Math.min(lastColumn, Math.max(0, active.column + columns));
  return selectCell(
    sheet,
    cellAt(visible(sheet.rows, row, rows < 0 ? -1 : 1), visible(sheet.columns, column, columns < 0 ? -1 : 1)),
  );
}
