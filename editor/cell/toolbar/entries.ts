import type { MenuEntry } from '../../kit/menu.tsx';
import { shownShortcut } from '../../shell/actions.ts';
import { type StringKey, t } from '../../strings/strings.ts';
import type { CellEditor, DialogName } from '../cell-editor.ts';
import { type ActionName, actionOf, actions } from '../commands/actions.ts';
import { dialogKeys } from '../commands/keys/page-keys.ts';
import { beginComment } from '../comments/comment-actions.ts';
import { ruleDialogLabels } from '../dialogs/rule-dialog-names.ts';
import { isLeft } from './left-open.ts';

/** What a menu offers: actions, dialogs, a comment, lines between them. */
export type EntryName = ActionName | DialogName | 'comment' | '-';

/** What is done by way of the clipboard. */
export const clipboardEntries = [
  ...(['cut', 'copy', 'paste', 'pasteValues', 'pasteFormulas', 'pasteFormats'] as const),
  ...(['pasteTransposed', 'pasteSpecial'] as const),
] satisfies readonly EntryName[];

const dialogLabels: Readonly<Record<DialogName, StringKey>> = {
  find: 'toolbar.find',
  shortcuts: 'toolbar.shortcuts',
  rename: 'toolbar.rename',
  function: 'sheet.insertFunction',
  numberFormat: 'sheet.numberFormat',
  borders: 'sheet.bordersMore',
  link: 'toolbar.link',
  pasteSpecial: 'pasting.special',
  renameSheet: 'sheet.renameSheet',
  removeSheet: 'sheet.removeSheet',
  tabColor: 'sheet.tabColor',
  columnWidth: 'sheet.columnWidth',
  rowHeight: 'sheet.rowHeight',
  picture: 'drawings.insertPicture',
  drawing: 'drawings.describe',
  ...ruleDialogLabels,
};

const aboutProtection: readonly DialogName[] = ['protectSheet', 'protectBook'];
const forReaders: readonly DialogName[] = ['find', 'shortcuts'];

/** Entries of a menu, as they stand now. What a person may not do is shown and disabled. */
export function entriesOf(editor: CellEditor, names: readonly EntryName[]): MenuEntry[] {
  return names.map((name) => {
    if (name === '-') return 'separator';
    if (name === 'comment') return commentEntry(editor);
    if (!(name in actions)) return dialogEntry(editor, name as DialogName);
    const action = actionOf(name as ActionName);
    return {
      label: t(action.label),
      run: () => {
        editor.focus();
        action.run(editor);
      },
      shortcut: shownShortcut(action.keys?.[0]),
      disabled:
        (action.edits && !(editor.canEdit && isLeft(editor, name as ActionName))) ||
        action.can?.(editor) === false,
      ...(action.isOn && { checked: action.isOn(editor) }),
    };
  });
}

/** Begins a comment on the active cell. */
export const commentEntry = (editor: CellEditor) => ({
  label: t('review.comment'),
  run: () => beginComment(editor),
  shortcut: shownShortcut('Shift-F2'),
  disabled: !editor.role.canComment,
});

/** Opens a dialog. */
export const dialogEntry = (editor: CellEditor, name: DialogName) => ({
  label: t(dialogLabels[name]),
  run: () => {
    editor.dialog.value = name;
  },
  shortcut: shownShortcut(dialogKeys[name]),
  disabled:
    (!forReaders.includes(name) && !(editor.canEdit && isLeft(editor, name))) ||
    (aboutProtection.includes(name) && !editor.role.canProtect),
});
