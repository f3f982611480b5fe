import type { Area } from '../../../model/cell/area.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { isLeftOpen } from '../../../model/cell/protection.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { type CellPosition, isIn } from '../grid/cell-areas.ts';
import { goToName } from './names.ts';

type Link = ItemOf<'link'>;

/** The link that a cell has; null where there is none. */
export function linkAt(editor: CellEditor, cell: CellPosition): Link | null {
  for (const link of itemsOf(editor.page.sheet, 'link').values()) if (isIn(cell, link.area)) return link;
  return null;
}

/** Whether a page may open an address; everything else may be a program. */
export const isSafeAddress = (address: string): boolean => /^(?:https?|mailto|tel|ftp):/i.test(address);

/** Follows the link of a cell, in the workbook or to another page. False where there is none. */
export function openLink(editor: CellEditor, cell: CellPosition): boolean {
  const link = linkAt(editor, cell);
  if (!link) return false;
  if (link.address !== undefined) {
    const address = /^[a-z][a-z0-9+.-]*:/i.test(link.address) ? link.address : `https://${link.address}`;
    if (isSafeAddress(address)) window.open(address, '_blank', 'noopener');
    return true;
  }
  goToName(editor, link.location ?? '');
  return true;
}

/**
 * Gives what is selected a link, or (null) takes it away. A cell without text shows the address.
 * @param text null: the cell keeps what it holds
 */
export function setLink(editor: CellEditor, address: string | null, text: string | null): boolean {
  const sheet = editor.page.sheetId.peek();
  const { active } = editor.selection.peek();
  const drops = [...itemsOf(editor.page.sheet, 'link')]
    .filter(([, { area }]) => isIn(active, area))
    .map(([id]): CellOperation => ({ op: 'drop', sheet, kind: 'link', id }));
  if (address === null) return editor.change(...drops);
  const set: CellOperation[] =
    text === null ? [] : [{ op: 'set', sheet, cells: [[active.row, active.column, { v: text || address }]] }];
  return editor.change(...drops, ...linkOperations(editor, editor.range, address), ...set);
}

/** How the letters of a link look. */
export const linkFont = { color: { rgb: '0563C1' }, underline: 'single' } as const;

/** How cells of the sheet that is shown get a link, and look so where a protection leaves that. */
export function linkOperations(editor: CellEditor, area: Area, address: string): CellOperation[] {
  const sheet = editor.page.sheetId.peek();
  const look: CellOperation = { op: 'format', sheet, areas: [area], patch: { font: linkFont } };
  return [
    { op: 'put', sheet, kind: 'link', id: editor.newId(), item: { area, address } },
    ...(isLeftOpen(editor.page.workbook.peek(), look) ? [look] : []),
  ];
}
