import type { CellEditor } from '../cell-editor.ts';

/** What was copied or cut has no frame any more, and what was cut is no longer moved. It stays on the clipboard. */
export function endFrame(editor: CellEditor): void {
  const copied = editor.copied.peek();
  if (copied?.isFramed) editor.copied.value = { ...copied, isFramed: false };
}
