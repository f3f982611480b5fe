import { type Area, lastColumn, lastRow } from '../../../model/cell/area.ts';
import type { CellEditor } from '../cell-editor.ts';
import { copyTo } from '../clipboard/clipboard-actions.ts';
import { type CellPosition, cornerOf, heightOf, isIn, widthOf } from '../grid/cell-areas.ts';
import { refusesTearing } from './torn-arrays.ts';

/** What becomes of the cells that are selected: they go, or come once more, to so many rows and columns further. */
export interface CellMove {
  /** The sheet that was shown. */
  readonly sheet: string;
  readonly rows: number;
  readonly columns: number;
  readonly isCopy: boolean;
}

/** A range of the same size with another corner, which is moved so far that it lies in the sheet. */
export function rangeAt(range: Area, { row, column }: CellPosition): Area {
  const [height, width] = [heightOf(range), widthOf(range)];
  const top = Math.min(lastRow - height + 1, Math.max(0, row));
  const left = Math.min(lastColumn - width + 1, Math.max(0, column));
  return [top, left, top + height - 1, left + width - 1];
}

const targetOf = (from: Area, { rows, columns }: CellMove): Area =>
  rangeAt(from, { row: from[0] + rows, column: from[1] + columns });

/** Whether something would be in the way: content of cells besides those that are taken out of there. */
export function replacesContent({ page, range: from }: CellEditor, move: CellMove): boolean {
  const to = targetOf(from, move);
  for (const [row, { columns, cells }] of page.sheet.grid.rows(to[0], to[2])) {
    for (const [at, column] of columns.entries()) {
      const cell = { row, column };
      if (!isIn(cell, to) || isIn(cell, from)) continue;
      if (cells[at]!.value !== null || cells[at]!.formula !== null) return true;
    }
  }
  return false;
}

/** Moves or copies the cells that are selected, and selects them where they are then. */
export function moveSelected(editor: CellEditor, move: CellMove): void {
  const from = editor.range;
  const to = targetOf(from, move);
  const { sheet } = move;
  if (sheet !== editor.page.sheetId.peek()) return;
  const first = cornerOf(to);
  if (move.isCopy) {
    copyTo(editor, from, first);
    return;
  }
  if (refusesTearing(editor, sheet, from)) return;
  const isDone = editor.change({
    ...{ op: 'moveCells', sheet, area: from, toSheet: sheet },
    ...{ row: to[0], column: to[1] },
  });
  if (!isDone) return;
  editor.select({ ranges: [to], current: 0, active: first, head: first }, { reveals: false });
}
