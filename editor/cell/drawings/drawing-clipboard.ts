import type { CellEditor } from '../cell-editor.ts';
import { pasteData } from '../clipboard/clipboard-actions.ts';
import { pasteDrawnData, writeDrawing } from './copied-drawing.ts';
import { leaveDrawing } from './selected-drawing.ts';

/** Cuts, copies and pastes while an element has the focus for a drawing. Returns how to stop. */
export function followDrawingClipboard(editor: CellEditor, focused: HTMLElement): () => void {
  // Browsers send these to where text was selected last, which may be a field that the focus has left.
  const listen = (event: ClipboardEvent) => {
    const { clipboardData } = event;
    if (document.activeElement !== focused || !clipboardData) return;
    if (event.type === 'paste') {
      if (!editor.canEdit) return;
      if (!pasteDrawnData(editor, clipboardData)) {
        // Cells and text belong into cells.
        leaveDrawing(editor);
        pasteData(editor, clipboardData);
      }
    } else writeDrawing(editor, clipboardData, event.type === 'cut');
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const events = ['copy', 'cut', 'paste'] as const;
  for (const name of events) document.addEventListener(name, listen, { capture: true });
  return () => {
    for (const name of events) document.removeEventListener(name, listen, { capture: true });
  };
}
