import type { CellLook, DrawnCell, Filler, Horizontal, TextLook, TextRun } from './drawn-sheet.ts';
import type { Pen } from './pen.ts';
import type { Rect } from './rect.ts';
import {
  directionOf,
  fontOf,
  type LaidOutText,
  layoutText,
  type Measure,
  type TextLine,
  type TextPiece,
} from './text-layout.ts';

/** What a font says of its letters, in pixels. */
export interface FontHeights {
  readonly ascent: number;
  readonly descent: number;
}

/** What text is measured by. */
export interface FontMeasures {
  readonly measure: Measure;
  heights(font: string): FontHeights;
}

/** A general number with as many digits as fit; what {@link TextPainter} asks for. */
export type FitNumber = (value: number, fits: (text: string) => boolean) => string | null;

export interface TextPainterOptions {
  readonly context: CanvasRenderingContext2D;
  /** What all painters of this canvas draw with. */
  readonly pen: Pen;
  readonly measures: FontMeasures;
  readonly zoom: number;
  /** The colour of text that has this one, or none. */
  readonly colorOf: (color: string | null) => string;
  readonly fitNumber: FitNumber;
}

/** Room between the text and the edge of its cell, at a zoom of 1. */
const paddingPx = 3;
const indentPx = 9;

/** Where text begins that nobody has aligned. */
export function sideOf({ kind, text, look }: DrawnCell): Exclude<Horizontal, 'general'> {
  if (look.horizontal !== 'general') return look.horizontal;
  if (kind === 'number') return 'right';
  if (kind === 'boolean' || kind === 'error') return 'center';
  return directionOf(text) === 'rtl' ? 'right' : 'left';
}

/** Whether a text may reach over its cell into empty ones beside it. */
export function mayOverflow({ kind, look }: DrawnCell): boolean {
  if (kind !== 'text' || look.wrap || look.shrink || look.rotation !== 0) return false;
  return look.horizontal !== 'fill' && look.horizontal !== 'justify' && look.horizontal !== 'distributed';
}

/** Whether a text stands aslant in its cell, and so over those beside it, whatever is in them. */
export const isSlanted = ({ look }: DrawnCell): boolean =>
  typeof look.rotation === 'number' && look.rotation !== 0 && Math.abs(look.rotation) < 90 && !wraps(look);

/** How far the text of a cell reaches over its edges, in pixels; 0 where it fits. */
export function overflowOf(
  cell: DrawnCell,
  width: number,
  { measures, zoom }: Pick<TextPainterOptions, 'measures' | 'zoom'>,
): { readonly before: number; readonly after: number } {
  const text = laidOut(cell, zoom, null, measures);
  const padding = paddingPx * zoom;
  const indent = cell.look.indent * indentPx * zoom;
  const over = text.width + 2 * padding + indent - width;
  if (over <= 0) return { before: 0, after: 0 };
  switch (sideOf(cell)) {
    case 'right':
      return { before: over, after: 0 };
    case 'center':
    case 'centerContinuous':
      return { before: over / 2, after: over / 2 };
    default:
      return { before: 0, after: over };
  }
}

/** Lines of cells as they were laid out last: a cell that is drawn again is not measured again. */
const known = new WeakMap<DrawnCell, { zoom: number; width: number | null; text: LaidOutText }>();

function laidOut(
  cell: DrawnCell,
  zoom: number,
  width: number | null,
  { measure }: FontMeasures,
): LaidOutText {
  const last = known.get(cell);
  if (last && last.zoom === zoom && last.width === width) return last.text;
  const text = layoutText(runsOf(cell), zoom, width, measure);
  known.set(cell, { zoom, width, text });
  return text;
}

/** What a cell says; where it is not broken into lines, its line breaks are not seen. */
function runsOf({ runs, text, look }: DrawnCell): readonly TextRun[] {
  const all = runs ?? [{ text, look: look.text }];
  if (wraps(look) || !/[\r\n]/.test(text)) return all;
  return all.map((run) => ({ ...run, text: run.text.replaceAll(/[\r\n]+/g, '') }));
}

/** Width in pixels that text has in a cell that is so wide. */
export const roomFor = (width: number, zoom: number): number => Math.max(1, width - 2 * paddingPx * zoom);

/** Height in pixels that the text of a cell needs; `width` is that of the cell. */
export function neededHeight(cell: DrawnCell, zoom: number, width: number, measures: FontMeasures): number {
  const room = wraps(cell.look) ? roomFor(width, zoom) : null;
  const { width: textWidth, height } = layoutText(runsOf(cell), zoom, room, measures.measure);
  const { rotation } = cell.look;
  if (rotation === 'stacked') return [...cell.text].length * height;
  const turn = (Math.abs(rotation) * Math.PI) / 180;
  return height * Math.cos(turn) + textWidth * Math.sin(turn);
}

/** Width in pixels that the text of a cell needs where it is not broken. */
export function neededWidth(cell: DrawnCell, zoom: number, measures: FontMeasures): number {
  const laid = layoutText(runsOf(cell), zoom, null, measures.measure).width;
  // A blank at the end, as accounting formats have it, is part of a number.
  const isNumber = cell.kind === 'number' && cell.runs === null;
  const width = isNumber ? Math.max(laid, measures.measure(cell.text, fontOf(cell.look.text, zoom))) : laid;
  return width + (2 * paddingPx + cell.look.indent * indentPx) * zoom;
}

const wraps = ({ wrap, horizontal }: CellLook): boolean =>
  wrap || horizontal === 'justify' || horizontal === 'distributed';

/** Draws the text of cells. */
export class TextPainter {
  readonly #context: CanvasRenderingContext2D;
  readonly #options: TextPainterOptions;

  constructor(options: TextPainterOptions) {
    this.#options = options;
    this.#context = options.context;
  }

  /** Draws into a rectangle; what is outside of `clip` is not seen. */
  paint(cell: DrawnCell, rect: Rect, clip: Rect): void {
    const context = this.#context;
    const shown = this.#fitting(cell, rect.width);
    if (shown.text === '') return;
    if (shown.filler && shown.text === cell.text && this.#fitsLevel(shown, clip)) {
      this.#filled(shown, shown.filler, rect);
      return;
    }
    if (this.#fitsLevel(shown, clip)) {
      this.#level(shown, rect);
      return;
    }
    context.save();
    context.beginPath();
    context.rect(clip.x, clip.y, clip.width, clip.height);
    context.clip();
    if (shown.look.rotation === 'stacked') this.#stacked(shown, rect);
    else if (shown.look.rotation === 0) this.#level(shown, rect);
    else this.#rotated(shown, rect, shown.look.rotation);
    context.restore();
    this.#options.pen.forget();
  }

  /** Text that does not reach over the edges is drawn without the cost of cutting it off there. */
  #fitsLevel(cell: DrawnCell, clip: Rect): boolean {
    const { look } = cell;
    if (look.rotation !== 0 || look.shrink || wraps(look) || look.horizontal === 'fill') return false;
    const { zoom, measures } = this.#options;
    const text = laidOut(cell, zoom, null, measures);
    const room = clip.width - (2 * paddingPx + look.indent * indentPx) * zoom;
    return text.width <= room && text.height <= clip.height;
  }

  /** A number for which there is no room has fewer digits, or is not shown at all. */
  #fitting(cell: DrawnCell, width: number): DrawnCell {
    const { zoom, measures, fitNumber } = this.#options;
    const { look, text, general } = cell;
    if (cell.kind !== 'number' || look.wrap || look.shrink || look.rotation !== 0) return cell;
    const font = fontOf(look.text, zoom);
    // One pixel less than the padding of both sides, as other programs allow.
    const room = width - (paddingPx + 1) * zoom;
    const fits = (shown: string) => measures.measure(shown, font) <= room;
    if (fits(text)) return cell;
    const shorter = general === null ? null : fitNumber(general, fits);
    if (shorter !== null) return { ...cell, text: shorter };
    const hash = Math.max(0, Math.floor(room / measures.measure('#', font)));
    return { ...cell, text: '#'.repeat(hash), runs: null };
  }

  #level(cell: DrawnCell, rect: Rect): void {
    const { zoom, measures } = this.#options;
    const { look } = cell;
    const side = sideOf(cell);
    const padding = paddingPx * zoom;
    const indent = look.indent * indentPx * zoom;
    const room = rect.width - 2 * padding - (side === 'left' || side === 'right' ? indent : 0);
    const shownZoom = look.shrink && !look.wrap ? this.#shrunk(cell, room) : zoom;
    const width = wraps(look) ? Math.max(1, room) : null;
    let text = laidOut(cell, shownZoom, width, measures);
    if (side === 'fill') text = this.#repeated(cell, text, room);
    const start = rect.x + padding + (side === 'left' || side === 'fill' ? indent : 0);
    let y = rect.y + this.#startOf(look, text, rect.height);
    const isLastLine = (line: TextLine) => line === text.lines.at(-1);
    for (const line of text.lines) {
      const left = room - line.width;
      const isSpread = (side === 'justify' && !isLastLine(line)) || side === 'distributed';
      const x =
        side === 'right'
          ? start + left
          : side === 'center' || side === 'centerContinuous'
            ? start + left / 2
            : start;
      if (isSpread && left > 0) this.#spread(line, start, y, room, cell.color);
      else this.#line(line, x, y, cell.color);
      y += line.height;
    }
  }

  /** A number whose format has its parts at both edges of the cell, and a sign over and over between them. */
  #filled(cell: DrawnCell, { at, sign }: Filler, rect: Rect): void {
    const { zoom, measures } = this.#options;
    const look = cell.look.text;
    const font = fontOf(look, zoom);
    const [before, after] = [cell.text.slice(0, at), cell.text.slice(at)];
    const padding = paddingPx * zoom;
    const widths = [before, after].map((text) => measures.measure(text, font));
    const room = rect.width - 2 * padding - widths[0]! - widths[1]!;
    const count = sign === ' ' ? 0 : Math.max(0, Math.floor(room / measures.measure(sign, font)));
    const { lines, height } = laidOut(cell, zoom, null, measures);
    const y = rect.y + this.#startOf(cell.look, { lines, width: 0, height }, rect.height);
    const start = { text: before + sign.repeat(count), look, font, x: 0, width: widths[0]! };
    const end = { text: after, look, font, x: 0, width: widths[1]! };
    const line = { height, width: 0 };
    this.#line({ ...line, pieces: [start] }, rect.x + padding, y, cell.color);
    this.#line({ ...line, pieces: [end] }, rect.x + rect.width - padding - end.width, y, cell.color);
  }

  /** Where the first line begins, from the upper edge of the cell. */
  #startOf({ vertical }: CellLook, { lines, height }: LaidOutText, room: number): number {
    // Of more lines than there is room for the first are seen.
    if (height > room && lines.length > 1) return 0;
    switch (vertical) {
      case 'top':
      case 'justify':
        return 0;
      case 'center':
      case 'distributed':
        return (room - height) / 2;
      case 'bottom':
        return room - height - 1;
    }
  }

  #shrunk(cell: DrawnCell, room: number): number {
    const { zoom, measures } = this.#options;
    const { width } = laidOut(cell, zoom, null, measures);
    return width <= room ? zoom : Math.max(0.1, (zoom * room) / width);
  }

  #repeated(cell: DrawnCell, { width }: LaidOutText, room: number): LaidOutText {
    const { zoom, measures } = this.#options;
    const times = width > 0 ? Math.max(1, Math.floor(room / width)) : 1;
    return layoutText(
      [{ text: cell.text.repeat(times), look: cell.look.text }],
      zoom,
      null,
      measures.measure,
    );
  }

  #stacked(cell: DrawnCell, rect: Rect): void {
    const { zoom, measures } = this.#options;
    const look = cell.look.text;
    const letters = [...cell.text].map((text) => layoutText([{ text, look }], zoom, null, measures.measure));
    const height = letters.reduce((sum, letter) => sum + letter.height, 0);
    let y = rect.y + this.#startOf(cell.look, { lines: [], width: 0, height }, rect.height);
    for (const { lines, width, height: letterHeight } of letters) {
      this.#line(lines[0]!, rect.x + (rect.width - width) / 2, y, cell.color);
      y += letterHeight;
    }
  }

  #rotated(cell: DrawnCell, rect: Rect, degrees: number): void {
    const { zoom, measures } = this.#options;
    const context = this.#context;
    const { look } = cell;
    const padding = paddingPx * zoom;
    const turn = (-degrees * Math.PI) / 180;
    const width = wraps(look) ? Math.max(1, rect.height - 2 * padding) : null;
    const text = laidOut(cell, zoom, width, measures);
    const [sine, cosine] = [Math.abs(Math.sin(turn)), Math.abs(Math.cos(turn))];
    const boxWidth = text.width * cosine + text.height * sine;
    const boxHeight = text.width * sine + text.height * cosine;
    const side =
      look.horizontal === 'general' ? (Math.abs(degrees) === 90 ? 'center' : 'left') : look.horizontal;
    const centerX =
      side === 'right'
        ? rect.x + rect.width - padding - boxWidth / 2
        : side === 'left'
          ? rect.x + padding + boxWidth / 2
          : rect.x + rect.width / 2 + (isSlanted(cell) ? leanOf(degrees, boxWidth, text.height * sine) : 0);
    const centerY =
      look.vertical === 'top'
        ? rect.y + padding + boxHeight / 2
        : look.vertical === 'bottom'
          ? rect.y + rect.height - padding - boxHeight / 2
          : rect.y + rect.height / 2;
    context.translate(centerX, centerY);
    context.rotate(turn);
    let y = -text.height / 2;
    for (const line of text.lines) {
      this.#line(line, -line.width / 2, y, cell.color);
      y += line.height;
    }
  }

  /** A line whose words stand as far apart as there is room. */
  #spread(line: TextLine, x: number, y: number, room: number, color: string | null): void {
    const { measure } = this.#options.measures;
    const words = line.pieces.flatMap((piece) =>
      piece.text
        .split(/\s+/)
        .filter((word) => word !== '')
        .map((text) => ({ ...piece, text, width: measure(text, piece.font) })),
    );
    const taken = words.reduce((sum, { width }) => sum + width, 0);
    const gap = words.length > 1 ? (room - taken) / (words.length - 1) : 0;
    let at = 0;
    const pieces = words.map((word) => {
      const piece = { ...word, x: at };
      at += word.width + gap;
      return piece;
    });
    this.#line({ ...line, pieces }, x, y, color);
  }

  #line({ pieces, height }: TextLine, x: number, y: number, color: string | null): void {
    const context = this.#context;
    const isTurned = pieces.length > 1 && directionOf(pieces.map(({ text }) => text).join('')) === 'rtl';
    const end = pieces.reduce((sum, { width }) => sum + width, 0);
    for (const piece of pieces) {
      const { font, text, look, width } = piece;
      const { ascent, descent } = this.#options.measures.heights(font);
      const baseline = y + (height - ascent - descent) / 2 + ascent + raiseOf(look, height);
      const left = x + (isTurned ? end - piece.x - width : piece.x);
      this.#options.pen.use(font, this.#options.colorOf(look.color ?? color), directionOf(text));
      context.fillText(text, left, baseline);
      this.#lines(piece, left, baseline);
    }
  }

  #lines({ look, width }: TextPiece, x: number, baseline: number): void {
    const { underline, strike, sizePx } = look;
    if (underline === 'none' && !strike) return;
    const size = sizePx * this.#options.zoom;
    const thickness = Math.max(1, Math.round(size / 14));
    const stripe = (y: number) => this.#context.fillRect(x, Math.round(y), width, thickness);
    if (underline !== 'none') stripe(baseline + size * 0.1);
    if (underline === 'double') stripe(baseline + size * 0.1 + 2 * thickness);
    if (strike) stripe(baseline - size * 0.28);
  }
}

/** How far the middle of a slanted text is beside its lower end, which is in the middle of its cell. */
const leanOf = (degrees: number, boxWidth: number, endWidth: number): number =>
  ((boxWidth - endWidth) / 2) * Math.sign(degrees);

const raiseOf = ({ script }: TextLook, height: number): number => {
  if (script === 'normal') return 0;
  return script === 'super' ? -height * 0.16 : height * 0.12;
};
