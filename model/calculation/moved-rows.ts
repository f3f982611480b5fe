import { sheetColumns, sheetRows } from '../cell-address.ts';
import type { MovedRows } from './calculation.ts';

/** Where a row comes to stand when rows are put in or taken out; null where it leaves the sheet. Rows count from 1. */
export function rowAfter({ row: first, moved }: MovedRows, row: number): number | null {
  if (row < first) return row;
  if (row < first - moved) return null;
  return row + moved > sheetRows ? null : row + moved;
}

/** What is known of cells of the sheet, by `row * sheetColumns + column`, after its rows have moved. Rows count from 0. */
export function cellsAfter<Known>(move: MovedRows, cells: ReadonlyMap<number, Known>): Map<number, Known> {
  const after = new Map<number, Known>();
  for (const [key, known] of cells) {
    const column = key % sheetColumns;
    const row = rowAfter(move, (key - column) / sheetColumns + 1);
    if (row !== null) after.set((row - 1) * sheetColumns + column, known);
  }
  return after;
}

/** What is known of rows of the sheet, after they have moved. Rows count from 1. */
export function rowsAfter<Known>(move: MovedRows, rows: ReadonlyMap<number, Known>): Map<number, Known> {
  const after = new Map<number, Known>();
  for (const [row, known] of rows) {
    const place = rowAfter(move, row);
    if (place !== null) after.set(place, known);
  }
  return after;
}
