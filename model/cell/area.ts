import { CELL_LIMITS } from './limits.ts';

/** A rectangle of cells: first row, first column, last row, last column; all from 0 and inclusive. */
export type Area = readonly [row1: number, column1: number, row2: number, column2: number];

/** Rows (`row`) or columns (`column`). */
export type Axis = 'row' | 'column';

export const lastRow = CELL_LIMITS.rows - 1;
export const lastColumn = CELL_LIMITS.columns - 1;

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

/** `A` to `XFD`. */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    name = String.fromCharCode(65 + (rest % 26)) + name;
  }
  return name;
}

/** The column of 1 to 3 letters; -1 where there is none. */
export function columnOf(name: string): number {
  let column = 0;
  for (let at = 0; at < name.length; at++) column = column * 26 + ((name.charCodeAt(at) & 0xdf) - 64);
  return column <= CELL_LIMITS.columns ? column - 1 : -1;
}
