import { baseKeymap, chainCommands } from 'prosemirror-commands';
import { undoInputRule } from 'prosemirror-inputrules';
import { keydownHandler } from 'prosemirror-keymap';
import { type Command, Plugin } from 'prosemirror-state';
import { goToNextCell } from 'prosemirror-tables';
import { type DialogName, dialogKeys } from '../dialogs/dialog-name.ts';
import { saveNow } from '../saving/save-now.ts';
import type { Feature, WordEditor } from '../word-editor.ts';
import { type Action, actions } from './actions.ts';
import { typingRules } from './input-rules.ts';
import { changeListLevel } from './lists.ts';
import { backspace, enter, insertTab } from './typing.ts';

/** Keys of the actions, then those of typing, then those of every text field. */
export const keyboardFeature: Feature = (editor) => [
  typingRules(editor),
  new Plugin({ props: { handleKeyDown: keydownHandler(bindings(editor)) } }),
];

function bindings(editor: WordEditor): Record<string, Command> {
  const bound: Record<string, Command> = {
    ...baseKeymap,
    Enter: enter(editor.sheet),
    Backspace: chainCommands(undoInputRule, backspace(), baseKeymap.Backspace!),
    Tab: chainCommands(goToNextCell(1), changeListLevel(1), insertTab),
    'Shift-Tab': chainCommands(goToNextCell(-1), changeListLevel(-1)),
  };
  for (const { keys = [], command, edits } of Object.values<Action>(actions)) {
    for (const key of keys)
      bound[key] = handled((...given) => (!edits || editor.role.canEdit) && command(editor)(...given));
  }
  return bound;
}

/** A shortcut of ours is never left to the browser, which would print, or leave the page. */
const handled = (command: Command): Command => {
  return (state, dispatch, view) => {
    command(state, dispatch, view);
    return true;
  };
};

/** Keys that work wherever the focus is: saving, dialogs, printing, and the way from the text to the toolbar. */
export function pageKeys(editor: WordEditor): () => void {
  const open =
    (name: DialogName): Command =>
    () => {
      const forReaders = name === 'find' || name === 'shortcuts';
      if (forReaders || editor.role.canEdit) editor.dialog.value = name;
      return true;
    };
  const handle = keydownHandler({
    ...Object.fromEntries(Object.entries(dialogKeys).map(([name, key]) => [key, open(name as DialogName)])),
    'Mod-s': () => {
      void saveNow(editor);
      return true;
    },
    'Mod-p': () => {
      if (editor.role.canPrint) print();
      return true;
    },
    'Alt-F10': () => {
      document.querySelector<HTMLElement>('.format-toolbar [tabindex="0"]')?.focus();
      return true;
    },
  });
  const listener = (event: KeyboardEvent) => {
    const { view } = editor;
    if (!view || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (handle(view, event)) event.preventDefault();
  };
  addEventListener('keydown', listener);
  return () => removeEventListener('keydown', listener);
}
