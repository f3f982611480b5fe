import type { Axis } from '../../../model/cell/area.ts';
import type { CellEditor } from '../cell-editor.ts';
import type { Copied } from '../clipboard/copied.ts';
import { insertableCopy, insertCopied } from '../clipboard/insert-copied.ts';
import { insertLines, linesSelected, moveLines, shiftCells, spanIn } from './structure.ts';

/** Whole rows or columns of this sheet that were cut, where they can come before what is selected; null for nothing. */
function insertableCut(editor: CellEditor): (Copied & { readonly lines: Axis }) | null {
  const cut = editor.clipboard.cells.peek();
  if (!cut?.isCut || !cut.isFramed || cut.sheet !== editor.page.sheetId.peek()) return null;
  const { lines } = cut;
  return lines && (linesSelected(editor) ?? lines) === lines ? { ...cut, lines } : null;
}

/** Whether what was cut or copied here can come in before what is selected. */
export const canInsertFramed = (editor: CellEditor): boolean =>
  insertableCut(editor) !== null || insertableCopy(editor) !== null;

/** Puts what was cut or copied here in before what is selected; null where there is nothing of the kind. */
export function insertFramed(editor: CellEditor, axis: Axis): boolean | null {
  const cut = insertableCut(editor);
  if (!cut) return insertCopied(editor, axis) || null;
  editor.clipboard.cellsMoved();
  return moveLines(editor, cut.lines, spanIn(cut.areas[0]!, cut.lines), spanIn(editor.range, cut.lines)[0]);
}

/** What the keys for insertion do: what was cut or copied, or rows or columns where these are selected, else `otherwise`. */
export function insertSelected(editor: CellEditor, otherwise: 'rows' | 'cells'): boolean {
  const isDone = insertFramed(editor, 'row');
  if (isDone !== null) return isDone;
  const axis = linesSelected(editor) ?? (otherwise === 'rows' ? 'row' : null);
  return axis ? insertLines(editor, axis, 'before') : shiftCells(editor, 'insert', 'row');
}
