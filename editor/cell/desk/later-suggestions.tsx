import { laterPart, useLaterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { isFormula } from '../editing/typed-tokens.ts';

const part = laterPart(() => import('./suggestions.tsx'));

/** What can be typed next in a formula, from when that is downloaded, which the first formula begins. */
export function Suggestions({ editor }: { editor: CellEditor }) {
  const isTyped = isFormula(editor.editing.value?.text ?? '');
  // The next formula tries again.
  const List = useLaterPart(part, isTyped)?.Suggestions;
  return isTyped && List ? <List editor={editor} /> : null;
}

/** Whether a key was for the list of what can be typed next. */
export const suggestionKeys = (editor: CellEditor, event: KeyboardEvent): boolean =>
  part.loaded?.suggestionKeys(editor, event) ?? false;
