import type { Area } from '../../../model/cell/area.ts';
import { isFree } from '../../../model/cell/protection.ts';
import type { Sheet, Workbook } from '../../../model/cell/workbook.ts';
import { type CellPosition, cellAt, cornerOf, isSameCell } from '../grid/cell-areas.ts';
import type { Terrain } from '../grid/selection.ts';

/** So many cells are looked at for the next one that is open. */
const mostTried = 20_000;

/**
 * The next cell that a protected sheet leaves to be typed into: row by row over what is used, and from its end to its beginning.
 * Null where the sheet is not protected, or none is found.
 */
export function nextOpenCell(
  workbook: Workbook,
  sheet: Sheet,
  terrain: Pick<Terrain, 'rows' | 'columns' | 'mergeAt' | 'used'>,
  from: CellPosition,
  step: 1 | -1,
): CellPosition | null {
  if (!sheet.properties.protection || !terrain.used) return null;
  const [top, left, bottom, right] = terrain.used;
  const width = right - left + 1;
  const count = (bottom - top + 1) * width;
  const isOpen = ({ row, column }: CellPosition): boolean => {
    const merge: Area | null = terrain.mergeAt(row, column);
    if (terrain.rows.isHidden(row) || terrain.columns.isHidden(column)) return false;
    if (merge && !isSameCell(cornerOf(merge), { row, column })) return false;
    return isFree(workbook, sheet, merge ?? [row, column, row, column]);
  };
  let place = placeIn([top, left, bottom, right], from, step);
  for (let tries = Math.min(count, mostTried); tries > 0; tries--) {
    place = (place + step + count) % count;
    const cell = cellAt(top + Math.floor(place / width), left + (place % width));
    if (isOpen(cell)) return cell;
  }
  return null;
}

/** Where a cell comes in an area that is read row by row; one beside it, where those before or behind it are. */
function placeIn([top, left, bottom, right]: Area, { row, column }: CellPosition, step: 1 | -1): number {
  const width = right - left + 1;
  const last = (bottom - top + 1) * width - 1;
  if (row < top) return step > 0 ? -1 : last + 1;
  if (row > bottom) return step > 0 ? last : last + 1;
  const place = (row - top) * width + Math.min(Math.max(column - left, -1), width);
  // Behind the end of a row the next one begins.
  return column > right && step > 0 ? place - 1 : place;
}
