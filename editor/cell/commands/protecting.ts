import type { CellOperation } from '../../../model/cell/operations.ts';
import {
  newPassword,
  type PasswordCheck,
  passwordCheckOf,
  proofOf,
} from '../../../model/cell/protection-password.ts';
import type { Sheet, SheetAct } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';

/** What is protected: the sheet that is shown, or which sheets the workbook has. */
export type Protected = 'sheet' | 'book';

export const isProtected = (editor: CellEditor, what: Protected): boolean =>
  what === 'book'
    ? editor.page.workbook.value.properties.protected === true
    : editor.page.sheet.properties.protection !== undefined;

/** The password that takes a protection off; null where there is none. */
export function passwordOf(editor: CellEditor, what: Protected): PasswordCheck | null {
  const { properties } = editor.page.workbook.value;
  return passwordCheckOf(
    what === 'book' ? properties.structureKey : editor.page.sheet.properties.protection?.extra,
  );
}

/** Takes a protection off. @returns false when the password is another one */
export async function unprotect(editor: CellEditor, what: Protected, password: string): Promise<boolean> {
  const check = passwordOf(editor, what);
  const proof = check ? { proof: await proofOf(password, check) } : {};
  const operation: CellOperation =
    what === 'book'
      ? { op: 'workbook', patch: { protected: null, structureKey: null }, ...proof }
      : { op: 'sheet', sheet: editor.page.sheetId.peek(), patch: { protection: null }, ...proof };
  return editor.makes(operation);
}

/** @param isOpen what is selected can be written by everybody */
export async function protectSheet(
  editor: CellEditor,
  allows: readonly SheetAct[],
  password: string,
  isOpen: boolean,
): Promise<boolean> {
  const sheet = editor.page.sheetId.peek();
  const extra = password === '' ? {} : { extra: await newPassword(password) };
  const { ranges } = editor.selection.peek();
  const open: CellOperation = {
    ...{ op: 'put', sheet, kind: 'openRange', id: editor.newId() },
    item: { areas: [...ranges], name: freeRangeName(editor.page.sheet) },
  };
  return editor.change(...(isOpen ? [open] : []), {
    op: 'sheet',
    sheet,
    patch: { protection: { allows, ...extra } },
  });
}

export async function protectBook(editor: CellEditor, password: string): Promise<boolean> {
  const structureKey = password === '' ? null : await newPassword(password);
  return editor.change({ op: 'workbook', patch: { protected: true, structureKey } });
}

/** Range1, Range2 …, as Excel calls them: a file needs a name for each. */
function freeRangeName(sheet: Sheet): string {
  const names = new Set(
    [...(sheet.items.openRange?.values() ?? [])].map((item) => (item as { name: string }).name),
  );
  for (let number = 1; ; number++) if (!names.has(`Range${number}`)) return `Range${number}`;
}
