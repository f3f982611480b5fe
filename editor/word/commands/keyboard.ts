import { baseKeymap, chainCommands } from 'prosemirror-commands';
import { undoInputRule } from 'prosemirror-inputrules';
import { keydownHandler } from 'prosemirror-keymap';
import { type Command, Plugin } from 'prosemirror-state';
import { saveNow } from '../../shell/saving/save-now.ts';
import { type DialogName, dialogKeys } from '../dialogs/dialog-name.ts';
import type { Feature, WordEditor } from '../word-editor.ts';
import { type Action, actions } from './actions.ts';
import { afterLinks } from './links.ts';
import { changeListLevelAtStart } from './lists.ts';
import { addRowAtEnd, collapseInCell, goToNextCell } from './tables.ts';
import { backspace, directTyping, enter, indentSeveral, insertTab, typingRules } from './typing.ts';

/** Keys of the actions, then those of typing, then those of every text field. */
export const keyboardFeature: Feature = (editor) => [
  directTyping(),
  typingRules(editor.document.lists, editor.styles),
  afterLinks(editor.styles),
  new Plugin({ props: { handleKeyDown: keydownHandler(bindings(editor)) } }),
];

function bindings(editor: WordEditor): Record<string, Command> {
  const { styles } = editor;
  const bound: Record<string, Command> = {
    ...baseKeymap,
    Enter: enter(styles),
    Backspace: chainCommands(undoInputRule, backspace(styles), baseKeymap.Backspace!),
    ArrowLeft: collapseInCell('ArrowLeft', styles),
    ArrowRight: collapseInCell('ArrowRight', styles),
    Tab: chainCommands(
      goToNextCell(1),
      addRowAtEnd,
      changeListLevelAtStart(1, styles),
      indentSeveral(styles, 1),
      insertTab,
    ),
    'Shift-Tab': chainCommands(
      goToNextCell(-1),
      changeListLevelAtStart(-1, styles),
      indentSeveral(styles, -1),
    ),
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
      editor.print();
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
