import { baseKeymap, chainCommands } from 'prosemirror-commands';
import { undoInputRule } from 'prosemirror-inputrules';
import { keydownHandler } from 'prosemirror-keymap';
import { type Command, Plugin } from 'prosemirror-state';
import {
  followKeys,
  type KeyBindings,
  dialogKeys as sharedDialogKeys,
  sharedKeys,
} from '../../shell/actions.ts';
import type { Shortcut } from '../../shell/dialogs/shortcuts-dialog.tsx';
import { t } from '../../strings/strings.ts';
import type { DialogName, Feature, WordEditor } from '../word-editor.ts';
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

/** Keys that open dialogs. */
export const dialogKeys: Readonly<Partial<Record<DialogName, string>>> = {
  ...sharedDialogKeys,
  link: 'Mod-k',
};

/** Keys that work wherever the focus is, as soon as there is a view: also the way from the text to the toolbar. */
export function pageKeys(editor: WordEditor): () => void {
  const bindings: KeyBindings = {
    ...sharedKeys(editor),
    [dialogKeys.link!]: () => {
      if (editor.role.canEdit) editor.dialog.value = 'link';
      return true;
    },
    'Alt-F10': () => {
      document.querySelector<HTMLElement>('.format-toolbar [tabindex="0"]')?.focus();
      return true;
    },
  };
  const onceShown = Object.entries(bindings).map(([keys, run]) => [
    keys,
    () => editor.view !== null && run(),
  ]);
  return followKeys(Object.fromEntries(onceShown));
}

/** What keys do in a text, in words. */
export function shortcuts(): Shortcut[] {
  const ofActions = Object.values<Action>(actions)
    .filter(({ keys }) => keys?.length)
    .map(({ label, keys = [] }) => ({ label: t(label), keys }));
  return [
    { label: t('dialogs.nextLevel'), keys: ['Tab'] },
    { label: t('dialogs.previousLevel'), keys: ['Shift-Tab'] },
    { label: t('dialogs.leaveText'), keys: ['Alt-F10'] },
    { label: t('toolbar.contextMenu'), keys: ['Shift-F10'] },
    { label: t('dialogs.nativeMenu'), keys: [`Ctrl-${t('dialogs.rightClick')}`] },
    { label: t('toolbar.link'), keys: [dialogKeys.link!] },
    ...ofActions,
  ];
}
