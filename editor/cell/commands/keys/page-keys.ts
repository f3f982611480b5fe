import { followKeys, dialogKeys as sharedDialogKeys, sharedKeys } from '../../../shell/actions.ts';
import { openDialog, togglePanel } from '../../../shell/document-editor.ts';
import type { CellEditor, DialogName } from '../../cell-editor.ts';

/** Keys that open dialogs of this kind, for who may edit. */
const editingDialogKeys = {
  link: 'Mod-k',
  numberFormat: 'Ctrl-1',
  pasteSpecial: 'Mod-Alt-v',
  table: 'Ctrl-t',
  function: 'Shift-F3',
  names: 'Ctrl-F3',
  pasteName: 'F3',
} as const satisfies Partial<Record<DialogName, string>>;

/** Keys that open dialogs. */
export const dialogKeys: Readonly<Partial<Record<DialogName, string>>> = {
  ...sharedDialogKeys,
  ...editingDialogKeys,
};

/** Has the field with the name of what is selected take another one. */
export const goToKeys = 'Mod-g';

/** Keys that work wherever the focus is: also the way from the cells to the toolbar. */
export function pageKeys(editor: CellEditor): () => void {
  const dialogs = Object.entries(editingDialogKeys).map(([name, keys]) => {
    const open = () => {
      if (editor.canEdit) editor.dialog.value = name as DialogName;
      return true;
    };
    return [keys, open] as const;
  });
  return followKeys({
    ...sharedKeys(editor),
    'Mod-h': () => {
      openDialog(editor, 'find');
      return true;
    },
    ...Object.fromEntries(dialogs),
    [goToKeys]: () => {
      document.querySelector<HTMLInputElement>('.name-box')?.select();
      return true;
    },
    'Alt-F10': () => {
      document.querySelector<HTMLElement>('.format-toolbar [tabindex="0"]')?.focus();
      return true;
    },
    'Mod-Shift-h': () => {
      togglePanel(editor, 'comments');
      return true;
    },
  });
}
