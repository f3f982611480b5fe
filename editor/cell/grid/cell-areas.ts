import {
  type Area,
  areaOf,
  areaOfReference,
  boundsOf,
  lastColumn,
  lastRow,
} from '../../../model/cell/area.ts';
import { cellAddress, columnName } from '../../../model/cell-address.ts';

/** Row and column, both counted from 0. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

export const cellAt = (row: number, column: number): CellPosition => ({ row, column });

export const rangeOf = ({ row, column }: CellPosition): Area => [row, column, row, column];

/** The rectangle that has both cells in its corners. */
export const rangeBetween = (one: CellPosition, other: CellPosition): Area => [
  Math.min(one.row, other.row),
  Math.min(one.column, other.column),
  Math.max(one.row, other.row),
  Math.max(one.column, other.column),
];

/** The smallest area that holds both. */
export const unionOf = (one: Area, other: Area): Area => boundsOf([one, other])!;

export const isIn = ({ row, column }: CellPosition, [top, left, bottom, right]: Area): boolean =>
  row >= top && row <= bottom && column >= left && column <= right;

export const isSameCell = (one: CellPosition, other: CellPosition): boolean =>
  one.row === other.row && one.column === other.column;

export const isSameRange = (one: Area, other: Area): boolean => one.every((line, at) => line === other[at]);

export const isOneCell = ([top, left, bottom, right]: Area): boolean => top === bottom && left === right;

/** It has all columns. */
export const isWholeRows = ([, left, , right]: Area): boolean => left === 0 && right === lastColumn;

/** It has all rows. */
export const isWholeColumns = ([top, , bottom]: Area): boolean => top === 0 && bottom === lastRow;

export const wholeRows = (top: number, bottom: number): Area => areaOf('row', top, bottom);

export const wholeColumns = (left: number, right: number): Area => areaOf('column', left, right);

/** A list without the row of its headings. */
export const belowFirstRow = ([top, left, bottom, right]: Area): Area => [top + 1, left, bottom, right];

export const heightOf = ([top, , bottom]: Area): number => bottom - top + 1;
export const widthOf = ([, left, , right]: Area): number => right - left + 1;
export const cornerOf = ([row, column]: Area): CellPosition => ({ row, column });

export const cellName = ({ row, column }: CellPosition): string => cellAddress(row, column);

/** As people write it: `B2`, `B2:C4`, `B:C`, `2:4`. */
export function rangeName(range: Area): string {
  if (isOneCell(range)) return cellName(cornerOf(range));
  const [top, left, bottom, right] = range;
  if (isWholeColumns(range)) return `${columnName(left)}:${columnName(right)}`;
  if (isWholeRows(range)) return `${top + 1}:${bottom + 1}`;
  return `${cellName(cornerOf(range))}:${columnName(right)}${bottom + 1}`;
}

const rangePattern =
  /^\$?(?:[a-z]{1,3}\$?\d{1,7}(?::\$?[a-z]{1,3}\$?\d{1,7})?|[a-z]{1,3}:\$?[a-z]{1,3}|\d{1,7}:\$?\d{1,7})$/i;

/** Reads what {@link rangeName} writes, with or without dollar signs; null for what is no range. */
export function readRange(text: string): Area | null {
  const reference = text.trim();
  return (rangePattern.test(reference) && areaOfReference(reference)) || null;
}

export function* cellsOf([top, left, bottom, right]: Area): Iterable<CellPosition> {
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) yield { row, column };
  }
}
