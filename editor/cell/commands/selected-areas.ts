import type { Area } from '../../../model/cell/area.ts';
import { inParts } from '../../../model/cell/operation-parts.ts';
import type { CellEditor } from '../cell-editor.ts';
import { type CellPosition, cellsOf, cornerOf, isSameCell } from '../grid/cell-areas.ts';
import type { SheetScene } from '../shown/sheet-scene.ts';

/**
 * The parts of a range whose rows no filter hides: what a person who filters means by it. Rows that somebody has hidden
 * belong to it, as in other spreadsheets.
 */
export function unfilteredParts({ sheet }: Pick<SheetScene, 'sheet'>, range: Area): Area[] {
  const parts: Area[] = [];
  let [top] = range;
  for (const [row, { line }] of sheet.grid.rows(range[0], range[2])) {
    if (!line.filtered) continue;
    if (row > top) parts.push([top, range[1], row - 1, range[3]]);
    top = row + 1;
  }
  if (top <= range[2]) parts.push([top, range[1], range[2], range[3]]);
  return parts;
}

/** The rows of an area, one by one. */
export const rowsOf = ([top, , bottom]: Area): number[] =>
  Array.from({ length: bottom - top + 1 }, (_, at) => top + at);

/** The areas of what is selected, without rows that a filter hides, in lists that one operation takes each. */
export function selectedAreas(editor: CellEditor): Area[][] {
  const view = editor.page.view.peek();
  return inParts(editor.selection.peek().ranges.flatMap((range) => unfilteredParts(view, range)));
}

/** The cells of a range that can be seen: none that a filter hides, and of merged cells the first. */
export function seenCells(view: Pick<SheetScene, 'sheet' | 'mergeAt'>, range: Area): CellPosition[] {
  return unfilteredParts(view, range).flatMap((part) =>
    [...cellsOf(part)].filter((cell) => {
      const merge = view.mergeAt(cell.row, cell.column);
      return merge === null || isSameCell(cornerOf(merge), cell);
    }),
  );
}
