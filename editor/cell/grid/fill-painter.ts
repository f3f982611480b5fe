import { mixed } from './colors.ts';
import type { Fill } from './drawn-sheet.ts';
import type { Rect } from './rect.ts';

/** How much of a pattern is its own colour; patterns of lines and dots are drawn, the grey ones mixed. */
const shares: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({
    darkGray: 0.75,
    mediumGray: 0.5,
    lightGray: 0.25,
    gray125: 0.125,
    gray0625: 0.0625,
  }),
);

const tileSize = 6;

/** Fills a rectangle. `page` is what lies beneath. */
export function paintFill(
  context: CanvasRenderingContext2D,
  fill: Fill,
  { x, y, width, height }: Rect,
  page: string,
): void {
  switch (fill.kind) {
    case 'solid':
      context.fillStyle = fill.color;
      break;
    case 'pattern': {
      const background = fill.background ?? page;
      const share = shares.get(fill.pattern);
      if (share !== undefined) context.fillStyle = mixed(background, fill.color, share);
      else {
        context.fillStyle = background;
        context.fillRect(x, y, width, height);
        context.fillStyle = context.createPattern(tileOf(fill.pattern, fill.color), 'repeat')!;
      }
      break;
    }
    case 'gradient': {
      const turn = (fill.angle * Math.PI) / 180;
      const [across, down] = [(Math.cos(turn) * width) / 2, (Math.sin(turn) * height) / 2];
      const [centerX, centerY] = [x + width / 2, y + height / 2];
      const course = context.createLinearGradient(
        centerX - across,
        centerY - down,
        centerX + across,
        centerY + down,
      );
      for (const [at, color] of fill.stops) course.addColorStop(Math.min(1, Math.max(0, at)), color);
      context.fillStyle = course;
      break;
    }
  }
  context.fillRect(x, y, width, height);
}

/** The colour that text on a fill is read against. */
export function colorBehindText(fill: Fill | null, page: string): string | null {
  switch (fill?.kind) {
    case 'solid':
      return fill.color;
    case 'pattern':
      return mixed(fill.background ?? page, fill.color, shares.get(fill.pattern) ?? 0.3);
    case 'gradient':
      return fill.stops[0]?.[1] ?? null;
    default:
      return null;
  }
}

const tiles = new Map<string, HTMLCanvasElement>();

function tileOf(pattern: string, color: string): HTMLCanvasElement {
  const key = `${pattern} ${color}`;
  const known = tiles.get(key);
  if (known) return known;
  const tile = document.createElement('canvas');
  tile.width = tileSize;
  tile.height = tileSize;
  const context = tile.getContext('2d')!;
  context.strokeStyle = color;
  context.lineWidth = pattern.startsWith('dark') ? 2 : 1;
  const lines: (readonly [number, number, number, number])[] = [];
  if (/Horizontal|Grid/.test(pattern)) lines.push([0, 3, 6, 3]);
  if (/Vertical|Grid/.test(pattern)) lines.push([3, 0, 3, 6]);
  if (/Down|Trellis/.test(pattern)) lines.push([0, 0, 6, 6], [-3, 3, 3, 9], [3, -3, 9, 3]);
  if (/Up|Trellis/.test(pattern)) lines.push([0, 6, 6, 0], [-3, 3, 3, -3], [3, 9, 9, 3]);
  context.beginPath();
  for (const [fromX, fromY, toX, toY] of lines) {
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
  }
  context.stroke();
  tiles.set(key, tile);
  return tile;
}
