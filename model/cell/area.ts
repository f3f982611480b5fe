import { columnNumber, sheetColumns, sheetRows } from '../cell-address.ts';

/** A rectangle of cells: first row, first column, last row, last column; all from 0 and inclusive. */
export type Area = readonly [row1: number, column1: number, row2: number, column2: number];

/** Rows (`row`) or columns (`column`). */
export type Axis = 'row' | 'column';

export const lastRow = sheetRows - 1;
export const lastColumn = sheetColumns - 1;

/** The last row, or the last column. */
export const lastOf = (axis: Axis): number => (axis === 'row' ? lastRow : lastColumn);

export const everything: Area = [0, 0, lastRow, lastColumn];

/** Lines `from` to `to` of an axis, from `first` to `last` across it. */
export function areaOf(axis: Axis, from: number, to: number, first = 0, last = lastOf(acrossOf(axis))): Area {
  return axis === 'row' ? [from, first, to, last] : [first, from, last, to];
}

export const acrossOf = (axis: Axis): Axis => (axis === 'row' ? 'column' : 'row');

/** First and last line of an area along an axis. */
export const spanOf = ([r1, c1, r2, c2]: Area, axis: Axis): readonly [number, number] =>
  axis === 'row' ? [r1, r2] : [c1, c2];

export const sizeOf = ([r1, c1, r2, c2]: Area): number => (r2 - r1 + 1) * (c2 - c1 + 1);

/** Whether the first area holds the whole of the second. */
export const contains = (one: Area, other: Area): boolean =>
  one[0] <= other[0] && one[1] <= other[1] && one[2] >= other[2] && one[3] >= other[3];

/** Whether two areas have a cell in common. */
export const touches = (one: Area, other: Area): boolean =>
  one[0] <= other[2] && one[2] >= other[0] && one[1] <= other[3] && one[3] >= other[1];

export function intersection(one: Area, other: Area): Area | null {
  const r1 = Math.max(one[0], other[0]);
  const c1 = Math.max(one[1], other[1]);
  const r2 = Math.min(one[2], other[2]);
  const c2 = Math.min(one[3], other[3]);
  return r1 <= r2 && c1 <= c2 ? [r1, c1, r2, c2] : null;
}

/** What is left of an area without another one: up to four rectangles. */
export function without(area: Area, taken: Area): Area[] {
  const cut = intersection(area, taken);
  if (!cut) return [area];
  const [r1, c1, r2, c2] = area;
  const [a, b, c, d] = cut;
  const parts: Area[] = [];
  if (a > r1) parts.push([r1, c1, a - 1, c2]);
  if (b > c1) parts.push([a, c1, c, b - 1]);
  if (d < c2) parts.push([a, d + 1, c, c2]);
  if (c < r2) parts.push([c + 1, c1, r2, c2]);
  return parts;
}

export const moved = ([r1, c1, r2, c2]: Area, rows: number, columns: number): Area => [
  r1 + rows,
  c1 + columns,
  r2 + rows,
  c2 + columns,
];

/** The smallest area that holds all of some; undefined for none. */
export function boundsOf(areas: readonly Area[]): Area | undefined {
  return areas.reduce<Area | undefined>(
    (all, [r1, c1, r2, c2]) =>
      all
        ? [Math.min(all[0], r1), Math.min(all[1], c1), Math.max(all[2], r2), Math.max(all[3], c2)]
        : [r1, c1, r2, c2],
    undefined,
  );
}

/** Whether a value from JSON is an area that lies in a sheet. */
export function isArea(value: unknown): value is Area {
  if (!Array.isArray(value) || value.length !== 4 || !value.every(Number.isInteger)) return false;
  const [r1, c1, r2, c2] = value as [number, number, number, number];
  return r1 >= 0 && c1 >= 0 && r1 <= r2 && c1 <= c2 && r2 <= lastRow && c2 <= lastColumn;
}

export const isRow = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= lastRow;
export const isColumn = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= lastColumn;

/** The column of letters; -1 where a sheet has none. */
export function columnOf(letters: string): number {
  const number = columnNumber(letters);
  return number <= sheetColumns ? number - 1 : -1;
}

/** One end of a reference: a cell, a column or a row. */
const endPattern = /^\$?([A-Za-z]{1,3})?\$?(\d{1,7})?$/;

/** Null for what is none. What it does not name is undefined. */
function endOf(
  text: string,
): { readonly row: number | undefined; readonly column: number | undefined } | null {
  const [, letters, digits] = endPattern.exec(text) ?? [];
  if (letters === undefined && digits === undefined) return null;
  const column = letters === undefined ? undefined : columnOf(letters);
  const row = digits === undefined ? undefined : Number(digits) - 1;
  return (column === undefined || isColumn(column)) && (row === undefined || isRow(row))
    ? { row, column }
    : null;
}

/** The area of a reference (`B2`, `B2:C9`, `B:C`, `2:9`), with or without `$`; undefined for what is none. */
export function areaOfReference(reference: string): Area | undefined {
  const [one, other = one, more] = reference.split(':').map(endOf);
  if (!one || !other || more !== undefined) return undefined;
  const rows = [one.row ?? 0, other.row ?? lastRow];
  const columns = [one.column ?? 0, other.column ?? lastColumn];
  return [Math.min(...rows), Math.min(...columns), Math.max(...rows), Math.max(...columns)];
}
