import type { Area } from '../../../model/cell/area.ts';
import { CELL_LIMITS } from '../../../model/cell/limits.ts';
import type { CellEditor } from '../cell-editor.ts';
import { areaOfRange, type CellRange } from '../grid/cell-range.ts';
import type { SheetScene } from '../shown/sheet-scene.ts';

/**
 * The parts of a range whose rows no filter hides: what a person who filters means by it. Rows that somebody has hidden
 * belong to it, as in other spreadsheets.
 */
export function unfilteredParts({ sheet }: Pick<SheetScene, 'sheet'>, range: CellRange): CellRange[] {
  const parts: CellRange[] = [];
  let { top } = range;
  for (const [row, { line }] of sheet.grid.rows(range.top, range.bottom)) {
    if (!line.filtered) continue;
    if (row > top) parts.push({ ...range, top, bottom: row - 1 });
    top = row + 1;
  }
  if (top <= range.bottom) parts.push({ ...range, top });
  return parts;
}

/** The areas of what is selected, without rows that a filter hides, in lists that one operation takes each. */
export function selectedAreas(editor: CellEditor): Area[][] {
  const view = editor.page.view.peek();
  const areas = editor.selection.peek().ranges.flatMap((range) => unfilteredParts(view, range));
  const lists: Area[][] = [];
  for (let at = 0; at < areas.length; at += CELL_LIMITS.areasPerOperation) {
    lists.push(areas.slice(at, at + CELL_LIMITS.areasPerOperation).map(areaOfRange));
  }
  return lists;
}
