import { notify } from '../../kit/notices.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { offerTopic } from './offer-topic.ts';

/**
 * Says what came of the change that this person has just made, with a button that takes it back. The button is there until their
 * next change, which it would take back instead.
 * @param then done when the workbook without that change is shown
 */
export function offerUndo(editor: CellEditor, text: string, label: string, then?: () => void): void {
  const run = () => {
    editor.undo();
    if (then) queueMicrotask(then);
  };
  notify({ text, kind: 'info', topic: offerTopic, action: { label, run } });
}
