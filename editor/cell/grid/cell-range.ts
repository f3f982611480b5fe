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

export const rowCount = 1_048_576;
export const columnCount = 16_384;
export const lastRow = rowCount - 1;
export const lastColumn = columnCount - 1;

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

/** `A` for 0, `XFD` for the last. */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}

export const cellName = ({ row, column }: CellPosition): string => `${columnName(column)}${row + 1}`;

/** As people write it: `B2`, `B2:C4`, `B:C`, `2:4`. */
export function rangeName(range: CellRange): string {
  if (isOneCell(range)) return cellName(cornerOf(range));
  const { top, left, bottom, right } = range;
  if (isWholeColumns(range)) return `${columnName(left)}:${columnName(right)}`;
  if (isWholeRows(range)) return `${top + 1}:${bottom + 1}`;
  return `${cellName(cornerOf(range))}:${columnName(right)}${bottom + 1}`;
}

function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number - 1;
}

const endPattern = /^\$?([a-z]{1,3})?\$?(\d{1,7})?$/i;

/** Reads what {@link rangeName} writes, with or without dollar signs; null for what is no range. */
export function readRange(text: string): CellRange | null {
  const ends = text.trim().split(':');
  if (ends.length > 2) return null;
  const read = ends.map((end) => endPattern.exec(end));
  const [first, second = first] = read;
  if (!first || !second) return null;
  const [, firstLetters, firstDigits] = first;
  const [, secondLetters, secondDigits] = second;
  if (!firstLetters !== !secondLetters || !firstDigits !== !secondDigits) return null;
  if (ends.length === 1 && !(firstLetters && firstDigits)) return null;
  if (!firstLetters && !firstDigits) return null;
  const column = (letters: string | undefined, otherwise: number) =>
    letters ? columnNumber(letters) : otherwise;
  const row = (digits: string | undefined, otherwise: number) => (digits ? Number(digits) - 1 : otherwise);
  const range = rangeBetween(
    cellAt(row(firstDigits, 0), column(firstLetters, 0)),
    cellAt(row(secondDigits, lastRow), column(secondLetters, lastColumn)),
  );
  return range.top >= 0 && range.bottom <= lastRow && range.right <= lastColumn ? range : null;
}

export function* cellsOf({ top, left, bottom, right }: CellRange): Iterable<CellPosition> {
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) yield { row, column };
  }
}
