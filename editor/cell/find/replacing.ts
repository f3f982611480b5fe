import type { CellOperation } from '../../../model/cell/operations.ts';
import type { Sheet } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { setOperation } from '../commands/cell-input.ts';
import type { CellSearch, FoundCell } from './cell-search.ts';

/** Puts a text in the place of what was looked for, in what cells have. */
export function replaceIn(
  editor: CellEditor,
  { pattern, sheets }: CellSearch,
  cells: readonly FoundCell[],
  text: string,
): void {
  if (!pattern) return;
  const operations = sheets.flatMap((sheet) => {
    const own = cells.filter((cell) => cell.sheet === sheet.id);
    return replaced(editor, sheet, own, (before) =>
      // A star at the end finds once more, and nothing, behind what it took.
      before.replace(pattern, (found) => (found === '' ? '' : text)),
    );
  });
  editor.change(...operations);
}

function replaced(
  editor: CellEditor,
  sheet: Sheet,
  cells: readonly FoundCell[],
  replace: (before: string) => string,
): CellOperation[] {
  const view = editor.page.viewOf(sheet);
  const changed = cells.flatMap(({ row, column }) => {
    const cell = editor.page.editedCell({ row, column }, view);
    const before = editor.page.textOf({ row, column }, view);
    const after = replace(before);
    return after === before ? [] : [{ row, column, text: after, cell }];
  });
  return changed.length === 0 ? [] : [setOperation(sheet.id, changed, editor.page.settings)];
}
