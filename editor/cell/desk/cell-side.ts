import type { GridLayout } from '../grid/grid-layout.ts';
import type { Rect } from '../grid/rect.ts';

type Room = Pick<GridLayout, 'width'> & { readonly sheet: { readonly isRightToLeft: boolean } };

/** One edge of something over the cells, as CSS has it. */
export type Side = { readonly left: string } | { readonly right: string };

const left = (x: number): Side => ({ left: `${Math.max(0, x)}px` });
const right = ({ width }: Room, x: number): Side => ({ right: `${Math.max(0, width - x)}px` });

/** Where something below a cell stands: it begins where its cell does, but where there is no room that way it ends there. */
export function sideBelow(room: Room, { x, width }: Rect, neededPx: number): Side {
  const isBack = room.sheet.isRightToLeft ? x + width >= neededPx : x + neededPx > room.width;
  return isBack ? right(room, x + width) : left(x);
}

/** Where something behind a cell stands, or at the end of the cell, where there is no room behind it. */
export function sideBehind(room: Room, { x, width }: Rect, neededPx: number): Side {
  if (room.sheet.isRightToLeft) return x < neededPx ? left(x) : right(room, x);
  return x + width + neededPx > room.width ? right(room, Math.min(room.width, x + width)) : left(x + width);
}
