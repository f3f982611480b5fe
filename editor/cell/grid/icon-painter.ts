import type { CellIcon } from './drawn-sheet.ts';
import type { Rect } from './rect.ts';

/** From the worst to the best, for as many as a set has. */
const lights: Readonly<Record<number, readonly string[]>> = {
  3: ['#c6363c', '#e0a100', '#2f8f46'],
  4: ['#c6363c', '#e07b00', '#e0b800', '#2f8f46'],
  5: ['#c6363c', '#e07b00', '#e0b800', '#8aae34', '#2f8f46'],
};

/** Of sets that have one colour, whatever they say. */
const setColors: readonly (readonly [part: string, color: string])[] = [
  ['Gray', '#6b7280'],
  ['Black', '#6b7280'],
  ['Stars', '#d69e00'],
  ['Boxes', '#3b6fb6'],
];

const iconPx = 13;
const iconGapPx = 2;

/** What an icon leaves of a cell for its text. @param scale pixels at a zoom of 1 */
export function besideIcon(rect: Rect, scale: number, isRightToLeft: boolean): Rect {
  const taken = Math.min(iconPx * scale, rect.height - 2) + iconGapPx * scale;
  if (taken >= rect.width) return rect;
  return { ...rect, x: isRightToLeft ? rect.x : rect.x + taken, width: rect.width - taken };
}

/** Draws the icon of a set at the beginning of a cell. @param scale pixels at a zoom of 1 */
export function paintIcon(
  context: CanvasRenderingContext2D,
  { set, place, count }: CellIcon,
  { x, y, width, height }: Rect,
  scale: number,
  isRightToLeft: boolean,
): void {
  const size = Math.min(iconPx * scale, height - 2);
  if (size < 3) return;
  const radius = size / 2;
  const [centerX, centerY] = [
    isRightToLeft ? x + width - radius - iconGapPx * scale : x + radius + iconGapPx * scale,
    y + height / 2,
  ];
  const [, ofSet] = setColors.find(([part]) => set.includes(part)) ?? [];
  const color = ofSet ?? lights[count]?.[place] ?? lights[3]![1]!;
  context.save();
  context.translate(centerX, centerY);
  context.fillStyle = color;
  context.strokeStyle = color;
  context.lineWidth = Math.max(1, size / 7);
  context.lineCap = 'round';
  context.beginPath();
  if (set.includes('Arrows')) arrow(context, radius, place / (count - 1));
  else if (set.includes('Flags')) flag(context, radius);
  else if (set.includes('Rating')) bars(context, radius, place + 1, count);
  else if (set.includes('Quarters')) quarters(context, radius, place / (count - 1));
  else if (set.includes('Stars')) star(context, radius, place / (count - 1));
  else if (set.includes('Boxes')) boxes(context, radius, place);
  else if (set.includes('Triangles')) rising(context, radius, place);
  else if (set.includes('Symbols')) symbol(context, radius, place);
  else if (set.includes('Signs') && place === 0) diamond(context, radius);
  else if (set.includes('Signs') && place === 1) triangle(context, radius);
  else {
    context.arc(0, 0, radius * 0.9, 0, Math.PI * 2);
    context.fill();
  }
  context.restore();
}

/** @param rise 0 for down, 1 for up */
function arrow(context: CanvasRenderingContext2D, radius: number, rise: number): void {
  context.rotate(Math.PI / 2 - rise * Math.PI);
  context.moveTo(-radius * 0.8, 0);
  context.lineTo(radius * 0.8, 0);
  context.moveTo(radius * 0.2, -radius * 0.6);
  context.lineTo(radius * 0.8, 0);
  context.lineTo(radius * 0.2, radius * 0.6);
  context.stroke();
}

function flag(context: CanvasRenderingContext2D, radius: number): void {
  context.moveTo(-radius * 0.6, radius);
  context.lineTo(-radius * 0.6, -radius * 0.9);
  context.stroke();
  context.beginPath();
  context.moveTo(-radius * 0.6, -radius * 0.9);
  context.lineTo(radius * 0.8, -radius * 0.4);
  context.lineTo(-radius * 0.6, radius * 0.2);
  context.fill();
}

function bars(context: CanvasRenderingContext2D, radius: number, filled: number, count: number): void {
  const step = (radius * 2) / count;
  for (let at = 0; at < count; at++) {
    const height = (radius * 2 * (at + 1)) / count;
    context.globalAlpha = at < filled ? 1 : 0.25;
    context.fillRect(-radius + at * step, radius - height, step * 0.75, height);
  }
}

function quarters(context: CanvasRenderingContext2D, radius: number, part: number): void {
  context.arc(0, 0, radius * 0.85, 0, Math.PI * 2);
  context.stroke();
  context.beginPath();
  context.moveTo(0, 0);
  context.arc(0, 0, radius * 0.85, -Math.PI / 2, -Math.PI / 2 + part * Math.PI * 2);
  context.fill();
}

function symbol(context: CanvasRenderingContext2D, radius: number, place: number): void {
  const r = radius * 0.6;
  if (place === 0) {
    context.moveTo(-r, -r);
    context.lineTo(r, r);
    context.moveTo(r, -r);
    context.lineTo(-r, r);
  } else if (place === 1) {
    context.moveTo(0, -r * 1.2);
    context.lineTo(0, r * 0.3);
    context.moveTo(0, r * 1.2);
    context.lineTo(0, r * 1.25);
  } else {
    context.moveTo(-r, 0);
    context.lineTo(-r * 0.2, r);
    context.lineTo(r, -r);
  }
  context.stroke();
}

function diamond(context: CanvasRenderingContext2D, radius: number): void {
  context.moveTo(0, -radius);
  context.lineTo(radius, 0);
  context.lineTo(0, radius);
  context.lineTo(-radius, 0);
  context.fill();
}

function triangle(context: CanvasRenderingContext2D, radius: number): void {
  context.moveTo(0, -radius * 0.9);
  context.lineTo(radius, radius * 0.8);
  context.lineTo(-radius, radius * 0.8);
  context.fill();
}

/** @param part how much of it is filled, from the left */
function star(context: CanvasRenderingContext2D, radius: number, part: number): void {
  for (let at = 0; at < 10; at++) {
    const [angle, reach] = [(at * Math.PI) / 5 - Math.PI / 2, at % 2 === 0 ? radius : radius * 0.45];
    context.lineTo(Math.cos(angle) * reach, Math.sin(angle) * reach);
  }
  context.closePath();
  context.lineWidth = Math.max(1, radius / 6);
  context.stroke();
  context.clip();
  context.fillRect(-radius, -radius, radius * 2 * part, radius * 2);
}

/** Four boxes, so many of them filled. */
function boxes(context: CanvasRenderingContext2D, radius: number, filled: number): void {
  const side = radius * 0.8;
  for (let at = 0; at < 4; at++) {
    context.globalAlpha = at < filled ? 1 : 0.25;
    context.fillRect(at % 2 === 0 ? -side : side * 0.1, at < 2 ? -side : side * 0.1, side * 0.9, side * 0.9);
  }
}

/** A triangle down, a line, a triangle up. */
function rising(context: CanvasRenderingContext2D, radius: number, place: number): void {
  if (place === 1) {
    context.fillRect(-radius * 0.8, -radius * 0.2, radius * 1.6, radius * 0.4);
    return;
  }
  if (place === 0) context.rotate(Math.PI);
  triangle(context, radius * 0.85);
}
