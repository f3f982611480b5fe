import type { Conventions } from './conventions.ts';
import type { LinkedName, LinkedSheet } from './linked-sheets.ts';

/** What calculation of spreadsheets is, whatever engine does it. Rows and columns count from 1, sheets from 0. */

/** A number is finite. An error has its name in Excel, for example `#DIV/0!`. */
export type CellValue = number | string | boolean | { readonly error: string };

/**
 * What a formula gives:
 * - `single`: one value; of a range it takes the cell of its own row or column, as in the time before dynamic arrays;
 * - `dynamic`: one value or several, which spill into the cells beside it;
 * - `array`: as many values as it has rows and columns.
 */
export type FormulaKind = 'single' | 'dynamic' | 'array';

export interface CellFormula {
  /** As a file has it: in English, with or without `=` and the prefixes `_xlfn.`. */
  readonly formula: string;
  readonly kind: FormulaKind;
  /** Of an array, at least 1. */
  readonly rows?: number;
  readonly columns?: number;
  /** The value that the file has. It stays where the formula cannot be calculated. */
  readonly stored?: CellValue;
}

/** The content of a cell; `null` is nothing. Values that a formula spills are no content. */
export type CellContent = CellValue | CellFormula | null;

export type Hidden = 'by-hand' | 'by-filter';

export type Change =
  | { readonly sheet: number; readonly row: number; readonly column: number; readonly content: CellContent }
  | { readonly sheet: number; readonly row: number; readonly hidden: Hidden | null }
  | MovedRows;

/**
 * So many rows are put in before a row, or taken out from it on where it is below zero. Cells move with their formulas, which read
 * the same cells as before as seen from their own: the others are to be told. All such changes come before those of other kinds.
 */
export interface MovedRows {
  readonly sheet: number;
  readonly row: number;
  readonly moved: number;
}

export interface DefinedName {
  readonly name: string;
  /** The sheet where it is known; everywhere when absent. */
  readonly sheet?: number;
  /** Relative references are meant from A1. */
  readonly formula: string;
}

export interface Table {
  readonly name: string;
  readonly sheet: number;
  readonly firstRow: number;
  readonly firstColumn: number;
  readonly lastRow: number;
  readonly lastColumn: number;
  readonly headerRows: number;
  readonly totalsRows: number;
  readonly columns: readonly string[];
}

/** A workbook to calculate. It is asked again when the engine has to be made anew, so it has to be up to date then. */
export interface Workbook {
  /** Behind the workbook's own those of other workbooks that `linked` names. */
  readonly sheets: readonly string[];
  readonly names: readonly DefinedName[];
  readonly tables: readonly Table[];
  /** How texts become numbers and numbers texts; as in English where it is not said. */
  readonly conventions?: Conventions;
  /** Whether serial numbers of days count from 1904. */
  readonly from1904: boolean;
  /** Whether circular formulas are meant to be; they keep their stored values. */
  readonly iterates: boolean;
  /** What is known of other workbooks. */
  readonly linked?: {
    readonly sheets: readonly LinkedSheet[];
    readonly names: readonly LinkedName[];
  };
  /** All cells with content and all hidden rows. */
  changes(): Iterable<Change>;
  content(sheet: number, row: number, column: number): CellContent;
}

/** What volatile functions depend on. All who show a document take it from the same place. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  /** An IANA name, for example `Europe/Berlin`. */
  readonly timeZone: string;
  /** A whole number from 0 below 2³². */
  readonly seed: number;
}

/**
 * Why a formula is not calculated, and keeps its stored value:
 * - `circular`: it depends on itself;
 * - `unknown-function`: it calls what is neither a function nor a name;
 * - `not-supported`: it needs something that the engine does not have;
 * - `external`: it reads what is not known of another workbook;
 * - `unreadable`: it is no formula;
 * - `too-deep`: it is nested too deeply, or too long;
 * - `endless`: it takes more steps than a formula may;
 * - `failed`: the engine broke down over it.
 */
export type Staleness =
  | 'circular'
  | 'unknown-function'
  | 'not-supported'
  | 'external'
  | 'unreadable'
  | 'too-deep'
  | 'endless'
  | 'failed';

export interface CellResult {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
  /** `null` where nothing is spilled any more. */
  readonly value: CellValue | null;
}

/** A formula that no cell has, as a rule of a sheet has it, and the cell that it is seen from. */
export interface Expression {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
  /** As a file has it, with its references as they are seen from the cell. */
  readonly formula: string;
  /** How many of its values are wanted at most, row by row. */
  readonly most: number;
}

/** A calculated workbook. After an error that one of its calls throws it is of no use any more. */
export interface Calculation {
  /** Takes over changes that were made to the workbook, in their order. */
  apply(changes: Iterable<Change>): void;
  /** Calculates everything anew. */
  recalculate(moment: Moment): void;
  /** The values of formulas and spilled cells that are others than at the last call; at first all of them. */
  changed(): CellResult[];
  /** Why a cell keeps a stored value; undefined where it is calculated. */
  stale(sheet: number, row: number, column: number): Staleness | undefined;
  /** The values of a formula as of the last calculation, null for an empty cell; null where it cannot be calculated. */
  evaluate(expression: Expression): readonly (CellValue | null)[] | null;
  staleCells(): Iterable<{ sheet: number; row: number; column: number; why: Staleness }>;
}

export function isFormula(content: CellContent): content is CellFormula {
  return typeof content === 'object' && content !== null && 'formula' in content;
}
