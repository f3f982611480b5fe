import { type Area, areaOfReference, lastColumn, lastRow } from '../../../model/cell/area.ts';
import { cellAddress, columnName } from '../../../model/cell-address.ts';

/** Row and column, both counted from 0. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** A rectangle of cells; all four are in it. */
export interface CellRange {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** A range as the model has it, and an area of the model as a range. */
export const areaOfRange = ({ top, left, bottom, right }: CellRange): Area => [top, left, bottom, right];
export const rangeOfArea = ([top, left, bottom, right]: Area): CellRange => ({ top, left, bottom, right });

export const cellAt = (row: number, column: number): CellPosition => ({ row, column });

export const rangeOf = ({ row, column }: CellPosition): CellRange => ({
  top: row,
  left: column,
  bottom: row,
  right: column,
});

/** The rectangle that has both cells in its corners. */
export const rangeBetween = (one: CellPosition, other: CellPosition): CellRange => ({
  top: Math.min(one.row, other.row),
  left: Math.min(one.column, other.column),
  bottom: Math.max(one.row, other.row),
  right: Math.max(one.column, other.column),
});

export const unionOf = (one: CellRange, other: CellRange): CellRange => ({
  top: Math.min(one.top, other.top),
  left: Math.min(one.left, other.left),
  bottom: Math.max(one.bottom, other.bottom),
  right: Math.max(one.right, other.right),
});

/** What both have; null when that is nothing. */
export function intersectionOf(one: CellRange, other: CellRange): CellRange | null {
  const both = {
    top: Math.max(one.top, other.top),
    left: Math.max(one.left, other.left),
    bottom: Math.min(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
  };
  return both.top <= both.bottom && both.left <= both.right ? both : null;
}

export const isIn = ({ row, column }: CellPosition, { top, left, bottom, right }: CellRange): boolean =>
  row >= top && row <= bottom && column >= left && column <= right;

export const isSameCell = (one: CellPosition, other: CellPosition): boolean =>
  one.row === other.row && one.column === other.column;

export const isSameRange = (one: CellRange, other: CellRange): boolean =>
  one.top === other.top &&
  one.left === other.left &&
  one.bottom === other.bottom &&
  one.right === other.right;

/** Whether one lies in the other. */
export const isWithin = (inner: CellRange, outer: CellRange): boolean =>
  inner.top >= outer.top &&
  inner.left >= outer.left &&
  inner.bottom <= outer.bottom &&
  inner.right <= outer.right;

export const isOneCell = ({ top, left, bottom, right }: CellRange): boolean =>
  top === bottom && left === right;

/** It has all columns. */
export const isWholeRows = ({ left, right }: CellRange): boolean => left === 0 && right === lastColumn;

/** It has all rows. */
export const isWholeColumns = ({ top, bottom }: CellRange): boolean => top === 0 && bottom === lastRow;

export const wholeRows = (top: number, bottom: number): CellRange => ({
  top,
  left: 0,
  bottom,
  right: lastColumn,
});

export const wholeColumns = (left: number, right: number): CellRange => ({
  top: 0,
  left,
  bottom: lastRow,
  right,
});

export const wholeSheet: CellRange = { top: 0, left: 0, bottom: lastRow, right: lastColumn };

export const heightOf = ({ top, bottom }: CellRange): number => bottom - top + 1;
export const widthOf = ({ left, right }: CellRange): number => right - left + 1;
export const cornerOf = ({ top, left }: CellRange): CellPosition => ({ row: top, column: left });

export const cellName = ({ row, column }: CellPosition): string => cellAddress(row, column);

/** As people write it: `B2`, `B2:C4`, `B:C`, `2:4`. */
export function rangeName(range: CellRange): string {
  if (isOneCell(range)) return cellName(cornerOf(range));
  const { top, left, bottom, right } = range;
  if (isWholeColumns(range)) return `${columnName(left)}:${columnName(right)}`;
  if (isWholeRows(range)) return `${top + 1}:${bottom + 1}`;
  return `${cellName(cornerOf(range))}:${columnName(right)}${bottom + 1}`;
}

const rangePattern =
  /^\$?(?:[a-z]{1,3}\$?\d{1,7}(?::\$?[a-z]{1,3}\$?\d{1,7})?|[a-z]{1,3}:\$?[a-z]{1,3}|\d{1,7}:\$?\d{1,7})$/i;

/** Reads what {@link rangeName} writes, with or without dollar signs; null for what is no range. */
export function readRange(text: string): CellRange | null {
  const reference = text.trim();
  const area = rangePattern.test(reference) && areaOfReference(reference);
  return area ? rangeOfArea(area) : null;
}

export function* cellsOf({ top, left, bottom, right }: CellRange): Iterable<CellPosition> {
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) yield { row, column };
  }
}
