/** Dialogs about what is selected; they are downloaded behind the first look at the page. */
const names = [
  'numberFormat',
  'borders',
  'link',
  'pasteSpecial',
  'renameSheet',
  'removeSheet',
  'tabColor',
  'columnWidth',
  'rowHeight',
  'picture',
  'drawing',
] as const;

export type SheetDialogName = (typeof names)[number];

/** Those, and the one that is downloaded by itself, with its texts. */
export type LaterDialogName = SheetDialogName | 'function';

export const isSheetDialog = (name: string): name is SheetDialogName =>
  (names as readonly string[]).includes(name);
