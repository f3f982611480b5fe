import { type Area, lastRow } from '../../../model/cell/area.ts';
import type { Terrain } from '../grid/selection.ts';

/** Which way, and how far, a range is dragged by its handle; null for no way. */
export function draggedRange(from: Area, row: number, column: number): Area | null {
  const below = row - from[2];
  const above = from[0] - row;
  const after = column - from[3];
  const before = from[1] - column;
  const farthest = Math.max(below, above, after, before);
  if (farthest <= 0) return null;
  if (below === farthest) return [from[2] + 1, from[1], row, from[3]];
  if (above === farthest) return [row, from[1], from[0] - 1, from[3]];
  if (after === farthest) return [from[0], from[3] + 1, from[2], column];
  return [from[0], column, from[2], from[1] - 1];
}

/**
 * How far a double press on the handle of a range fills down: as far as the cells before it go on without a gap, else
 * those behind it; null where nothing is beside it.
 */
export function rangeBesideFilled(sheet: Pick<Terrain, 'cellAt'>, from: Area): Area | null {
  const isFilled = (row: number, column: number) => {
    const cell = column < 0 ? null : sheet.cellAt(row, column);
    return cell !== null && cell.kind !== 'blank';
  };
  for (const column of [from[1] - 1, from[3] + 1]) {
    let row = from[2];
    while (row < lastRow && isFilled(row + 1, column)) row++;
    if (row > from[2]) return [from[2] + 1, from[1], row, from[3]];
  }
  return null;
}
