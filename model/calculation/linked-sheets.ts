import { sheetColumns, sheetRows } from '../cell-address.ts';

/** A sheet of another workbook of which some cells are known. The engine has it as a sheet behind those of the workbook. */
export interface LinkedSheet {
  /** The number of its workbook, as formulas write it: the 1 of `[1]Sheet1!A1`. */
  readonly book: string;
  readonly name: string;
  /** Which sheet of the calculation it is. */
  readonly sheet: number;
  /** The keys (`linkedKey`) of the cells that are known, empty ones too, in rising order. */
  readonly known: readonly number[];
}

/** A name of another workbook, and what it stands for there. */
export interface LinkedName {
  readonly book: string;
  readonly name: string;
  readonly formula: string;
}

/** Rows and columns count from 1. */
export const linkedKey = (row: number, column: number): number => row * (sheetColumns + 1) + column;

/** A rectangle of cells, rows and columns counted from 1. */
export interface LinkedRange {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** Whether any cell of a range is known: then the others of it are taken to be empty. */
export function knowsAny(known: readonly number[], { top, left, bottom, right }: LinkedRange): boolean {
  let at = firstFrom(known, linkedKey(top, left));
  while (at < known.length) {
    const row = Math.floor(known[at]! / (sheetColumns + 1));
    const column = known[at]! % (sheetColumns + 1);
    if (row > bottom) return false;
    if (column < left) at = firstFrom(known, linkedKey(row, left));
    else if (column > right) at = firstFrom(known, linkedKey(row + 1, left));
    else return true;
  }
  return false;
}

function firstFrom(known: readonly number[], key: number): number {
  let [low, high] = [0, known.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (known[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const everyRow = { top: 1, bottom: sheetRows } as const;
export const everyColumn = { left: 1, right: sheetColumns } as const;
