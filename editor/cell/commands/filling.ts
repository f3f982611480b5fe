import { type Area, lastRow } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { CellEditor } from '../cell-editor.ts';
import type { Terrain } from '../grid/selection.ts';
import { unfilteredParts } from './selected-areas.ts';

/** Copies the first row, or the first column, of what is selected over the others; of one cell the one before it. */
export function fillSelection(editor: CellEditor, axis: 'row' | 'column'): boolean {
  const { range } = editor;
  const [top, left, bottom, right] = range;
  const isAlone = axis === 'row' ? top === bottom : left === right;
  const shift = isAlone ? 1 : 0;
  if (axis === 'row' ? top - shift < 0 : left - shift < 0) return false;
  const from: Area =
    axis === 'row'
      ? [top - shift, range[1], top - shift, range[3]]
      : [range[0], left - shift, range[2], left - shift];
  const to: Area =
    axis === 'row'
      ? [from[2] + 1, range[1], range[2], range[3]]
      : [range[0], from[3] + 1, range[2], range[3]];
  const parts = unfilteredParts(editor.page.view.peek(), to);
  return editor.change(...parts.map((part) => fillOperation(editor.page.sheetId.peek(), from, part)));
}

/** Has cells repeat others. */
export const fillOperation = (sheet: string, from: Area, to: Area): CellOperation => ({
  op: 'fill',
  sheet,
  from,
  to,
  part: 'all',
});

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
