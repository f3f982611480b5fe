import type { Axis } from '../../../model/cell/area.ts';
import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';
import type { Copied } from '../clipboard/copied.ts';
import { insertableCopy, insertCopied } from '../clipboard/insert-copied.ts';
import { insertLines, linesSelected, moveLines, shiftCells, spanIn } from './structure.ts';

/** Where cut cells come to is found out by code that comes behind the first look at a page. */
const cutting = laterPart(() => import('./cut-insertion.ts'));

/** What was cut on this sheet and has its frame still; null for nothing. */
function framedCut(editor: CellEditor): Copied | null {
  const cut = editor.clipboard.cells.peek();
  return cut?.isCut && cut.isFramed && cut.sheet === editor.page.sheetId.peek() ? cut : null;
}

/** Whole rows or columns of this sheet that were cut, where they can come before what is selected; null for nothing. */
function insertableLines(editor: CellEditor): (Copied & { readonly lines: Axis }) | null {
  const cut = framedCut(editor);
  const lines = cut?.lines ?? null;
  return cut && lines && (linesSelected(editor) ?? lines) === lines ? { ...cut, lines } : null;
}

/** Other cells of this sheet that were cut, where cells are selected; null for nothing. */
function insertableCells(editor: CellEditor): Copied | null {
  const cut = framedCut(editor);
  return cut && !cut.lines && !linesSelected(editor) ? cut : null;
}

/** Whether what was cut or copied here can come in before what is selected. @param axis along which others make room for cells */
export const canInsertFramed = (editor: CellEditor, axis: Axis): boolean =>
  insertableCells(editor) !== null ||
  (axis === 'row' && insertableLines(editor) !== null) ||
  (insertableCopy(editor) !== null && (axis === 'row' || insertableCopy(editor)!.lines === null));

/**
 * Puts what was cut or copied here in before what is selected; null where there is nothing of the kind.
 * @param axis along which others make room for cells; null: as it comes of itself
 */
export function insertFramed(editor: CellEditor, axis: Axis | null): boolean | null {
  const cells = insertableCells(editor);
  if (cells) {
    const { range } = editor;
    void cutting.loadOrTell().then((loaded) => loaded?.insertCut(editor, cells, range, axis));
    return true;
  }
  const cut = insertableLines(editor);
  if (!cut) return insertCopied(editor, axis ?? 'row') || null;
  editor.clipboard.cellsMoved();
  return moveLines(editor, cut.lines, spanIn(cut.areas[0]!, cut.lines), spanIn(editor.range, cut.lines)[0]);
}

/** What the keys for insertion do: what was cut or copied, or rows or columns where these are selected, else `otherwise`. */
export function insertSelected(editor: CellEditor, otherwise: 'rows' | 'cells'): boolean {
  const isDone = insertFramed(editor, null);
  if (isDone !== null) return isDone;
  const axis = linesSelected(editor) ?? (otherwise === 'rows' ? 'row' : null);
  return axis ? insertLines(editor, axis, 'before') : shiftCells(editor, 'insert', 'row');
}
