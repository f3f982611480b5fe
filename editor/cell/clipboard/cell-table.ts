import type { CellFormat } from '../../../model/cell/cell-format.ts';
import type { Formula } from '../../../model/cell/formula/formula.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import type { CellRange } from '../grid/cell-range.ts';

/** A cell on its way over the clipboard. What is absent is not known there, or is nothing. */
export interface TableCell {
  /** What is written in it, as people see it. */
  readonly text: string;
  /** Absent: what the text is read as. */
  readonly value?: CellValue;
  readonly formula?: Formula;
  readonly format?: CellFormat;
}

/** A rectangle of cells on its way over the clipboard. */
export interface CellTable {
  readonly rows: readonly (readonly TableCell[])[];
  /** Counted from its own first cell. */
  readonly merges: readonly CellRange[];
  /** Where it was in the workbook that it is from: relative references in its formulas are seen from there. */
  readonly origin?: { readonly row: number; readonly column: number };
}

export const widthOfTable = ({ rows }: CellTable): number =>
  rows.reduce((widest, { length }) => Math.max(widest, length), 0);

/** The table with rows for columns. */
export function transposed(table: CellTable): CellTable {
  const width = widthOfTable(table);
  return {
    rows: Array.from({ length: width }, (_, column) => table.rows.map((row) => row[column] ?? { text: '' })),
    merges: table.merges.map(({ top, left, bottom, right }) => ({
      top: left,
      left: top,
      bottom: right,
      right: bottom,
    })),
  };
}
