import type { Area } from '../../../model/cell/area.ts';
import type { CellEditor } from '../cell-editor.ts';
import { cornerOf } from '../grid/cell-areas.ts';

/** Shows and selects a range of any sheet. */
export function goTo(editor: CellEditor, sheet: string, range: Area): void {
  editor.sheets.show(sheet);
  editor.select({ ranges: [range], current: 0, active: cornerOf(range), head: cornerOf(range) });
  editor.focus();
}
