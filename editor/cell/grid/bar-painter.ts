import { contrastOf, mixed } from './colors.ts';
import type { BarGround, BarPlace, DataBar } from './drawn-sheet.ts';
import type { Rect } from './rect.ts';

/** Text is read on a bar of this contrast. */
const readable = 4.5;

/** Draws the bar of a number behind its text; in a sheet from right to left it begins at the right. */
export function paintBar(
  context: CanvasRenderingContext2D,
  { from, to, color, axis }: DataBar,
  { x, y, width, height }: Rect,
  { ground, axisColor, pixel, isRightToLeft }: BarPlace,
): void {
  const gap = 2 * pixel;
  const room = width - 2 * gap;
  const placeOf = (part: number) => x + gap + room * (isRightToLeft ? 1 - part : part);
  context.fillStyle = barColor(ground, color);
  context.fillRect(
    Math.min(placeOf(from), placeOf(to)),
    y + gap,
    room * (to - from),
    height - 2 * gap - pixel,
  );
  if (axis === null) return;
  context.fillStyle = axisColor;
  context.fillRect(placeOf(axis), y, pixel, height - pixel);
}

/** The colour of a bar, so pale that text can be read on it. */
export function barColor({ page, text }: BarGround, color: string): string {
  const pale = mixed(color, page, 0.35);
  return contrastOf(pale, text) >= readable ? pale : mixed(color, page, 0.6);
}
