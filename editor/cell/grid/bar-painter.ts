import { contrastOf, mixed } from './colors.ts';
import type { DataBar } from './drawn-sheet.ts';
import type { Rect } from './grid-layout.ts';
import type { Palette } from './palette.ts';

interface BarPlace {
  readonly palette: Palette;
  /** A pixel of the screen in pixels of CSS. */
  readonly pixel: number;
  readonly isRightToLeft: boolean;
}

/** Text is read on a bar of this contrast. */
const readable = 4.5;

/** Draws the bar of a number behind its text; in a sheet from right to left it begins at the right. */
export function paintBar(
  context: CanvasRenderingContext2D,
  { from, to, color, axis }: DataBar,
  { x, y, width, height }: Rect,
  { palette, pixel, isRightToLeft }: BarPlace,
): void {
  const gap = 2 * pixel;
  const room = width - 2 * gap;
  const placeOf = (part: number) => x + gap + room * (isRightToLeft ? 1 - part : part);
  context.fillStyle = barColor(palette, color);
  context.fillRect(
    Math.min(placeOf(from), placeOf(to)),
    y + gap,
    room * (to - from),
    height - 2 * gap - pixel,
  );
  if (axis === null) return;
  context.fillStyle = palette.headerText;
  context.fillRect(placeOf(axis), y, pixel, height - pixel);
}

/** The colour of a bar, so pale that the text of the page can be read on it. */
export function barColor({ page, text }: Palette, color: string): string {
  const pale = mixed(color, page, 0.35);
  return contrastOf(pale, text) >= readable ? pale : mixed(color, page, 0.6);
}
