import type { CellEditor } from '../cell-editor.ts';
import { type CellRange, cornerOf } from '../grid/cell-range.ts';

/** Shows and selects a range of any sheet. */
export function goTo(editor: CellEditor, sheet: string, range: CellRange): void {
  editor.sheets.show(sheet);
  editor.select({ ranges: [range], current: 0, active: cornerOf(range), head: cornerOf(range) });
  editor.focus();
}
