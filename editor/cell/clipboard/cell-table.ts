import type { Area } from '../../../model/cell/area.ts';
import type { CellFormat } from '../../../model/cell/cell-format.ts';
import type { Formula } from '../../../model/cell/formula/formula.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import type { Line } from '../../../model/cell/lines.ts';
import type { CellValue } from '../../../model/cell/values.ts';

/** A link that comes along with its cell. */
export type CarriedLink = Omit<ItemOf<'link'>, 'area'>;

/** A cell on its way over the clipboard. What is absent is not known there, or is nothing. */
export interface TableCell {
  /** What is written in it, as people see it. */
  readonly text: string;
  /** Absent: what the text is read as. */
  readonly value?: CellValue;
  readonly formula?: Formula;
  readonly format?: CellFormat;
  readonly link?: CarriedLink;
}

/** How wide a column is, or how high a row; empty for one that is as its sheet says. */
export type LineSize = Pick<Line, 'size' | 'custom'>;

/** Where the cells of a table were in the workbook that it is from, and what is known of the lines there. */
export interface TableOrigin {
  /** Of each row of the table: references in formulas are seen from there. */
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  readonly widths: readonly LineSize[];
  /** Of whole rows only. */
  readonly heights: readonly LineSize[] | null;
  /** Whether whole columns were copied. */
  readonly hasWholeColumns: boolean;
}

/** A rectangle of cells on its way over the clipboard. */
export interface CellTable {
  readonly rows: readonly (readonly TableCell[])[];
  /** Counted from its own first cell. */
  readonly merges: readonly Area[];
  readonly origin?: TableOrigin;
  /** Its rows were columns, and its columns were rows. */
  readonly isTransposed?: boolean;
}

export const widthOfTable = ({ rows }: CellTable): number =>
  rows.reduce((widest, { length }) => Math.max(widest, length), 0);

/** The table with rows for columns. */
export function transposed(table: CellTable): CellTable {
  const width = widthOfTable(table);
  return {
    rows: Array.from({ length: width }, (_, column) => table.rows.map((row) => row[column] ?? { text: '' })),
    merges: table.merges.map(([top, left, bottom, right]) => [left, top, right, bottom]),
    ...(table.origin && { origin: table.origin }),
    isTransposed: table.isTransposed !== true,
  };
}

/** Whether a cell holds nothing, however it looks. */
export const isBlankCell = ({ text, value, formula }: TableCell): boolean =>
  formula === undefined && (value === undefined ? text === '' : value === null);
