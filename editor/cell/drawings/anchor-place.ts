import type { Anchor } from '../../../model/cell/items.ts';
import { emuPerPx } from '../../kit/emu.ts';
import type { Axis } from '../grid/axis.ts';
import type { DrawnSheet } from '../grid/drawn-sheet.ts';
import type { Rect } from '../grid/rect.ts';

type Axes = Pick<DrawnSheet, 'rows' | 'columns' | 'zoom'>;
type Spot = Anchor['from'];

/**
 * Where an anchor puts a drawing: pixels from the corner at which the sheet begins, as large as it is shown. Scrolling,
 * frozen panes and sheets from right to left are the affair of `GridLayout.rectAt`. What lies in hidden rows or columns has no size.
 */
export function placeOfAnchor({ from, to, size, follows }: Anchor, { rows, columns, zoom }: Axes): Rect {
  const px = (emu: number) => (emu / emuPerPx) * zoom;
  const along = (axis: Axis, index: number, emu: number) =>
    axis.offsetOf(index) + Math.min(px(emu), axis.sizeOf(index));
  // An anchor that follows no cells and has no other end is a place on the sheet.
  const isFree = follows === 'none' && !to;
  const x = isFree ? px(from[2]) : along(columns, from[1], from[2]);
  const y = isFree ? px(from[3]) : along(rows, from[0], from[3]);
  if (!to) return { x, y, width: px(size?.[0] ?? 0), height: px(size?.[1] ?? 0) };
  return {
    x,
    y,
    width: Math.max(0, along(columns, to[1], to[2]) - x),
    height: Math.max(0, along(rows, to[0], to[3]) - y),
  };
}

/** The anchor that puts a drawing at a place, of the same kind as the one that it has. */
export function anchorAtPlace(place: Rect, anchor: Anchor, { rows, columns, zoom }: Axes): Anchor {
  const emu = (px: number) => Math.max(0, Math.round((px / zoom) * emuPerPx));
  const spot = (x: number, y: number): Spot => {
    const [row, column] = [rows.indexAt(y), columns.indexAt(x)];
    return [row, column, emu(x - columns.offsetOf(column)), emu(y - rows.offsetOf(row))];
  };
  const [x, y] = [Math.max(0, place.x), Math.max(0, place.y)];
  if (anchor.to) return { ...anchor, from: spot(x, y), to: spot(x + place.width, y + place.height) };
  const size: Anchor['size'] = [emu(place.width), emu(place.height)];
  if (anchor.follows === 'none') return { ...anchor, from: [0, 0, emu(x), emu(y)], size };
  return { ...anchor, from: spot(x, y), size };
}

/**
 * The box of a drawing before it is turned. One that lies on its side (45 to 135 degrees, either way) is anchored by the box
 * that it fills then.
 */
export function uprightPlace(place: Rect, rotation: number): Rect {
  const angle = ((rotation % 180) + 180) % 180;
  if (angle < 45 || angle >= 135) return place;
  const { x, y, width, height } = place;
  return { x: x + (width - height) / 2, y: y + (height - width) / 2, width: height, height: width };
}
