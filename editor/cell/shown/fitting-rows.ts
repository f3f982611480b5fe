import type { Cell } from '../../../model/cell/cell.ts';
import type { CellFormat } from '../../../model/cell/cell-format.ts';
import type { Row } from '../../../model/cell/row.ts';
import { type CellValue, isRichText } from '../../../model/cell/values.ts';
import { itemsOf, type Sheet, type Workbook } from '../../../model/cell/workbook.ts';
import type { Axis } from '../grid/axis.ts';
import type { CellLook, DrawnCell } from '../grid/drawn-sheet.ts';
import { fontOf, letterWidths, lineCount } from '../grid/text-layout.ts';
import { type FontMeasures, neededHeight, roomFor } from '../grid/text-painter.ts';
import type { DrawnCells } from './drawn-cells.ts';
import type { MergeIndex } from './merge-index.ts';
import { normalFont } from './scene-cache.ts';

/** So many cells of a sheet are measured as they are drawn, which takes long; those behind them by the widths of their letters. */
const mostMeasured = 4_000;
/** Room above and below text in its cell, in pixels. */
const edgesPx = 2;

/** Whether text in a cell is broken into lines. */
export const isBroken = ({ align }: CellFormat): boolean =>
  align?.wrap === true || align?.horizontal === 'justify' || align?.horizontal === 'distributed';

/** The size of the font that says no other, in points. */
export const normalPoints = (workbook: Workbook): number => normalFont(workbook)?.size ?? 11;

/** Whether text of a format may need a row that is higher than others. @param points the size of the normal font */
export const needsRoom = (format: CellFormat, points: number): boolean =>
  isBroken(format) || Boolean(format.align?.rotation) || (format.font?.size ?? 0) > points;

/** How high a row has to be for a cell, in pixels at a zoom of 1. @param widthPx of the cell, at a zoom of 1 */
export function heightFor(cell: DrawnCell, widthPx: number, measures: FontMeasures): number {
  // Numbers are not broken into lines.
  const width = cell.kind === 'number' ? Number.MAX_VALUE : widthPx;
  return Math.ceil(neededHeight(cell, 1, width, measures) + edgesPx);
}

/** What is found once for all versions of a sheet that are alike. */
interface Kept {
  readonly heights: WeakMap<Row, number>;
  /** By the places of formats. */
  readonly needRoom: (boolean | undefined)[];
  /** How many cells were measured as they are drawn. */
  measured: number;
  readonly widthsIn: ReturnType<typeof letterWidths>;
}

interface FittingRowsOptions {
  readonly workbook: Workbook;
  readonly sheet: Sheet;
  readonly cells: DrawnCells;
  /** As they are shown, at `zoom`. */
  readonly columns: Axis;
  readonly zoom: number;
  readonly merges: MergeIndex;
  readonly measures: FontMeasures;
}

/**
 * How high rows are of which nobody has said it: as high as text needs that is broken into lines, turned or large, as other programs
 * show them. Only what is shown changes by it. Each row is looked at once, as long as columns are as wide as they were.
 */
export class FittingRows {
  readonly #options: FittingRowsOptions;
  readonly #points: number;
  readonly #kept: Kept;

  private constructor(options: FittingRowsOptions, kept: Kept) {
    this.#options = options;
    this.#points = normalPoints(options.workbook);
    this.#kept = kept;
  }

  /** @param before those of an earlier version of the sheet: what is equal is taken from them */
  static of(options: FittingRowsOptions, before?: FittingRows): FittingRows {
    const now = new FittingRows(options, {
      heights: new WeakMap(),
      needRoom: [],
      measured: 0,
      widthsIn: letterWidths(options.measures.measure),
    });
    return before?.isLike(now) ? new FittingRows(options, before.#kept) : now;
  }

  /** Whether the same rows would be as high. */
  isLike(one: FittingRows): boolean {
    const [own, other] = [this.#options, one.#options];
    return (
      own.sheet.columns === other.sheet.columns &&
      own.sheet.properties.columnWidth === other.sheet.properties.columnWidth &&
      itemsOf(own.sheet, 'merge') === itemsOf(other.sheet, 'merge') &&
      own.cells === other.cells &&
      this.#points === one.#points
    );
  }

  /** Height in pixels at a zoom of 1; 0 where nothing needs more than other rows have. */
  heightOf(row: number, held: Row): number {
    const known = this.#kept.heights.get(held);
    if (known !== undefined) return known;
    let height = 0;
    let isUsual = true;
    for (const [at, column] of held.columns.entries()) {
      const cell = held.cells[at]!;
      if (cell.value === null || typeof cell.value === 'boolean') continue;
      if (!this.#mayNeedRoom(cell.format) && !isRichText(cell.value)) continue;
      if (this.#options.merges.at(row, column)) continue;
      isUsual = false;
      height = Math.max(height, this.#heightFor(cell, column));
    }
    if (!isUsual) this.#kept.heights.set(held, height);
    return height;
  }

  #mayNeedRoom(format: number): boolean {
    const known = this.#kept.needRoom[format];
    if (known !== undefined) return known;
    const needed = needsRoom(this.#options.workbook.formats.at(format), this.#points);
    this.#kept.needRoom[format] = needed;
    return needed;
  }

  #heightFor(cell: Cell, column: number): number {
    const { cells, columns, zoom, measures } = this.#options;
    const { value } = cell;
    const width = columns.sizeOf(column) / zoom;
    // What is in a hidden column is not seen.
    if (width === 0) return 0;
    const { look } = cells.blank(cell.format);
    const isUsual = look.rotation === 0 && look.text.sizePx <= (this.#points * 96) / 72 + 0.5;
    if (isUsual && (typeof value === 'number' || isSurelyOneLine(value, look, width))) return 0;
    const isQuick = typeof value === 'string' && look.rotation === 0 && look.wrap && !cell.formula;
    if (isQuick && this.#kept.measured++ >= mostMeasured) return this.#heightByLetters(value, look, width);
    const drawn = cells.of(cell);
    return drawn.text === '' ? 0 : heightFor(drawn, width, measures);
  }

  #heightByLetters(value: string, { text }: CellLook, width: number): number {
    const lines = lineCount(value, roomFor(width, 1), this.#kept.widthsIn(fontOf(text, 1)));
    return Math.ceil(lines * text.sizePx * text.lineFactor + edgesPx);
  }
}

/** Whether text has room in one line however wide its letters are. */
const isSurelyOneLine = (value: CellValue, { text }: CellLook, width: number): boolean =>
  typeof value === 'string' && value.length * text.sizePx < roomFor(width, 1) && !value.includes('\n');
