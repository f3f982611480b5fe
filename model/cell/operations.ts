import type { Area, Axis } from './area.ts';
import type { CellFormat, FormatPatch } from './cell-format.ts';
import type { ChartChange } from './chart-change.ts';
import type { FormulaJson } from './formula/formula.ts';
import type { Item, ItemKind } from './items.ts';
import type { LinePatch } from './lines.ts';
import type { CellValue } from './values.ts';
import type { SheetProperties, WorkbookProperties } from './workbook.ts';

/**
 * What one change of the log does to a workbook, as JSON. Rows and columns are counted from 0 in the workbook that the
 * operation is made on. An operation holds no formulas of cells that it does not write: references in those follow by rules.
 */
export type CellOperation = Common &
  (
    | SetCells
    | SetBlock
    | Clear
    | Fill
    | FormatCells
    | InsertLines
    | DeleteLines
    | MoveLines
    | MoveCells
    | Sort
    | ChangeLines
    | AddSheet
    | RemoveSheet
    | RestoreSheet
    | MoveSheet
    | ChangeSheet
    | PutItem
    | ChangeItem
    | RemoveItem
    | ChangeDrawnChart
    | ChangeWorkbook
    | Recalculate
    | Several
    | Nothing
  );

export type OperationName = CellOperation['op'];
export type OperationNamed<Name extends OperationName> = Extract<CellOperation, { readonly op: Name }>;

interface Common {
  /** When it was made, milliseconds since 1970, and a seed from 0 to 2^32 - 1: see `VolatileState`. */
  readonly when?: readonly [timeMs: number, seed: number];
  /** Of who made it, beside `when`: see `VolatileState`. Not said where the workbook has one. */
  readonly region?: string;
  /** It takes something back, and gives way to what others have done there. */
  readonly undo?: true;
}

/** What every operation may say, of one that another comes from. */
export const commonOf = ({ when, region, undo }: Common): Common => ({
  ...(when && { when }),
  ...(region !== undefined && { region }),
  ...(undo && { undo }),
});

/**
 * What a cell gets. A formula or a value replaces both; `v` beside `f` is the value it had where it was entered. `v` null
 * alone: nothing any more. `s` is a place in the operation's `formats`. What is not said stays.
 */
export interface CellInput {
  readonly v?: CellValue;
  readonly f?: FormulaJson;
  readonly s?: number;
}

/** In a block: null leaves a cell as it is, a plain value is short for `{v: …}`. */
export type BlockInput = CellInput | number | string | boolean | null;

/** Gives cells what they hold, or how they look. */
export interface SetCells {
  readonly op: 'set';
  readonly sheet: string;
  readonly cells: readonly (readonly [row: number, column: number, input: CellInput])[];
  readonly formats?: readonly CellFormat[];
}

/** The same for a rectangle of cells, row by row: for pasting. Rows may be of different length. */
export interface SetBlock {
  readonly op: 'block';
  readonly sheet: string;
  readonly row: number;
  readonly column: number;
  readonly rows: readonly (readonly BlockInput[])[];
  readonly formats?: readonly CellFormat[];
}

export type ClearedPart = 'content' | 'format' | 'all';

export interface Clear {
  readonly op: 'clear';
  readonly sheet: string;
  readonly areas: readonly Area[];
  readonly part: ClearedPart;
}

/** Copies cells over and over into others. Relative references in formulas move with each copy. */
export interface Fill {
  readonly op: 'fill';
  readonly sheet: string;
  readonly from: Area;
  readonly to: Area;
  readonly part: ClearedPart;
}

export interface FormatCells {
  readonly op: 'format';
  readonly sheet: string;
  /** Whole rows and columns get it as their own format, too. */
  readonly areas: readonly Area[];
  readonly patch: FormatPatch;
  /** The whole format that cells get, with an empty patch; rows and columns keep theirs. */
  readonly format?: CellFormat;
}

/** Empty rows or columns; with a band only between two lines across, where cells move down or to the right. */
export interface InsertLines {
  readonly op: 'insert';
  readonly sheet: string;
  readonly axis: Axis;
  readonly at: number;
  readonly count: number;
  readonly band?: readonly [first: number, last: number];
  /** Whose formats the new cells get; absent: none. */
  readonly like?: 'before' | 'after';
}

/** Takes out rows or columns; with a band cells move up or to the left. */
export interface DeleteLines {
  readonly op: 'delete';
  readonly sheet: string;
  readonly axis: Axis;
  readonly at: number;
  readonly count: number;
  readonly band?: readonly [first: number, last: number];
}

/** Puts rows or columns before another one, counted as before. */
export interface MoveLines {
  readonly op: 'move';
  readonly sheet: string;
  readonly axis: Axis;
  readonly at: number;
  readonly count: number;
  readonly to: number;
}

/** Cuts cells and pastes them elsewhere, over what is there. References to them follow. */
export interface MoveCells {
  readonly op: 'moveCells';
  readonly sheet: string;
  readonly area: Area;
  readonly toSheet: string;
  readonly row: number;
  readonly column: number;
}

/**
 * Puts rows (or, with the axis `column`, columns) of a band in another order. `order` names each place that takes part, once,
 * in the order in which their cells come to stand: the first of it comes to the smallest place. Others keep their place.
 * Formulas move as copies do: references do not follow them, and relative ones move with them.
 */
export interface Sort {
  readonly op: 'sort';
  readonly sheet: string;
  readonly axis: Axis;
  readonly band: readonly [first: number, last: number];
  readonly order: readonly number[];
}

/** Sizes, hides, groups or filters rows or columns. */
export interface ChangeLines {
  readonly op: 'lines';
  readonly sheet: string;
  readonly axis: Axis;
  /** First and last line of each span. */
  readonly spans: readonly (readonly [from: number, to: number])[];
  readonly patch: Omit<LinePatch, 'format'>;
  /** The format of cells in them that are not kept; null: none of their own. `format` changes cells, too. */
  readonly format?: CellFormat | null;
}

/** A name that is taken gets a number behind it. `sheet` is the new id: client id, a dot, a number. */
export interface AddSheet {
  readonly op: 'addSheet';
  readonly sheet: string;
  readonly name: string;
  readonly at: number;
  /** Begins with everything of another sheet. */
  readonly copyOf?: string;
}

export interface RemoveSheet {
  readonly op: 'removeSheet';
  readonly sheet: string;
}

/** Brings a removed sheet back where it was. */
export interface RestoreSheet {
  readonly op: 'restoreSheet';
  readonly sheet: string;
}

export interface MoveSheet {
  readonly op: 'moveSheet';
  readonly sheet: string;
  /** Its place among the other sheets. */
  readonly to: number;
}

export type Patch<Properties> = { readonly [Name in keyof Properties]?: Properties[Name] | null };

/** Renames, hides, colours, freezes, protects a sheet, or sets its view or page; null takes a property away. */
export interface ChangeSheet {
  readonly op: 'sheet';
  readonly sheet: string;
  readonly patch: Patch<SheetProperties>;
  /** Of the password, where a protection that has one is changed: see `PasswordCheck`. */
  readonly proof?: string;
}

/** A new item, or one anew. Of the workbook: without a sheet. */
export interface PutItem {
  readonly op: 'put';
  readonly sheet: string | null;
  readonly kind: ItemKind;
  readonly id: string;
  readonly item: Item;
}

/** Changes fields of an item; null takes one away. */
export interface ChangeItem {
  readonly op: 'patch';
  readonly sheet: string | null;
  readonly kind: ItemKind;
  readonly id: string;
  readonly patch: Readonly<Record<string, unknown>>;
}

/** With a comment its answers go. */
export interface RemoveItem {
  readonly op: 'drop';
  readonly sheet: string | null;
  readonly kind: ItemKind;
  readonly id: string;
}

/** Changes the chart that a drawing shows, field by field. */
export interface ChangeDrawnChart extends ChartChange {
  readonly op: 'chart';
  readonly sheet: string;
  /** Of the drawing. */
  readonly id: string;
}

export interface ChangeWorkbook {
  readonly op: 'workbook';
  readonly patch: Patch<WorkbookProperties>;
  /** As in `ChangeSheet`. */
  readonly proof?: string;
}

/** Calculates volatile functions anew: `when` says with what. */
export interface Recalculate {
  readonly op: 'recalculate';
}

/**
 * Several operations, each on what the one before has made. Those that do not apply are left out; where one is not allowed,
 * none applies.
 */
export interface Several {
  readonly op: 'several';
  readonly operations: readonly CellOperation[];
}

export interface Nothing {
  readonly op: 'nothing';
}

export const nothing: CellOperation = { op: 'nothing' };
