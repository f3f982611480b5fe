import type { Area } from '../../../model/cell/area.ts';
import type { CellEditor } from '../cell-editor.ts';
import { cornerOf } from '../grid/cell-areas.ts';
import { selectRanges } from '../grid/selection.ts';

/** Shows and selects ranges of any sheet, at least one. */
export function goTo(editor: CellEditor, sheet: string, ranges: readonly Area[]): void {
  editor.sheets.show(sheet);
  editor.select(selectRanges(editor.page.view.peek(), ranges), { reveals: false });
  editor.grid?.reveal(cornerOf(ranges[0]!));
  editor.focus();
}
