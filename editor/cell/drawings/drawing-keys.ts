import { type KeyBindings, keyHandler } from '../../shell/actions.ts';
import type { CellEditor } from '../cell-editor.ts';
import { nudgeDrawing, removeDrawing } from './drawing-changes.ts';
import { leaveDrawing, selectedDrawing, stepDrawing } from './selected-drawing.ts';

/** Pixels at a zoom of 1 by which an arrow moves a drawing, and by which it does with Ctrl. */
const stepPx = 10;
const finePx = 1;

/** Opens what there is to be said about the selected drawing. */
export function openDrawing(editor: CellEditor): void {
  if (editor.canEdit) editor.dialog.value = 'drawing';
}

/** Opens the panel of the selected chart. */
function openChart(editor: CellEditor): void {
  if (editor.canEdit && selectedDrawing(editor)?.[1].chart) editor.panel.value = 'chart';
}

/** Keys while a drawing is selected. */
export function drawingKeys(editor: CellEditor): (event: KeyboardEvent) => boolean {
  const bindings: Record<string, () => boolean> = {
    Escape: done(() => leaveDrawing(editor)),
    Tab: done(() => stepDrawing(editor, 1)),
    'Shift-Tab': done(() => stepDrawing(editor, -1)),
    Delete: done(() => removeDrawing(editor)),
    Backspace: done(() => removeDrawing(editor)),
    Enter: done(() => openDrawing(editor)),
    'Alt-F1': done(() => openChart(editor)),
    'Mod-z': done(() => editor.undo()),
    'Mod-y': done(() => editor.redo()),
    'Mod-Shift-z': done(() => editor.redo()),
    'Ctrl-Alt-5': done(() => stepDrawing(editor, 1)),
  } satisfies KeyBindings;
  for (const [key, x, y] of [
    ['ArrowUp', 0, -1],
    ['ArrowDown', 0, 1],
    ['ArrowLeft', -1, 0],
    ['ArrowRight', 1, 0],
  ] as const) {
    // The sheet's own direction decides where its next column is; up is larger the other way round.
    const across = () => (editor.page.view.peek().isRightToLeft ? -x : x);
    bindings[key] = done(() => nudgeDrawing(editor, { x: across() * stepPx, y: y * stepPx }));
    bindings[`Mod-${key}`] = done(() => nudgeDrawing(editor, { x: across() * finePx, y: y * finePx }));
    bindings[`Shift-${key}`] = done(() =>
      nudgeDrawing(editor, { width: across() * stepPx, height: y * stepPx }),
    );
    bindings[`Alt-Shift-${key}`] = done(() => nudgeDrawing(editor, { width: (across() + y) * stepPx }, true));
  }
  return keyHandler(bindings);
}

const done = (run: () => unknown) => () => {
  run();
  return true;
};
