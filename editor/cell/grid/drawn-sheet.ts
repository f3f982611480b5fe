import type { Area } from '../../../model/cell/area.ts';
import type { Axis } from './axis.ts';

import type { Outline } from './outline.ts';
import type { Rect } from './rect.ts';

/** How letters look. Sizes are in pixels at a zoom of 1. */
export interface TextLook {
  /** `font-family` as CSS has it. */
  readonly family: string;
  readonly sizePx: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: 'none' | 'single' | 'double';
  readonly strike: boolean;
  readonly script: 'normal' | 'super' | 'sub';
  /** Null for the colour that text has by itself. */
  readonly color: string | null;
  /** Height of a line as a multiple of the size. */
  readonly lineFactor: number;
}

export type LineStyle =
  | 'thin'
  | 'hair'
  | 'dotted'
  | 'dashed'
  | 'dashDot'
  | 'dashDotDot'
  | 'medium'
  | 'mediumDashed'
  | 'mediumDashDot'
  | 'mediumDashDotDot'
  | 'slantDashDot'
  | 'thick'
  | 'double';

export interface BorderLine {
  readonly style: LineStyle;
  /** Null for the colour that text has by itself. */
  readonly color: string | null;
}

export interface Borders {
  readonly top: BorderLine | null;
  readonly right: BorderLine | null;
  readonly bottom: BorderLine | null;
  readonly left: BorderLine | null;
  /** From the lower left to the upper right. */
  readonly diagonalUp: BorderLine | null;
  readonly diagonalDown: BorderLine | null;
}

/** A colour, a pattern of two, or a course of several. */
export type Fill =
  | { readonly kind: 'solid'; readonly color: string }
  | {
      readonly kind: 'pattern';
      readonly pattern: string;
      readonly color: string;
      readonly background: string | null;
    }
  | {
      readonly kind: 'gradient';
      /** Degrees, clockwise from left to right. */
      readonly angle: number;
      readonly stops: readonly (readonly [at: number, color: string])[];
    };

export type Horizontal =
  | 'general'
  | 'left'
  | 'center'
  | 'right'
  | 'fill'
  | 'justify'
  | 'centerContinuous'
  | 'distributed';

export type Vertical = 'top' | 'center' | 'bottom' | 'justify' | 'distributed';

/** How a cell looks whatever is in it. One object for all cells that look alike. */
export interface CellLook {
  readonly text: TextLook;
  readonly fill: Fill | null;
  /** Null where it has none. */
  readonly borders: Borders | null;
  readonly horizontal: Horizontal;
  readonly vertical: Vertical;
  readonly wrap: boolean;
  readonly shrink: boolean;
  /** Steps of three spaces. */
  readonly indent: number;
  /** Degrees against the clock, -90 to 90; `stacked` for letters below each other. */
  readonly rotation: number | 'stacked';
}

/** A stretch of text that looks alike. */
export interface TextRun {
  readonly text: string;
  readonly look: TextLook;
}

/** A mark at the upper corner at the end of a cell, or a button in it. */
export interface CellMarks {
  readonly comment?: boolean;
  readonly note?: boolean;
  /** The value that is shown may be old: the cell's function is not known here. */
  readonly stale?: boolean;
  /** A list to choose a value from. */
  readonly list?: boolean;
  /** A button of a filter; `on` where it hides rows. */
  readonly filter?: 'off' | 'on';
  /** Whether rows are sorted by the column of the button, and how. */
  readonly sorted?: 'rising' | 'falling';
}

/** What a conditional format draws behind the text: from one part of the cell's width to another. */
export interface DataBar {
  readonly from: number;
  readonly to: number;
  readonly color: string;
  /** One colour from end to end; else it fades to its far end. */
  readonly isSolid: boolean;
  /** Where the line stands between what is less than nothing and what is more; null without one. */
  readonly axis: number | null;
}

/** An icon of a set, by what xlsx calls the set: which one of how many, from the worst to the best. */
export interface CellIcon {
  readonly set: string;
  readonly place: number;
  readonly count: number;
}

/** A cell as it is to be drawn. */
export interface DrawnCell {
  readonly kind: 'blank' | 'text' | 'number' | 'boolean' | 'error';
  readonly text: string;
  readonly look: CellLook;
  /** The parts of a text that is not of one look. */
  readonly runs: readonly TextRun[] | null;
  /** A colour that the number format or a condition asks for. */
  readonly color: string | null;
  /** The number, where the text has as many digits as there is room for. */
  readonly general: number | null;
  /** Where the number format fills the cell with a sign: what is before that stands at its beginning, what is behind it at its end. */
  readonly filler?: Filler;
  readonly bar?: DataBar;
  readonly icon?: CellIcon;
  readonly marks?: CellMarks;
}

export interface Filler {
  /** Its place in the text. */
  readonly at: number;
  readonly sign: string;
}

/** What is beneath a bar, and the colour of the text on it: null where no text is. */
export type BarGround = { readonly page: string; readonly text: string | null };

export interface BarPlace {
  readonly ground: BarGround;
  /** Of the line between what is less than nothing and what is more. */
  readonly axisColor: string;
  /** A pixel of the screen in pixels of CSS. */
  readonly pixel: number;
  readonly isRightToLeft: boolean;
}

/** What draws that which conditional formats put into cells. It comes with them, behind the first look at a page. */
export interface ConditionPainters {
  paintBar(context: CanvasRenderingContext2D, bar: DataBar, rect: Rect, place: BarPlace): void;
  /** @param scale pixels at a zoom of 1 */
  paintIcon(
    context: CanvasRenderingContext2D,
    icon: CellIcon,
    rect: Rect,
    scale: number,
    isRightToLeft: boolean,
  ): void;
  /** What an icon leaves of a cell for its text. @param scale pixels at a zoom of 1 */
  besideIcon(rect: Rect, scale: number, isRightToLeft: boolean): Rect;
}

/** A sheet as the grid draws it. It does not change: another one takes its place. */
export interface DrawnSheet {
  /** What draws bars and icons; null where no cell has any. */
  readonly conditionPainters: ConditionPainters | null;
  readonly rows: Axis;
  readonly columns: Axis;
  readonly rowOutline: Outline;
  readonly columnOutline: Outline;
  /** How many at the beginning stay when the others are scrolled. */
  readonly frozenRows: number;
  readonly frozenColumns: number;
  readonly isRightToLeft: boolean;
  readonly showsGridlines: boolean;
  /** The rows and columns before which somebody has a page begin. */
  readonly pageBreaks: { readonly rows: readonly number[]; readonly columns: readonly number[] };
  /** Whether rows and columns are named at the edges. */
  readonly showsHeadings: boolean;
  /** How large it is shown. */
  readonly zoom: number;
  /** What has content or a look of its own; null for an empty sheet. */
  readonly used: Area | null;
  /** Null for a cell that has neither content nor a look of its own. */
  cellAt(row: number, column: number): DrawnCell | null;
  /** The merged cells that a cell is part of. */
  mergeAt(row: number, column: number): Area | null;
  /** Those that a range has a part of. */
  mergesIn(range: Area): readonly Area[];
}
