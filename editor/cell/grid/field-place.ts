import type { Horizontal } from './drawn-sheet.ts';
import type { GridLayout } from './grid-layout.ts';
import type { Rect } from './rect.ts';

/** Where text stands in the field that is typed in, as CSS says it: what a cell does not say follows its sheet. */
export function alignmentIn(
  { isRightToLeft }: { readonly isRightToLeft: boolean },
  horizontal: Horizontal,
): 'left' | 'center' | 'right' {
  if (horizontal === 'left' || horizontal === 'right' || horizontal === 'center') return horizontal;
  if (horizontal === 'centerContinuous' || horizontal === 'distributed') return 'center';
  return isRightToLeft ? 'right' : 'left';
}

/**
 * From where to where the field of a cell reaches that needs a width: it grows away from the side on which its text stands, up to
 * the edge of the cells, and then to the other side.
 */
export function fieldSpan(
  cell: Pick<Rect, 'x' | 'width'>,
  needed: number,
  layout: Pick<GridLayout, 'width' | 'headerWidth' | 'scrolled' | 'sheet'>,
  horizontal: Horizontal,
): { readonly x: number; readonly width: number } {
  const { scrolled, sheet, headerWidth } = layout;
  const end = cell.x + cell.width;
  const [first, last] = sheet.isRightToLeft
    ? [Math.max(0, scrolled.x), layout.width - headerWidth]
    : [headerWidth, Math.min(layout.width, scrolled.x + scrolled.width)];
  const [before, after] = [Math.max(0, cell.x - first), Math.max(0, last - end)];
  const more = Math.max(0, needed - cell.width);
  const growsBack = alignmentIn(sheet, horizontal) === 'right';
  const [near, far] = growsBack ? [before, after] : [after, before];
  const taken = Math.min(more, near);
  // A cell in the middle may have all of its room on the other side.
  const rest = Math.min(more - taken, horizontal === 'center' ? far : 0);
  const [back, forth] = growsBack ? [taken, rest] : [rest, taken];
  return { x: cell.x - back, width: cell.width + back + forth };
}
