import type { Area } from '../../../model/cell/area.ts';
import { Grid } from '../../../model/cell/grid.ts';
import type { Line, LineRun } from '../../../model/cell/lines.ts';
import type { Sheet } from '../../../model/cell/workbook.ts';
import { sheetColumns, sheetRows } from '../../../model/cell-address.ts';
import { Axis, type AxisRun } from '../grid/axis.ts';

import { noOutline, type Outline, outlineOf } from '../grid/outline.ts';

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

/** What is known of the rows of a sheet: made once, and for the next version only where rows are not the same. */
export class SheetRows {
  readonly #grid: Grid;
  readonly #runs: readonly AxisRun[];
  readonly #defaultPx: number;
  /** The last column that a row of this or an earlier version had. */
  readonly #lastColumn: number;
  /** Rows that are in groups, or have the button of a closed one. */
  readonly #grouped: readonly LineRun[];

  private constructor(
    grid: Grid,
    defaultPx: number,
    last: number,
    { runs, grouped }: { runs: readonly AxisRun[]; grouped: readonly LineRun[] },
  ) {
    this.#grid = grid;
    this.#runs = runs;
    this.#defaultPx = defaultPx;
    this.#lastColumn = last;
    this.#grouped = grouped;
  }

  static of(sheet: Sheet, before: SheetRows | null): SheetRows {
    const { grid } = sheet;
    const defaultPx = defaultRowPixels(sheet);
    if (before !== null && before.#grid === grid && before.#defaultPx === defaultPx) return before;
    if (before !== null && before.#defaultPx === defaultPx) {
      const last = before.#lastColumnAfter(grid);
      if (last !== null) {
        return new SheetRows(grid, defaultPx, last, { runs: before.#runs, grouped: before.#grouped });
      }
    }
    const runs: AxisRun[] = [];
    const grouped: LineRun[] = [];
    let last = -1;
    for (const [row, { line, columns }] of grid.rows()) {
      last = Math.max(last, columns.at(-1) ?? -1);
      if (line.level !== undefined || line.collapsed) grouped.push([row, 1, line]);
      if (line.size === undefined && !isHidden(line)) continue;
      const size = isHidden(line) ? 0 : rowPixels(line.size!);
      const run = runs.at(-1);
      if (run && run.to === row && run.size === size) runs[runs.length - 1] = { ...run, to: row + 1 };
      else runs.push({ from: row, to: row + 1, size });
    }
    return new SheetRows(grid, defaultPx, last, { runs, grouped });
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
  #lastColumnAfter(grid: Grid): number | null {
    let last = this.#lastColumn;
    for (const [from, to] of Grid.differences(this.#grid, grid)) {
      for (let row = from; row <= to; row++) {
        const [before, after] = [this.#grid.row(row), grid.row(row)];
        if (before === after) continue;
        if (!isAsHigh(before?.line, after?.line)) return null;
        last = Math.max(last, after?.columns.at(-1) ?? -1);
      }
    }
    return last;
  }
}

/** Whether a row is as high as it was, and in the same groups. */
function isAsHigh(one: Line | undefined, other: Line | undefined): boolean {
  if (one === other) return true;
  const isGrouped = (line: Line | undefined) => line?.level !== undefined || line?.collapsed === true;
  if (isGrouped(one) || isGrouped(other)) return false;
  return one?.size === other?.size && isHidden(one ?? {}) === isHidden(other ?? {});
}
