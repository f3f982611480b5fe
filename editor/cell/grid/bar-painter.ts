import { contrastOf, mixed } from './colors.ts';
import type { BarGround, BarPlace, DataBar } from './drawn-sheet.ts';
import type { Rect } from './rect.ts';

/** Text is read on a bar of this contrast. */
const readable = 4.5;

/** Draws the bar of a number behind its text; in a sheet from right to left it begins at the right. */
export function paintBar(
  context: CanvasRenderingContext2D,
  { from, to, color, isSolid, axis }: DataBar,
  { x, y, width, height }: Rect,
  { ground, axisColor, pixel, isRightToLeft }: BarPlace,
): void {
  const gap = 2 * pixel;
  const room = width - 2 * gap;
  const placeOf = (part: number) => x + gap + room * (isRightToLeft ? 1 - part : part);
  const fill = barColor(ground, color);
  const [start, end] = [placeOf(from), placeOf(to)];
  // What is less than nothing goes from its line to the other side.
  const isLess = axis !== null && from < axis;
  context.fillStyle = isSolid
    ? fill
    : fading(context, isLess ? [end, start] : [start, end], [fill, mixed(fill, ground.page, 0.75)]);
  context.fillRect(Math.min(start, end), y + gap, room * (to - from), height - 2 * gap - pixel);
  if (axis === null) return;
  context.fillStyle = axisColor;
  context.fillRect(placeOf(axis), y, pixel, height - pixel);
}

/** From one colour to another, from left to right or the other way. */
function fading(
  context: CanvasRenderingContext2D,
  [from, to]: readonly [number, number],
  [first, last]: readonly [string, string],
): CanvasGradient {
  const gradient = context.createLinearGradient(from, 0, to, 0);
  gradient.addColorStop(0, first);
  gradient.addColorStop(1, last);
  return gradient;
}

/** The colour of a bar, so pale that text can be read on it, where there is any. */
export function barColor({ page, text }: BarGround, color: string): string {
  if (text === null) return color;
  const pale = mixed(color, page, 0.35);
  return contrastOf(pale, text) >= readable ? pale : mixed(color, page, 0.6);
}
