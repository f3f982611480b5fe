import type { CellEditor } from '../cell-editor.ts';

/** By whom what was done last, of what can be done again. */
const lastDone = new WeakMap<CellEditor, () => boolean>();

/** Does something to what is selected, and has it done again by a key to what is selected then. */
export function doRepeatably(editor: CellEditor, act: () => boolean): boolean {
  const isDone = act();
  if (isDone) lastDone.set(editor, act);
  return isDone;
}

/** Does once more what was done last: a format, lines around cells, rows, columns and cells that are put in or taken out. */
export const repeatLast = (editor: CellEditor): boolean => lastDone.get(editor)?.() ?? false;
