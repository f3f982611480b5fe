import type { Area } from '../../../model/cell/area.ts';
import type { Axis } from './axis.ts';
import { type CellPosition, rangeOf } from './cell-areas.ts';
import type { DrawnSheet } from './drawn-sheet.ts';
import { GridLayout } from './grid-layout.ts';
import { GridPainter } from './grid-painter.ts';
import { type Overlay, OverlayPainter } from './overlay-painter.ts';
import { type Palette, readPalette } from './palette.ts';
import type { Rect } from './rect.ts';
import { ScrollRoom } from './scroll-room.ts';
import type { FitNumber, FontMeasures } from './text-painter.ts';
import './grid.css';

export interface GridViewOptions {
  readonly measures: FontMeasures;
  readonly fitNumber: FitNumber;
  /** The layout is another one: the sheet was scrolled, or has other sizes. */
  readonly onLayout: (layout: GridLayout) => void;
}

/** Empty rows and columns behind what is used that one can scroll to at once; more come when one is there. */
const spareRows = 100;
const spareColumns = 26;

/** The element in which a sheet is drawn and scrolled. It paints at most once a frame, and only what has changed. */
export class GridView {
  readonly element: HTMLDivElement;
  /** Lies over the drawing: takes presses and is scrolled. */
  readonly scroller: HTMLDivElement;
  readonly #options: GridViewOptions;
  readonly #spacer: HTMLDivElement;
  readonly #cells: CanvasRenderingContext2D;
  readonly #over: CanvasRenderingContext2D;
  readonly #gridPainter: GridPainter;
  readonly #overlayPainter: OverlayPainter;
  readonly #resized: ResizeObserver;
  #sheet: DrawnSheet;
  #overlay: Overlay;
  #layout: GridLayout;
  #palette: Palette | null = null;
  #width = 0;
  #height = 0;
  /** How far it is scrolled, as the sheet has it. */
  #place = { x: 0, y: 0 };
  #down = new ScrollRoom(0, 0);
  #across = new ScrollRoom(0, 0);
  #frame = 0;
  #paintsCells = true;
  /** What the cells were drawn from last. */
  #painted: { layout: GridLayout; palette: Palette; place: { x: number; y: number } } | null = null;
  /** What is drawn is to be drawn again, although nothing of it is different. */
  #isStale = true;
  /** Time that the last frame took, for those who measure. */
  paintMs = 0;

  constructor(sheet: DrawnSheet, overlay: Overlay, options: GridViewOptions) {
    this.#options = options;
    this.#sheet = sheet;
    this.#overlay = overlay;
    this.element = document.createElement('div');
    this.element.className = 'grid';
    const canvas = (name: string) => {
      const made = document.createElement('canvas');
      made.className = name;
      made.setAttribute('aria-hidden', 'true');
      this.element.append(made);
      return made.getContext('2d', { alpha: name !== 'grid-cells' })!;
    };
    this.#cells = canvas('grid-cells');
    this.#over = canvas('grid-overlay');
    this.scroller = document.createElement('div');
    this.scroller.className = 'grid-scroller';
    // Moved by the keys of the cells; a stop for Tab of its own would be one too many.
    this.scroller.tabIndex = -1;
    this.#spacer = document.createElement('div');
    this.scroller.append(this.#spacer);
    this.element.append(this.scroller);
    this.#gridPainter = new GridPainter({ context: this.#cells, ...options });
    this.#overlayPainter = new OverlayPainter(this.#over);
    this.#layout = this.#makeLayout();
    this.scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    this.#resized = new ResizeObserver(() => this.#measure());
    this.#resized.observe(this.element);
  }

  get layout(): GridLayout {
    return this.#layout;
  }

  get sheet(): DrawnSheet {
    return this.#sheet;
  }

  get pixel(): number {
    return 1 / devicePixelRatio;
  }

  /** Shows a sheet, or another version of it. */
  show(sheet: DrawnSheet): void {
    if (sheet === this.#sheet) return;
    const place = sheet.zoom === this.#sheet.zoom ? null : placeIn(sheet, this.#sheet, this.#place);
    this.#sheet = sheet;
    if (place) this.scrollTo(place);
    this.#extend();
    this.#laidOut();
    this.#paintSoon(true);
  }

  showOverlay(overlay: Overlay): void {
    this.#overlay = overlay;
    this.#paintSoon(false);
  }

  /** The theme is another one. */
  recolor(): void {
    this.#palette = null;
    this.#paintSoon(true);
  }

  /** Draws everything again, for what the sheet does not say: a font has come. */
  refresh(): void {
    this.#isStale = true;
    this.#paintSoon(true);
  }

  get place(): { readonly x: number; readonly y: number } {
    return this.#place;
  }

  /** Scrolls to a place of the sheet. */
  scrollTo({ x, y }: { readonly x: number; readonly y: number }): void {
    const place = { x: Math.max(0, x), y: Math.max(0, y) };
    this.#place = place;
    this.#extend();
    const left = this.#across.positionOf(place.x);
    this.scroller.scrollLeft = this.#sheet.isRightToLeft ? -left : left;
    this.scroller.scrollTop = this.#down.positionOf(place.y);
    this.#laidOut();
    this.#paintSoon(true);
  }

  /** Scrolls as little as is needed for a cell to be seen. */
  reveal({ row, column }: CellPosition): void {
    const { rows, columns, frozenRows, frozenColumns } = this.#sheet;
    const { scrolled } = this.#layout;
    const shifted = (axis: typeof rows, index: number, frozen: number, place: number, room: number) => {
      if (index < frozen) return place;
      const start = axis.offsetOf(index) - axis.offsetOf(frozen);
      const end = start + axis.sizeOf(index);
      if (start < place) return start;
      return end > place + room ? Math.min(start, end - room) : place;
    };
    const room = {
      width: Math.max(scrolled.width, this.#across.room),
      height: Math.max(scrolled.height, this.#down.room),
    };
    const x = shifted(columns, column, frozenColumns, this.#place.x, room.width);
    const y = shifted(rows, row, frozenRows, this.#place.y, room.height);
    if (x !== this.#place.x || y !== this.#place.y) this.scrollTo({ x, y });
  }

  /** How many rows and columns are seen at once, for moving by pages. */
  get pageSize(): { readonly rows: number; readonly columns: number } {
    const { range } = this.#layout.panes.at(-1)!;
    return {
      rows: Math.max(1, range[2] - range[0] - 1),
      columns: Math.max(1, range[3] - range[1] - 1),
    };
  }

  /** Where cells stand on the page; null where they are not seen. */
  rectOf(range: Area): Rect | null {
    return this.#layout.rectsOf(range)[0]?.rect ?? null;
  }

  rectOfCell(cell: CellPosition): Rect | null {
    return this.rectOf(this.#sheet.mergeAt(cell.row, cell.column) ?? rangeOf(cell));
  }

  /** The place of an event in the grid. */
  placeOf({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) {
    const { left, top } = this.#cells.canvas.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    this.#resized.disconnect();
    this.element.remove();
  }

  #measure(): void {
    const { clientWidth, clientHeight } = this.scroller;
    const { active } = this.#overlay.selection;
    const wasSeen = clientHeight < this.#height && this.rectOfCell(active) !== null;
    this.#width = clientWidth;
    this.#height = clientHeight;
    for (const { canvas } of [this.#cells, this.#over]) {
      canvas.width = Math.max(1, Math.round(clientWidth * devicePixelRatio));
      canvas.height = Math.max(1, Math.round(clientHeight * devicePixelRatio));
      canvas.style.width = `${clientWidth}px`;
      canvas.style.height = `${clientHeight}px`;
    }
    this.#begin();
    this.#extend();
    this.#laidOut();
    // The keyboard of a phone takes its room from the cells.
    if (wasSeen) this.reveal(active);
    // A canvas of another size is empty: it is drawn before it is seen.
    this.#isStale = true;
    this.#paintsCells = true;
    this.#paint();
  }

  /** The bar of a sheet from right to left is at the left; what lies over the cells begins behind it, as `desk.css` says. */
  #begin(): void {
    const start = `${this.scroller.clientLeft}px`;
    for (const { canvas } of [this.#cells, this.#over]) canvas.style.left = start;
    this.element.parentElement?.style.setProperty('--grid-start', start);
  }

  #scrolled(): void {
    const { scrollLeft, scrollTop } = this.scroller;
    const place = {
      x: this.#across.placeOf(Math.abs(scrollLeft)),
      y: this.#down.placeOf(scrollTop),
    };
    // It comes also for what `scrollTo` has done, whose place is the exact one.
    const isSame = Math.abs(place.x - this.#place.x) <= 1 && Math.abs(place.y - this.#place.y) <= 1;
    if (isSame) return;
    this.#place = place;
    this.#extend();
    this.#laidOut();
    this.#paintSoon(true);
  }

  /** Gives the scrolled element the length for what is used and seen, and some more. */
  #extend(): void {
    const { rows, columns, used, frozenRows, frozenColumns, isRightToLeft } = this.#sheet;
    const { selection } = this.#overlay;
    const { headerWidth, headerHeight } = this.#layout;
    const extent = (
      axis: typeof rows,
      frozen: number,
      last: number,
      spare: number,
      place: number,
      room: number,
    ) => {
      const before = axis.offsetOf(frozen);
      const seen = axis.indexAt(before + place + room);
      const end = axis.offsetOf(Math.min(axis.count, Math.max(last, seen) + spare));
      return new ScrollRoom(Math.max(end, before) - before, Math.max(0, room - before));
    };
    const { row, column } = selection.active;
    this.#down = extent(
      rows,
      frozenRows,
      Math.max(used?.[2] ?? 0, row),
      spareRows,
      this.#place.y,
      this.#height - headerHeight,
    );
    this.#across = extent(
      columns,
      frozenColumns,
      Math.max(used?.[3] ?? 0, column),
      spareColumns,
      this.#place.x,
      this.#width - headerWidth,
    );
    const dir = isRightToLeft ? 'rtl' : 'ltr';
    if (this.scroller.dir !== dir) {
      this.scroller.dir = dir;
      this.#begin();
    }
    const width = headerWidth + columns.offsetOf(frozenColumns) + this.#across.elementLength;
    const height = headerHeight + rows.offsetOf(frozenRows) + this.#down.elementLength;
    this.#spacer.style.width = `${width}px`;
    this.#spacer.style.height = `${height}px`;
  }

  #makeLayout(): GridLayout {
    return new GridLayout({
      sheet: this.#sheet,
      width: this.#width,
      height: this.#height,
      scroll: this.#place,
      pixelRatio: devicePixelRatio,
    });
  }

  #laidOut(): void {
    this.#layout = this.#makeLayout();
    this.#options.onLayout(this.#layout);
  }

  /** How far rows have moved since the cells were drawn, where nothing else is different; null if they are to be drawn anew. */
  #scrolledSincePainted(): number | null {
    const before = this.#painted;
    if (!before || before.palette !== this.#palette || this.#isStale) return null;
    const { layout, place } = before;
    const now = this.#layout;
    const isLike =
      layout.sheet === now.sheet &&
      layout.width === now.width &&
      layout.height === now.height &&
      layout.headerWidth === now.headerWidth &&
      layout.headerHeight === now.headerHeight &&
      place.x === this.#place.x;
    const onPixel = (length: number) => Math.round(length * devicePixelRatio) / devicePixelRatio;
    const down = onPixel(this.#place.y) - onPixel(place.y);
    const [pane, paneBefore] = [now.panes.at(-1)!.rect, layout.panes.at(-1)!.rect];
    const isShort = Math.abs(down) < pane.height * 0.7 && pane.height === paneBefore.height;
    return isLike && isShort && down !== 0 ? down : null;
  }

  #paintSoon(cells: boolean): void {
    this.#paintsCells ||= cells;
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#paint());
  }

  #paint(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.#width === 0 || this.#height === 0) return;
    const started = performance.now();
    this.#palette ??= readPalette(this.element);
    const ratio = devicePixelRatio;
    if (this.#paintsCells) {
      this.#paintsCells = false;
      this.#cells.setTransform(ratio, 0, 0, ratio, 0, 0);
      const down = this.#scrolledSincePainted();
      if (down !== null) this.#gridPainter.scroll(this.#layout, this.#palette, 1 / ratio, down);
      else {
        this.#cells.fillStyle = this.#palette.header;
        this.#cells.fillRect(0, 0, this.#width, this.#height);
        this.#gridPainter.paint(this.#layout, this.#palette, 1 / ratio);
      }
      this.#isStale = false;
      this.#painted = { layout: this.#layout, palette: this.#palette, place: this.#place };
    }
    this.#over.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#overlayPainter.paint(this.#layout, this.#overlay, this.#palette, 1 / ratio);
    this.paintMs = performance.now() - started;
  }
}

/** Where a sheet is scrolled to at another zoom, so that it begins with the same cell. */
function placeIn(
  sheet: DrawnSheet,
  before: DrawnSheet,
  { x, y }: { readonly x: number; readonly y: number },
) {
  const along = (axis: Axis, from: Axis, frozen: number, place: number) => {
    const offset = from.offsetOf(frozen) + place;
    const index = from.indexAt(offset);
    const part = (offset - from.offsetOf(index)) / Math.max(1, from.sizeOf(index));
    return axis.offsetOf(index) + part * axis.sizeOf(index) - axis.offsetOf(frozen);
  };
  return {
    x: along(sheet.columns, before.columns, before.frozenColumns, x),
    y: along(sheet.rows, before.rows, before.frozenRows, y),
  };
}
