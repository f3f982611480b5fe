import { type Area, intersection } from '../../../model/cell/area.ts';
import type { Axis } from './axis.ts';
import type { CellPosition } from './cell-areas.ts';
import type { DrawnSheet } from './drawn-sheet.ts';
import type { Rect } from './rect.ts';

/** A part of the grid that is scrolled as one: the whole, or one of up to four where rows or columns are frozen. */
export interface Pane {
  readonly rect: Rect;
  /** The cells of which something is seen. */
  readonly range: Area;
  readonly scrollsDown: boolean;
  readonly scrollsAcross: boolean;
}

/** What is at a place of the grid. */
export type Hit =
  | { readonly kind: 'cell'; readonly cell: CellPosition }
  | { readonly kind: 'columnHeader'; readonly column: number }
  | { readonly kind: 'rowHeader'; readonly row: number }
  /** The edge behind a header, by which it is made larger or smaller. */
  | { readonly kind: 'columnEdge'; readonly column: number }
  | { readonly kind: 'rowEdge'; readonly row: number }
  | { readonly kind: 'corner' };

export interface GridLayoutOptions {
  readonly sheet: DrawnSheet;
  readonly width: number;
  readonly height: number;
  /** How far what is not frozen is scrolled. */
  readonly scroll: { readonly x: number; readonly y: number };
  readonly pixelRatio: number;
}

/** So near to an edge a press takes hold of it. */
const edgeReachPx = 4;
const headerHeightPx = 22;
const headerDigitPx = 8;
const headerPaddingPx = 14;
const leastHeaderDigits = 3;
/** Room beside the headers for one level of groups: as wide as a finger or pen needs for their buttons. */
export const outlineStepPx = 24;

/** One stretch of an axis that is seen: where it is, and where what stands there begins. */
interface Band {
  readonly from: number;
  readonly to: number;
  /** On the screen, before a sheet from right to left is turned. */
  readonly start: number;
  readonly length: number;
  /** Place on the axis of what stands at `start`. */
  readonly offset: number;
  readonly scrolls: boolean;
}

/** Where every cell stands in a grid of a size that is scrolled to a place. Sheets from right to left are turned here, once. */
export class GridLayout {
  readonly sheet: DrawnSheet;
  readonly width: number;
  readonly height: number;
  /** Of everything before the cells: groups of rows, and the names of rows. */
  readonly headerWidth: number;
  readonly headerHeight: number;
  /** Of the groups alone: of rows, which stand before their names, and of columns, above theirs. */
  readonly outlineWidth: number;
  readonly outlineHeight: number;
  readonly panes: readonly Pane[];
  readonly #rows: readonly Band[];
  readonly #columns: readonly Band[];

  constructor({ sheet, width, height, scroll, pixelRatio }: GridLayoutOptions) {
    this.sheet = sheet;
    this.width = width;
    this.height = height;
    const onPixel = (length: number) => Math.round(length * pixelRatio) / pixelRatio;
    const { rows, columns, frozenRows, frozenColumns, rowOutline, columnOutline } = sheet;
    // One step more has the button of what lies beside the deepest group.
    const outlineRoom = (depth: number) => (depth === 0 ? 0 : onPixel((depth + 1) * outlineStepPx));
    this.outlineWidth = outlineRoom(rowOutline.depth);
    this.outlineHeight = outlineRoom(columnOutline.depth);
    const namesHeight = sheet.showsHeadings ? onPixel(headerHeightPx * Math.max(0.8, sheet.zoom)) : 0;
    this.headerHeight = this.outlineHeight + namesHeight;
    const rowBands = bandsOf(rows, frozenRows, this.headerHeight, height, onPixel(scroll.y));
    const digits = Math.max(leastHeaderDigits, String((rowBands.at(-1)?.to ?? 0) + 1).length);
    const namesWidth = sheet.showsHeadings
      ? onPixel((digits * headerDigitPx + headerPaddingPx) * Math.max(0.8, sheet.zoom))
      : 0;
    this.headerWidth = this.outlineWidth + namesWidth;
    this.#rows = rowBands;
    this.#columns = bandsOf(columns, frozenColumns, this.headerWidth, width, onPixel(scroll.x));
    this.panes = rowBands.flatMap((down) => this.#columns.map((across) => this.#paneOf(down, across)));
  }

  /** The parts of a range that are seen, one for each pane; they may reach over the edges of the grid. */
  rectsOf(range: Area): readonly { rect: Rect; pane: Pane }[] {
    return this.panes.flatMap((pane) =>
      intersection(range, pane.range) ? [{ rect: this.rectIn(pane, range), pane }] : [],
    );
  }

  /** Where a range stands as a pane has it, whether or not it is seen there. */
  rectIn(pane: Pane, [top, left, bottom, right]: Area): Rect {
    const { rows, columns } = this.sheet;
    return this.rectAt(pane, {
      x: columns.offsetOf(left),
      y: rows.offsetOf(top),
      width: columns.offsetOf(right + 1) - columns.offsetOf(left),
      height: rows.offsetOf(bottom + 1) - rows.offsetOf(top),
    });
  }

  /** Where a place of the sheet, counted from the corner at which it begins, stands as a pane has it. */
  rectAt(pane: Pane, { x, y, width, height }: Rect): Rect {
    const down = this.#rows.find(({ scrolls }) => scrolls === pane.scrollsDown)!;
    const across = this.#columns.find(({ scrolls }) => scrolls === pane.scrollsAcross)!;
    return this.turned({
      x: across.start + x - across.offset,
      y: down.start + y - down.offset,
      width,
      height,
    });
  }

  /** The cell at a place; places outside belong to the nearest cell that is seen. */
  cellAt(x: number, y: number): CellPosition {
    return {
      row: indexAt(this.sheet.rows, this.#rows, y),
      column: indexAt(this.sheet.columns, this.#columns, this.#turnedX(x)),
    };
  }

  hit(x: number, y: number): Hit {
    const inColumns = y < this.headerHeight;
    const inRows = this.#turnedX(x) < this.headerWidth;
    if (inColumns && inRows) return { kind: 'corner' };
    const { row, column } = this.cellAt(x, y);
    if (inColumns) {
      const edge = edgeAt(this.sheet.columns, this.#columns, this.#turnedX(x));
      return edge === null ? { kind: 'columnHeader', column } : { kind: 'columnEdge', column: edge };
    }
    if (inRows) {
      const edge = edgeAt(this.sheet.rows, this.#rows, y);
      return edge === null ? { kind: 'rowHeader', row } : { kind: 'rowEdge', row: edge };
    }
    return { kind: 'cell', cell: { row, column } };
  }

  /** The columns that are seen, each with its place in the header. */
  *columnHeaders(): Iterable<{ column: number; x: number; width: number; band: Rect }> {
    for (const band of this.#columns) {
      const [y, height] = [this.outlineHeight, this.headerHeight - this.outlineHeight];
      const clip = this.turned({ x: band.start, y, width: band.length, height });
      for (const { index, start, length } of members(this.sheet.columns, band)) {
        const { x } = this.turned({ x: start, y: 0, width: length, height: 0 });
        yield { column: index, x, width: length, band: clip };
      }
    }
  }

  /** The rows that are seen, each with its place in the header. */
  *rowHeaders(): Iterable<{ row: number; y: number; height: number; band: Rect }> {
    for (const band of this.#rows) {
      const [x, width] = [this.outlineWidth, this.headerWidth - this.outlineWidth];
      const clip = this.turned({ x, y: band.start, width, height: band.length });
      for (const { index, start, length } of members(this.sheet.rows, band)) {
        yield { row: index, y: start, height: length, band: clip };
      }
    }
  }

  /** Where what is frozen ends, on the screen; null where nothing is. */
  get frozenEdges(): { readonly x: number | null; readonly y: number | null } {
    const edgeOf = (bands: readonly Band[]) => (bands.length > 1 ? bands[0]!.start + bands[0]!.length : null);
    const x = edgeOf(this.#columns);
    return { x: x === null ? null : this.#turnedX(x), y: edgeOf(this.#rows) };
  }

  /** The part of the grid in which everything is that scrolls. */
  get scrolled(): Rect {
    return this.panes.at(-1)!.rect;
  }

  /** How far a place of the grid is from the corner at which what scrolls begins; 0 for places before it. */
  withinScrolled({ x, y }: { readonly x: number; readonly y: number }): { x: number; y: number } {
    const [down, across] = [this.#rows.at(-1)!, this.#columns.at(-1)!];
    return { x: Math.max(0, this.#turnedX(x) - across.start), y: Math.max(0, y - down.start) };
  }

  #paneOf(down: Band, across: Band): Pane {
    return {
      rect: this.turned({ x: across.start, y: down.start, width: across.length, height: down.length }),
      range: [down.from, across.from, down.to, across.to],
      scrollsDown: down.scrolls,
      scrollsAcross: across.scrolls,
    };
  }

  /** A place as if the sheet went from left to right, where it is on the screen. */
  turned(rect: Rect): Rect {
    return this.sheet.isRightToLeft ? { ...rect, x: this.width - rect.x - rect.width } : rect;
  }

  #turnedX(x: number): number {
    return this.sheet.isRightToLeft ? this.width - x : x;
  }
}

function bandsOf(axis: Axis, frozen: number, start: number, end: number, scroll: number): Band[] {
  const room = Math.max(0, end - start);
  const frozenLength = axis.offsetOf(frozen);
  const bands: Band[] = [];
  const shownLength = Math.min(frozenLength, room);
  if (frozen > 0) {
    const to = Math.min(frozen - 1, axis.indexAt(shownLength - 0.01));
    bands.push({ from: 0, to, start, length: shownLength, offset: 0, scrolls: false });
  }
  const offset = frozenLength + scroll;
  const length = Math.max(0, Math.min(room - shownLength, axis.length - offset));
  const from = Math.max(frozen, axis.indexAt(offset));
  const to = Math.max(from, axis.indexAt(offset + Math.max(0, length - 0.01)));
  bands.push({ from, to, start: start + shownLength, length, offset, scrolls: true });
  return bands;
}

/** The members of a band that are not hidden, and where they stand on the screen. */
function* members(axis: Axis, { from, to, start, offset }: Band) {
  for (
    let index: number | null = axis.isHidden(from) ? axis.next(from) : from;
    index !== null && index <= to;
  ) {
    yield { index, start: start + axis.offsetOf(index) - offset, length: axis.sizeOf(index) };
    index = axis.next(index);
  }
}

function bandAt(bands: readonly Band[], place: number): Band {
  return bands.findLast(({ start }) => place >= start) ?? bands[0]!;
}

function indexAt(axis: Axis, bands: readonly Band[], place: number): number {
  const band = bandAt(bands, place);
  const within = Math.min(Math.max(place, band.start), band.start + Math.max(0, band.length - 0.01));
  return axis.indexAt(band.offset + within - band.start);
}

/**
 * The row or column that ends near a place. Where others are hidden there, the last of these for a place behind the edge, so that it can be
 * shown; before it the one that is seen.
 */
function edgeAt(axis: Axis, bands: readonly Band[], place: number): number | null {
  const band = bandAt(bands, place);
  const offset = band.offset + place - band.start;
  const index = axis.indexAt(offset);
  const end = axis.offsetOf(index + 1);
  if (end - offset <= edgeReachPx) return axis.next(index) === null ? axis.count - 1 : index;
  if (offset - axis.offsetOf(index) < edgeReachPx && index > 0) return index - 1;
  return null;
}
