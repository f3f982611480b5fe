import type { Area } from '../../../model/cell/area.ts';
import { Grid } from '../../../model/cell/grid.ts';
import type { Line, LineRun } from '../../../model/cell/lines.ts';
import { emptyRow, type Row } from '../../../model/cell/row.ts';
import type { Sheet } from '../../../model/cell/workbook.ts';
import { sheetColumns, sheetRows } from '../../../model/cell-address.ts';
import { Axis, type AxisRun } from '../grid/axis.ts';
import { noOutline, type Outline, outlineOf } from '../grid/outline.ts';
import type { FittingRows } from './fitting-rows.ts';

const pxPerPoint = 96 / 72;
const defaultRowPoints = 15;
/** Characters in a column of a sheet that says nothing of its columns. */
const defaultChars = 8;

/** How large things are shown. */
export interface Scale {
  readonly zoom: number;
  readonly pixelRatio: number;
  /** Width of the widest digit of the normal font at a zoom of 1, in whole pixels. */
  readonly digitPx: number;
}

/** The width of a column, from characters as xlsx counts them, and back. */
export const columnPixels = (chars: number, digitPx: number): number =>
  Math.trunc(((256 * chars + Math.trunc(128 / digitPx)) / 256) * digitPx);
export const columnChars = (pixels: number, digitPx: number): number =>
  Math.round((pixels / digitPx) * 256) / 256;

/** The height of rows that say nothing of theirs, at a zoom of 1. */
export const defaultRowPixels = ({ properties }: Sheet): number =>
  rowPixels(properties.rowHeight ?? defaultRowPoints);

export const rowPixels = (points: number): number => Math.round(points * pxPerPoint);
export const rowPoints = (pixels: number): number => pixels / pxPerPoint;

const defaultColumnPixels = (digitPx: number): number => Math.ceil((defaultChars * digitPx + 5) / 8) * 8;

const isHidden = (line: Line): boolean => line.hidden === true || line.filtered === true;

export function columnAxis({ columns, properties }: Sheet, { zoom, pixelRatio, digitPx }: Scale): Axis {
  const { columnWidth } = properties;
  const defaultSize =
    columnWidth === undefined ? defaultColumnPixels(digitPx) : columnPixels(columnWidth, digitPx);
  const runs = columns.runs.map(([first, count, line]): AxisRun => {
    const size = line.size === undefined ? defaultSize : columnPixels(line.size, digitPx);
    return { from: first, to: first + count, size: isHidden(line) ? 0 : size };
  });
  return new Axis({ count: sheetColumns, defaultSize, runs, zoom, pixelRatio });
}

export const columnOutlineOf = ({ columns, properties }: Sheet): Outline =>
  outlineOf(columns.runs, properties.summaryLeft === true, sheetColumns);

const outlines = new WeakMap<readonly LineRun[], { readonly isBefore: boolean; readonly outline: Outline }>();

interface RowsFound {
  readonly runs: readonly AxisRun[];
  readonly grouped: readonly LineRun[];
}

/** What is known of the rows of a sheet: made once, and for the next version only where rows are not the same. */
export class SheetRows {
  readonly #grid: Grid;
  readonly #runs: readonly AxisRun[];
  readonly #defaultPx: number;
  readonly #fitting: FittingRows;
  /** The last column that a row of this or an earlier version had. */
  readonly #lastColumn: number;
  /** Rows that are in groups, or have the button of a closed one. */
  readonly #grouped: readonly LineRun[];

  private constructor(sheet: Sheet, fitting: FittingRows, last: number, { runs, grouped }: RowsFound) {
    this.#grid = sheet.grid;
    this.#defaultPx = defaultRowPixels(sheet);
    this.#fitting = fitting;
    this.#lastColumn = last;
    this.#runs = runs;
    this.#grouped = grouped;
  }

  /** @param fitting the heights of rows that say nothing of theirs */
  static of(sheet: Sheet, fitting: FittingRows, before?: SheetRows): SheetRows {
    const { grid } = sheet;
    const defaultPx = defaultRowPixels(sheet);
    if (before && before.#defaultPx === defaultPx && before.#fitting.isLike(fitting)) {
      if (before.#grid === grid) return before;
      const last = before.#lastColumnAfter(grid, fitting);
      if (last !== null) {
        return new SheetRows(sheet, fitting, last, { runs: before.#runs, grouped: before.#grouped });
      }
    }
    const runs: AxisRun[] = [];
    const grouped: LineRun[] = [];
    let last = -1;
    for (const [row, held] of grid.rows()) {
      const { line, columns } = held;
      last = Math.max(last, columns.at(-1) ?? -1);
      if (isGrouped(line)) grouped.push([row, 1, line]);
      const size = sizeOf(row, held, defaultPx, fitting);
      if (size === undefined) continue;
      const run = runs.at(-1);
      if (run && run.to === row && run.size === size) runs[runs.length - 1] = { ...run, to: row + 1 };
      else runs.push({ from: row, to: row + 1, size });
    }
    return new SheetRows(sheet, fitting, last, { runs, grouped });
  }

  axis({ zoom, pixelRatio }: Scale): Axis {
    return new Axis({ count: sheetRows, defaultSize: this.#defaultPx, runs: this.#runs, zoom, pixelRatio });
  }

  /** The runs of heights, to tell whether an axis is still right. */
  isLike(other: SheetRows): boolean {
    return this.#runs === other.#runs && this.#defaultPx === other.#defaultPx;
  }

  /** Its groups: made once as long as they are the same. @param isBefore whether sums stand above */
  outline(isBefore: boolean): Outline {
    if (this.#grouped.length === 0) return noOutline;
    let known = outlines.get(this.#grouped);
    if (!known || known.isBefore !== isBefore) {
      known = { isBefore, outline: outlineOf(this.#grouped, isBefore, sheetRows) };
      outlines.set(this.#grouped, known);
    }
    return known.outline;
  }

  /** What has content or a look; null for nothing. */
  get used(): Area | null {
    const bottom = this.#grid.lastRow;
    return bottom < 0 || this.#lastColumn < 0 ? null : [0, 0, bottom, this.#lastColumn];
  }

  /** The last column of another version of the grid; null if its rows are not as high as those of this one. */
  #lastColumnAfter(grid: Grid, fitting: FittingRows): number | null {
    let last = this.#lastColumn;
    for (const [from, to] of Grid.differences(this.#grid, grid)) {
      for (let row = from; row <= to; row++) {
        const [before, after] = [this.#grid.row(row) ?? emptyRow, grid.row(row) ?? emptyRow];
        if (before === after) continue;
        if (before.line !== after.line && (isGrouped(before.line) || isGrouped(after.line))) return null;
        const sizeIn = (held: Row) => sizeOf(row, held, this.#defaultPx, fitting);
        if (sizeIn(before) !== sizeIn(after)) return null;
        last = Math.max(last, after.columns.at(-1) ?? -1);
      }
    }
    return last;
  }
}

const isGrouped = ({ level, collapsed }: Line): boolean => level !== undefined || collapsed === true;

/** How high a row is, in pixels at a zoom of 1; undefined: as those that have nothing. */
function sizeOf(row: number, held: Row, defaultPx: number, fitting: FittingRows): number | undefined {
  const { line } = held;
  if (isHidden(line)) return 0;
  if (line.size !== undefined) return rowPixels(line.size);
  if (line.custom || held.columns.length === 0) return undefined;
  const needed = fitting.heightOf(row, held);
  return needed > defaultPx + 1 ? needed : undefined;
}
