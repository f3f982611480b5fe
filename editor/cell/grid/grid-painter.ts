import type { Area } from '../../../model/cell/area.ts';
import { BorderPainter } from './border-painter.ts';
import { cornerOf, isSameRange, rangeOf, unionOf } from './cell-areas.ts';
import type { CellMarks, DrawnCell, DrawnSheet } from './drawn-sheet.ts';
import { colorBehindText, paintFill } from './fill-painter.ts';
import type { GridLayout, Pane } from './grid-layout.ts';
import { type Palette, textColor } from './palette.ts';
import { Pen } from './pen.ts';
import type { Rect } from './rect.ts';
import {
  type FitNumber,
  type FontMeasures,
  isSlanted,
  mayOverflow,
  overflowOf,
  TextPainter,
} from './text-painter.ts';

/** A cell, or merged cells, with the place where they are drawn. */
interface PlacedCell {
  readonly cell: DrawnCell;
  readonly range: Area;
  readonly rect: Rect;
}

export interface GridPainterOptions {
  readonly context: CanvasRenderingContext2D;
  readonly measures: FontMeasures;
  readonly fitNumber: FitNumber;
}

/** So far an empty stretch before what is seen is searched for text that reaches into it. */
const longestReach = 40;
const markPx = 6;
const buttonPx = 15;

/** Draws the cells of what is seen of a sheet. */
export class GridPainter {
  readonly #options: GridPainterOptions;

  constructor(options: GridPainterOptions) {
    this.#options = options;
  }

  /** @param pixel a pixel of the screen in pixels of CSS */
  paint(layout: GridLayout, palette: Palette, pixel: number): void {
    for (const pane of layout.panes) {
      if (pane.rect.width <= 0 || pane.rect.height <= 0) continue;
      new PanePainter(this.#options, layout, pane, palette, pixel).paint();
    }
  }

  /**
   * Draws what has come into sight since the rows were scrolled by a length; what was seen before is moved there. The sheet,
   * the size and everything else must be as they were.
   * @param down in pixels of CSS, and whole ones of the screen; less than 0 upwards
   */
  scroll(layout: GridLayout, palette: Palette, pixel: number, down: number): void {
    const { context } = this.#options;
    for (const pane of layout.panes) {
      const { rect, range } = pane;
      if (!pane.scrollsDown || rect.width <= 0) continue;
      const kept = rect.height - Math.abs(down);
      const [from, to] = down > 0 ? [rect.y + down, rect.y] : [rect.y, rect.y - down];
      context.drawImage(
        context.canvas,
        ...[rect.x / pixel, from / pixel, rect.width / pixel, kept / pixel],
        ...([rect.x, to, rect.width, kept] as const),
      );
      // Lines between rows lie on the rows before them.
      const over = 3 * pixel;
      const strip = {
        ...rect,
        y: down > 0 ? rect.y + kept - over : rect.y,
        height: Math.abs(down) + over,
      };
      const first = layout.cellAt(rect.x, strip.y).row;
      const last = layout.cellAt(rect.x, strip.y + strip.height).row;
      const rows: Area = [Math.max(range[0], first - 1), range[1], Math.min(range[2], last + 1), range[3]];
      new PanePainter(this.#options, layout, { ...pane, rect: strip, range: rows }, palette, pixel).paint();
    }
  }
}

/** Draws one pane once. */
class PanePainter {
  readonly #context: CanvasRenderingContext2D;
  readonly #options: GridPainterOptions;
  readonly #layout: GridLayout;
  readonly #sheet: DrawnSheet;
  readonly #pane: Pane;
  readonly #palette: Palette;
  readonly #pixel: number;
  readonly #cells: PlacedCell[] = [];
  readonly #merged: PlacedCell[] = [];

  constructor(options: GridPainterOptions, layout: GridLayout, pane: Pane, palette: Palette, pixel: number) {
    this.#options = options;
    this.#context = options.context;
    this.#layout = layout;
    this.#sheet = layout.sheet;
    this.#pane = pane;
    this.#palette = palette;
    this.#pixel = pixel;
  }

  paint(): void {
    const context = this.#context;
    const { rect } = this.#pane;
    context.save();
    context.beginPath();
    context.rect(rect.x, rect.y, rect.width, rect.height);
    context.clip();
    context.fillStyle = this.#palette.page;
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    if (this.#sheet.showsGridlines) this.#gridlines();
    this.#gather();
    for (const placed of this.#cells) this.#fill(placed);
    for (const placed of this.#merged) this.#fillMerged(placed);
    this.#texts();
    this.#borders();
    for (const placed of [...this.#cells, ...this.#merged]) this.#marks(placed);
    context.restore();
  }

  #gridlines(): void {
    const context = this.#context;
    const { rect, range } = this.#pane;
    const { rows, columns } = this.#sheet;
    const origin = this.#layout.rectIn(this.#pane, rangeOf(cornerOf(range)));
    context.fillStyle = this.#palette.gridline;
    const top = origin.y - rows.offsetOf(range[0]);
    const bottom = Math.min(rect.y + rect.height, top + rows.offsetOf(range[2] + 1));
    for (let row: number | null = range[0]; row !== null && row <= range[2]; row = rows.next(row)) {
      const y = top + rows.offsetOf(row + 1) - this.#pixel;
      context.fillRect(rect.x, y, rect.width, this.#pixel);
    }
    for (let column: number | null = range[1]; column !== null && column <= range[3]; ) {
      const cell = this.#layout.rectIn(this.#pane, rangeOf({ row: range[0], column }));
      const x = this.#sheet.isRightToLeft ? cell.x : cell.x + cell.width - this.#pixel;
      context.fillRect(x, rect.y, this.#pixel, bottom - rect.y);
      column = columns.next(column);
    }
  }

  /** The cells that are drawn in this pane; one of merged cells stands for all of them. */
  #gather(): void {
    const sheet = this.#sheet;
    const { range } = this.#pane;
    const { rows, columns } = sheet;
    const merges = sheet.mergesIn(range);
    for (let row: number | null = range[0]; row !== null && row <= range[2]; row = rows.next(row)) {
      if (rows.isHidden(row)) continue;
      for (let column: number | null = range[1]; column !== null && column <= range[3]; ) {
        const cell = columns.isHidden(column) ? null : sheet.cellAt(row, column);
        if (cell && !(merges.length > 0 && sheet.mergeAt(row, column))) {
          const one = rangeOf({ row, column });
          this.#cells.push({ cell, range: one, rect: this.#layout.rectIn(this.#pane, one) });
        }
        column = columns.next(column);
      }
    }
    for (const merge of merges) {
      const cell = sheet.cellAt(merge[0], merge[1]);
      const rect = this.#layout.rectIn(this.#pane, merge);
      if (cell && rect.width > 0 && rect.height > 0) this.#merged.push({ cell, range: merge, rect });
    }
  }

  /** Also over the lines before it, which belong to the cells there. */
  #withEdges({ x, y, width, height }: Rect): Rect {
    const pixel = this.#pixel;
    return { x: x - pixel, y: y - pixel, width: width + pixel, height: height + pixel };
  }

  #fill({ cell, rect }: PlacedCell): void {
    const { fill } = cell.look;
    if (fill) paintFill(this.#context, fill, this.#withEdges(rect), this.#palette.page);
    this.#bar(cell, rect);
  }

  /** Merged cells have no lines inside. */
  #fillMerged({ cell, rect, range }: PlacedCell): void {
    const context = this.#context;
    const { fill } = cell.look;
    if (fill) {
      this.#fill({ cell, rect, range });
      return;
    }
    context.fillStyle = this.#palette.page;
    context.fillRect(rect.x, rect.y, rect.width - this.#pixel, rect.height - this.#pixel);
    this.#bar(cell, rect);
  }

  #bar({ bar, icon, look, color, text: shown }: DrawnCell, rect: Rect): void {
    const { isRightToLeft, zoom, conditionPainters: painters } = this.#sheet;
    if (bar && painters) {
      const fill = colorBehindText(look.fill, this.#palette.page);
      const text = shown === '' ? null : textColor(this.#palette, look.text.color ?? color, fill);
      painters.paintBar(this.#context, bar, rect, {
        ground: { page: fill ?? this.#palette.page, text },
        axisColor: this.#palette.headerText,
        ...{ pixel: this.#pixel, isRightToLeft },
      });
    }
    if (icon) painters?.paintIcon(this.#context, icon, rect, zoom, isRightToLeft);
  }

  #texts(): void {
    const { zoom } = this.#sheet;
    const pen = new Pen(this.#context);
    const options = { ...this.#options, zoom, pen };
    const painterFor = (fill: string | null) =>
      new TextPainter({ ...options, colorOf: (color) => textColor(this.#palette, color, fill) });
    const painters = new Map<string | null, TextPainter>();
    const paint = (placed: PlacedCell, rect: Rect, clip: Rect) => {
      const behind = colorBehindText(placed.cell.look.fill, this.#palette.page);
      let painter = painters.get(behind);
      if (!painter) {
        painter = painterFor(behind);
        painters.set(behind, painter);
      }
      const { isRightToLeft, conditionPainters } = this.#sheet;
      const beside = (whole: Rect) =>
        (placed.cell.icon && conditionPainters?.besideIcon(whole, zoom, isRightToLeft)) || whole;
      const [own, seen] = [beside(rect), beside(clip)];
      painter.paint(placed.cell, own, seen);
    };
    for (const placed of [...this.#cells, ...this.#before()]) {
      if (placed.cell.text === '') continue;
      if (isSlanted(placed.cell)) {
        const { x, width } = this.#pane.rect;
        paint(placed, placed.rect, { ...placed.rect, x, width });
        continue;
      }
      const continuous = placed.cell.look.horizontal === 'centerContinuous';
      const over = continuous ? this.#continued(placed) : this.#reach(placed);
      if (over === null) paint(placed, placed.rect, placed.rect);
      else {
        this.#clearLines(placed.range[0], over, placed.rect);
        pen.forget();
        paint(placed, continuous ? over.rect : placed.rect, over.rect);
      }
    }
    for (const placed of this.#merged) paint(placed, placed.rect, placed.rect);
  }

  /** Text that stands before what is seen and reaches into it. */
  *#before(): Iterable<PlacedCell> {
    const sheet = this.#sheet;
    const { range } = this.#pane;
    const { rows, columns } = sheet;
    for (const edge of [
      { from: range[1], step: -1 },
      { from: range[3], step: 1 },
    ]) {
      for (let row: number | null = range[0]; row !== null && row <= range[2]; row = rows.next(row)) {
        if (isFilled(sheet.cellAt(row, edge.from))) continue;
        for (let reach = 1; reach <= longestReach; reach++) {
          const column = edge.from + edge.step * reach;
          if (column < 0 || column >= columns.count) break;
          const cell = sheet.cellAt(row, column);
          if (!isFilled(cell)) continue;
          const one = rangeOf({ row, column });
          if (cell && mayOverflow(cell) && !columns.isHidden(column) && !sheet.mergeAt(row, column)) {
            yield { cell, range: one, rect: this.#layout.rectIn(this.#pane, one) };
          }
          break;
        }
      }
    }
  }

  /** The room that text which is too long takes of empty cells; null where it keeps to its own. */
  #reach({ cell, range, rect }: PlacedCell): { rect: Rect; from: number; to: number } | null {
    if (!mayOverflow(cell)) return null;
    const { zoom, columns, isRightToLeft } = this.#sheet;
    const over = overflowOf(cell, rect.width, { measures: this.#options.measures, zoom });
    const [atStart, atEnd] = isRightToLeft ? [over.after, over.before] : [over.before, over.after];
    if (atStart === 0 && atEnd === 0) return null;
    const take = (needed: number, step: (at: number) => number | null) => {
      let taken = 0;
      let last = range[1];
      for (let at = step(range[1]); at !== null && taken < needed; at = step(at)) {
        if (!this.#isFree(range[0], at)) break;
        taken += columns.sizeOf(at);
        last = at;
      }
      return last;
    };
    const from = take(atStart, (at) => columns.previous(at));
    const to = take(atEnd, (at) => columns.next(at));
    const all = unionOf(range, [range[0], from, range[2], to]);
    return { rect: this.#layout.rectIn(this.#pane, all), from, to };
  }

  /** Text that is centred over the empty cells behind it which ask for the same. */
  #continued({ range }: PlacedCell): { rect: Rect; from: number; to: number } | null {
    const { columns } = this.#sheet;
    let to = range[1];
    for (let at = columns.next(to); at !== null; at = columns.next(at)) {
      const cell = this.#sheet.cellAt(range[0], at);
      if (cell?.text !== '' || cell.look.horizontal !== 'centerContinuous') break;
      to = at;
    }
    if (to === range[1]) return null;
    return { rect: this.#layout.rectIn(this.#pane, [range[0], range[1], range[2], to]), from: range[1], to };
  }

  #isFree(row: number, column: number): boolean {
    return !isFilled(this.#sheet.cellAt(row, column)) && this.#sheet.mergeAt(row, column) === null;
  }

  /** No lines between cells run through text. */
  #clearLines(row: number, { from, to }: { from: number; to: number }, { y, height }: Rect): void {
    const context = this.#context;
    if (!this.#sheet.showsGridlines) return;
    for (let column = from; column < to; column++) {
      const [one, other] = [this.#sheet.cellAt(row, column), this.#sheet.cellAt(row, column + 1)];
      if (one?.look.fill || other?.look.fill) continue;
      const cell = this.#layout.rectIn(this.#pane, rangeOf({ row, column }));
      const x = this.#sheet.isRightToLeft ? cell.x : cell.x + cell.width - this.#pixel;
      context.fillStyle = this.#palette.page;
      context.fillRect(x, y, this.#pixel, height - this.#pixel);
    }
  }

  #borders(): void {
    const painter = new BorderPainter(this.#context, this.#pixel, (color) =>
      textColor(this.#palette, color, null),
    );
    for (const { cell, rect } of this.#cells) if (cell.look.borders) painter.add(cell.look.borders, rect);
    for (const { range } of this.#merged) this.#mergedBorders(range, painter);
    painter.paint();
  }

  /** Each of merged cells may say what its part of the edge looks like. */
  #mergedBorders(range: Area, painter: BorderPainter): void {
    const [top, left, bottom, right] = range;
    const pane = this.#pane.range;
    const visible: Area = [
      Math.max(top, pane[0] - 1),
      Math.max(left, pane[1] - 1),
      Math.min(bottom, pane[2] + 1),
      Math.min(right, pane[3] + 1),
    ];
    for (let row = visible[0]; row <= visible[2]; row++) {
      const isEdgeRow = row === top || row === bottom;
      for (let column = visible[1]; column <= visible[3]; column++) {
        if (!isEdgeRow && column !== left && column !== right) continue;
        const borders = this.#sheet.cellAt(row, column)?.look.borders;
        if (!borders) continue;
        const edges = {
          ...borders,
          top: row === top ? borders.top : null,
          bottom: row === bottom ? borders.bottom : null,
          left: column === left ? borders.left : null,
          right: column === right ? borders.right : null,
        };
        const diagonals = isSameRange(range, rangeOf({ row, column }))
          ? {}
          : { diagonalUp: null, diagonalDown: null };
        painter.add({ ...edges, ...diagonals }, this.#layout.rectIn(this.#pane, rangeOf({ row, column })));
      }
    }
  }

  #marks({ cell: { marks }, rect }: PlacedCell): void {
    if (!marks) return;
    const { x, y, width, height } = rect;
    const end = this.#sheet.isRightToLeft ? x : x + width - this.#pixel;
    const inwards = this.#sheet.isRightToLeft ? 1 : -1;
    const size = markPx * this.#sheet.zoom;
    if (marks.comment || marks.note) {
      this.#triangle(end, y, end + inwards * size, y, end, y + size, marks.comment ? '#8a4bd6' : '#d1362b');
    }
    if (marks.stale) {
      const start = this.#sheet.isRightToLeft ? x + width - this.#pixel : x;
      this.#triangle(start, y, start - inwards * size, y, start, y + size, '#2e7d32');
    }
    if (marks.filter || marks.list) this.#button(marks, end, y + height, inwards);
  }

  #triangle(x1: number, y1: number, x2: number, y2: number, x3: number, y3: number, color: string): void {
    const context = this.#context;
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.lineTo(x3, y3);
    context.fill();
  }

  #button({ filter, sorted }: CellMarks, end: number, bottom: number, inwards: number): void {
    const context = this.#context;
    const { header, headerEdge, headerText, accent, onAccent } = this.#palette;
    const rect = filterButton(end, bottom, inwards, this.#sheet.zoom);
    const isOn = filter === 'on';
    context.fillStyle = isOn ? accent : header;
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    context.strokeStyle = isOn ? accent : headerEdge;
    context.lineWidth = this.#pixel;
    context.strokeRect(rect.x, rect.y, rect.width, rect.height);
    const [middle, half] = [rect.x + rect.width / 2, rect.width / 4];
    const y = rect.y + rect.height / 2 - half / 2;
    const color = isOn ? onAccent : headerText;
    if (sorted) this.#arrow(middle, y + half / 2, sorted === 'rising' ? -half : half, color);
    else if (isOn) this.#funnel(middle, rect.y + rect.height / 5, rect.width * 0.6, color);
    else this.#triangle(middle - half, y, middle + half, y, middle, y + half, color);
  }

  /** How rows are sorted, down by a length from its middle to its tip, which is below zero where they rise. */
  #arrow(middle: number, y: number, tip: number, color: string): void {
    const half = Math.abs(tip);
    this.#triangle(middle - half, y, middle + half, y, middle, y + tip, color);
    this.#context.fillRect(middle - half / 4, y, half / 2, -tip);
  }

  /** What hides rows. */
  #funnel(middle: number, top: number, size: number, color: string): void {
    const [half, stem] = [size / 2, size / 8];
    const context = this.#context;
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(middle - half, top);
    context.lineTo(middle + half, top);
    context.lineTo(middle + stem, top + half);
    context.lineTo(middle + stem, top + size);
    context.lineTo(middle - stem, top + size * 0.85);
    context.lineTo(middle - stem, top + half);
    context.fill();
  }
}

/** Where the button of a filter or a list stands in a cell that ends there. */
export function filterButton(end: number, bottom: number, inwards: number, zoom: number): Rect {
  const size = buttonPx * zoom;
  const x = inwards < 0 ? end - size - 1 : end + 1;
  return { x, y: bottom - size - 2, width: size, height: size };
}

const isFilled = (cell: DrawnCell | null): boolean => cell !== null && cell.kind !== 'blank';
