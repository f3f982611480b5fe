import type { CellEditor } from '../cell-editor.ts';
import { pasteData, writeSelection } from '../clipboard/clipboard-actions.ts';
import { pasteDrawnData } from '../drawings/copied-drawing.ts';

/** Copies and pastes cells by the field that has the focus of the grid, as long as nothing is typed in it. */
export function followClipboard(editor: CellEditor, input: HTMLTextAreaElement): void {
  let pastesValues = false;
  const copied = (event: ClipboardEvent, isCut: boolean) => {
    if (editor.editing.peek() || !event.clipboardData) return;
    event.preventDefault();
    writeSelection(editor, event.clipboardData, isCut);
  };
  input.addEventListener('copy', (event) => copied(event, false));
  input.addEventListener('cut', (event) => copied(event, true));
  input.addEventListener('keydown', ({ key, shiftKey, ctrlKey, metaKey }) => {
    if (key.toLowerCase() === 'v') pastesValues = shiftKey && (ctrlKey || metaKey);
  });
  input.addEventListener('paste', (event) => {
    if (editor.editing.peek() || !event.clipboardData) return;
    event.preventDefault();
    if (!editor.canEdit) return;
    if (pasteDrawnData(editor, event.clipboardData)) return;
    pasteData(editor, event.clipboardData, pastesValues ? { part: 'values' } : {});
  });
}
