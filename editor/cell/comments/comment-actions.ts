import { itemsOf } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { goTo } from '../commands/going.ts';
import { cellAt, rangeOf } from '../grid/cell-areas.ts';
import { refOf, threadAt } from './comment-threads.ts';

/** Begins a comment on the active cell, or shows the one that it has. */
export function beginComment(editor: CellEditor): void {
  if (!editor.role.canComment) return;
  const { comments } = editor;
  const cell = editor.selection.peek().active;
  const thread = threadAt(editor.page.sheet, cell);
  editor.panel.value = 'comments';
  if (thread !== null) {
    comments.active.value = thread;
    return;
  }
  comments.ahead.begin();
  comments.active.value = null;
  comments.draft.value = { sheet: editor.page.sheetId.peek(), cell };
}

/** Shows a thread by the link that a mention has. False where it is gone. */
export function openComment(editor: CellEditor, link: string): boolean {
  for (const sheet of editor.page.workbook.peek().sheets) {
    for (const [id, { cell }] of itemsOf(sheet, 'comment')) {
      if (refOf(sheet.id, id) !== link) continue;
      const place = cellAt(...cell);
      goTo(editor, sheet.id, [rangeOf(place)]);
      editor.panel.value = 'comments';
      editor.comments.active.value = threadAt(sheet, place);
      return true;
    }
  }
  return false;
}
