/** The rows and columns of every sheet, as in xlsx. */
export const sheetRows = 1_048_576;
export const sheetColumns = 16_384;

/** `A` for column 0, `XFD` for the last one. */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    name = String.fromCharCode(65 + (rest % 26)) + name;
  }
  return name;
}

/** The number of a column, from 1, by its letters, in capitals or not; there may be no such column in a sheet. */
export function columnNumber(letters: string): number {
  let number = 0;
  for (let at = 0; at < letters.length; at++) number = number * 26 + (letters.charCodeAt(at) & 0xdf) - 64;
  return number;
}

/** `B3` for row 2 and column 1. */
export const cellAddress = (row: number, column: number): string => `${columnName(column)}${row + 1}`;
