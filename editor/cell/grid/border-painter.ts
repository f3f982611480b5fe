import type { BorderLine, Borders, LineStyle } from './drawn-sheet.ts';
import type { Rect } from './rect.ts';

/** Widths and dashes in pixels at a zoom of 1. */
const looks: Readonly<Record<LineStyle, { width: number; dash: readonly number[] }>> = {
  hair: { width: 1, dash: [1, 1] },
  dotted: { width: 1, dash: [2, 2] },
  dashDotDot: { width: 1, dash: [8, 3, 2, 3, 2, 3] },
  dashDot: { width: 1, dash: [8, 3, 2, 3] },
  dashed: { width: 1, dash: [4, 2] },
  thin: { width: 1, dash: [] },
  mediumDashDotDot: { width: 2, dash: [9, 3, 3, 3, 3, 3] },
  slantDashDot: { width: 2, dash: [9, 3, 4, 3] },
  mediumDashDot: { width: 2, dash: [9, 3, 3, 3] },
  mediumDashed: { width: 2, dash: [9, 3] },
  medium: { width: 2, dash: [] },
  thick: { width: 3, dash: [] },
  double: { width: 3, dash: [] },
};

/** Which of two lines at one edge is seen: the later of these. */
const order: readonly LineStyle[] = [
  'hair',
  'dotted',
  'dashDotDot',
  'dashDot',
  'dashed',
  'thin',
  'mediumDashDotDot',
  'slantDashDot',
  'mediumDashDot',
  'mediumDashed',
  'medium',
  'thick',
  'double',
];

const rankOf = (line: BorderLine): number => order.indexOf(line.style);

/** A line of a cell's edge, as it is to be drawn. */
interface EdgeLine {
  readonly line: BorderLine;
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
}

/**
 * Gathers the borders of cells, of which two may name the line between them, and draws the stronger. The line between two
 * cells lies on the last pixel of the one before.
 */
export class BorderPainter {
  readonly #context: CanvasRenderingContext2D;
  readonly #pixel: number;
  readonly #colorOf: (color: string | null) => string;
  readonly #edges = new Map<string, EdgeLine>();
  readonly #diagonals: EdgeLine[] = [];

  /** @param pixel a pixel of the screen in pixels of CSS */
  constructor(context: CanvasRenderingContext2D, pixel: number, colorOf: (color: string | null) => string) {
    this.#context = context;
    this.#pixel = pixel;
    this.#colorOf = colorOf;
  }

  add({ top, right, bottom, left, diagonalUp, diagonalDown }: Borders, { x, y, width, height }: Rect): void {
    const half = this.#pixel / 2;
    const [startX, endX] = [x - half, x + width - half];
    const [startY, endY] = [y - half, y + height - half];
    if (top) this.#edge(top, startX, startY, endX, startY);
    if (bottom) this.#edge(bottom, startX, endY, endX, endY);
    if (left) this.#edge(left, startX, startY, startX, endY);
    if (right) this.#edge(right, endX, startY, endX, endY);
    if (diagonalUp) this.#diagonals.push({ line: diagonalUp, fromX: x, fromY: endY, toX: endX, toY: y });
    if (diagonalDown) this.#diagonals.push({ line: diagonalDown, fromX: x, fromY: y, toX: endX, toY: endY });
  }

  paint(): void {
    const weakestFirst = [...this.#edges.values()].toSorted((a, b) => rankOf(a.line) - rankOf(b.line));
    for (const edge of [...this.#diagonals, ...weakestFirst]) this.#stroke(edge);
    this.#context.setLineDash([]);
  }

  #edge(line: BorderLine, fromX: number, fromY: number, toX: number, toY: number): void {
    const key = `${fromX} ${fromY} ${fromX === toX}`;
    const other = this.#edges.get(key);
    if (other && rankOf(other.line) > rankOf(line)) return;
    this.#edges.set(key, { line, fromX, fromY, toX, toY });
  }

  #stroke({ line, fromX, fromY, toX, toY }: EdgeLine): void {
    const context = this.#context;
    const { width, dash } = looks[line.style];
    const shown = Math.max(1, Math.round(width / this.#pixel)) * this.#pixel;
    // A line of an even number of pixels has its middle between two of them.
    const shift = Math.round(shown / this.#pixel) % 2 === 0 ? -this.#pixel / 2 : 0;
    const isAcross = fromY === toY;
    const [shiftX, shiftY] = fromX === toX ? [shift, 0] : isAcross ? [0, shift] : [0, 0];
    const reach = shown / 2;
    context.strokeStyle = this.#colorOf(line.color);
    context.setLineDash([...dash]);
    if (line.style === 'double') {
      context.lineWidth = this.#pixel;
      for (const side of [-this.#pixel, this.#pixel]) {
        const [sideX, sideY] = isAcross ? [0, side] : [side, 0];
        this.#line(fromX + sideX, fromY + sideY, toX + sideX, toY + sideY);
      }
      return;
    }
    context.lineWidth = shown;
    // Corners of thick lines are closed.
    const [moreX, moreY] = fromX === toX ? [0, reach] : isAcross ? [reach, 0] : [0, 0];
    this.#line(fromX + shiftX - moreX, fromY + shiftY - moreY, toX + shiftX + moreX, toY + shiftY + moreY);
  }

  #line(fromX: number, fromY: number, toX: number, toY: number): void {
    const context = this.#context;
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
    context.stroke();
  }
}
