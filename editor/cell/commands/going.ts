import type { Area } from '../../../model/cell/area.ts';
import type { CellEditor } from '../cell-editor.ts';
import { cornerOf } from '../grid/cell-areas.ts';
import { selectRange } from '../grid/selection.ts';

/** Shows and selects a range of any sheet. */
export function goTo(editor: CellEditor, sheet: string, range: Area): void {
  editor.sheets.show(sheet);
  editor.select(selectRange(editor.page.view.peek(), range), { reveals: false });
  editor.grid?.reveal(cornerOf(range));
  editor.focus();
}
