import { isInTable } from 'prosemirror-tables';
import type { MenuEntry } from '../../kit/menu.tsx';
import { shownShortcut } from '../../shell/actions.ts';
import { t } from '../../strings/strings.ts';
import { type ActionName, actionOf, actions } from '../commands/actions.ts';
import { dialogKeys } from '../commands/keyboard.ts';
import { isPictureSelected } from '../commands/picture.ts';
import type { DialogName, WordEditor } from '../word-editor.ts';

/** What a menu offers: actions, dialogs, lines between them. */
export type EntryName = ActionName | DialogName | '-';

/** What can be done with the table that the cursor is in, below other entries. */
export const tableEntries: readonly EntryName[] = [
  '-',
  'rowAbove',
  'rowBelow',
  'columnBefore',
  'columnAfter',
  '-',
  'mergeCells',
  'splitCell',
  'headerRow',
  'cellShading',
  '-',
  'deleteRow',
  'deleteColumn',
  'deleteTable',
];

/** Entries of a menu, as they stand now. What a person may not do is shown and disabled. */
export function entriesOf(editor: WordEditor, names: readonly EntryName[]): MenuEntry[] {
  return names.map((name) => {
    if (name === '-') return 'separator';
    if (!(name in actions)) return dialogEntry(editor, name as DialogName);
    const action = actionOf(name as ActionName);
    const command = action.command(editor);
    const state = editor.session.state;
    return {
      label: t(action.label),
      run: () => editor.run(command),
      shortcut: shownShortcut(action.keys?.[0]),
      disabled: (action.edits && !editor.role.canEdit) || !command(state),
      ...(action.isOn && { checked: action.isOn(state, editor) }),
    };
  });
}

const forReaders: readonly DialogName[] = ['find', 'shortcuts', 'wordCount'];

function dialogEntry(editor: WordEditor, name: DialogName): MenuEntry {
  return {
    label: t(`toolbar.${name}`),
    run: () => {
      editor.dialog.value = name;
    },
    shortcut: shownShortcut(dialogKeys[name]),
    disabled:
      (!editor.role.canEdit && !forReaders.includes(name)) ||
      (name === 'cellShading' && !isInTable(editor.session.state)) ||
      (name === 'pictureProperties' && !isPictureSelected(editor.session.state)),
  };
}
