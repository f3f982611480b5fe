import type { Color } from '../../../model/cell/cell-format.ts';
import { itemsOf, sameName, sheetNamed, visibleSheets } from '../../../model/cell/workbook.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { neighbourOf, sheetBeside } from '../shown/neighbour-sheet.ts';

const longestName = 31;
/** Excel keeps this name for a sheet of its own. */
const reservedName = 'History';

/** A name that no sheet has yet. */
export function freeSheetName(names: readonly string[], stem: string): string {
  for (let number = 1; ; number++) {
    const name = `${stem}${number}`;
    if (!names.some((other) => sameName(other, name))) return name;
  }
}

/** A name for a copy of a sheet that no sheet has yet: `Plan (2)`, of which a copy is `Plan (3)`. */
export function copyName(names: readonly string[], name: string): string {
  const stem = name.replace(/ \(\d+\)$/, '');
  for (let number = 2; ; number++) {
    const end = ` (${number})`;
    // Half of a sign that is two in texts is none.
    const begin = stem.slice(0, longestName - end.length).replace(/[\uD800-\uDBFF]$/, '');
    if (!names.some((other) => sameName(other, begin + end))) return begin + end;
  }
}

/** Adds a sheet behind the one that is shown, and shows it. */
export function addSheet(editor: CellEditor): boolean {
  const { sheets } = editor.page.workbook.peek();
  const names = sheets.map(({ properties }) => properties.name);
  const id = editor.newId();
  const at = sheets.findIndex((sheet) => sheet.id === editor.page.sheetId.peek()) + 1;
  const isDone = editor.change({
    op: 'addSheet',
    sheet: id,
    name: freeSheetName(names, t('sheet.newName')),
    at,
  });
  if (isDone) editor.sheets.showWhenThere(id);
  return isDone;
}

export function copySheet(editor: CellEditor): boolean {
  const { sheets } = editor.page.workbook.peek();
  const of = editor.page.sheet;
  const names = sheets.map(({ properties }) => properties.name);
  const id = editor.newId();
  const at = sheets.indexOf(of) + 1;
  const name = copyName(names, of.properties.name);
  const isDone = editor.change({ op: 'addSheet', sheet: id, name, at, copyOf: of.id });
  if (!isDone) return false;
  editor.sheets.showWhenThere(id);
  if (itemsOf(of, 'pivot').size > 0) notify({ text: t('sheet.copyWithoutPivots'), kind: 'info' });
  return true;
}

/** Removes the sheet that is shown; asks before, if anything is on it. */
export function removeSheet(editor: CellEditor): boolean {
  if (visibleSheets(editor.page.workbook.peek()).length < 2) {
    notify({ text: t('sheet.lastSheet'), kind: 'warning' });
    return false;
  }
  const { grid, items } = editor.page.sheet;
  const isBlank = grid.lastRow < 0 && Object.values(items).every((ofKind) => (ofKind?.size ?? 0) === 0);
  if (isBlank) return removeNow(editor, editor.page.sheetId.peek());
  editor.dialog.value = 'removeSheet';
  return false;
}

export const removeNow = (editor: CellEditor, sheet: string): boolean =>
  editor.change({ op: 'removeSheet', sheet });

/** Why a sheet cannot have a name; null if it can. */
export function problemWithName(editor: CellEditor, id: string, name: string): string | null {
  if (name.trim() === '') return t('sheet.nameEmpty');
  if (name.length > longestName) return t('sheet.nameTooLong', { count: longestName });
  if (/[\\/?*[\]:]/.test(name) || name.startsWith("'") || name.endsWith("'")) return t('sheet.nameSigns');
  if (sameName(name, reservedName)) return t('sheet.nameReserved', { name });
  const other = sheetNamed(editor.page.workbook.peek(), name);
  return other && other.id !== id ? t('sheet.nameTaken') : null;
}

export const renameSheet = (editor: CellEditor, sheet: string, name: string): boolean =>
  editor.change({ op: 'sheet', sheet, patch: { name } });

export const colorSheet = (editor: CellEditor, sheet: string, color: Color | null): boolean =>
  editor.change({ op: 'sheet', sheet, patch: { color } });

export function hideSheet(editor: CellEditor): boolean {
  const id = editor.page.sheetId.peek();
  const next = neighbourOf(editor.page.workbook.peek(), id);
  if (!next) {
    notify({ text: t('sheet.lastSheet'), kind: 'warning' });
    return false;
  }
  const isDone = editor.change({ op: 'sheet', sheet: id, patch: { state: 'hidden' } });
  if (isDone) editor.sheets.show(next.id);
  return isDone;
}

export function unhideSheet(editor: CellEditor, sheet: string): boolean {
  const isDone = editor.change({ op: 'sheet', sheet, patch: { state: null } });
  if (isDone) editor.sheets.show(sheet);
  return isDone;
}

/** Puts the sheet behind the next one that is seen, or before the last. */
export function moveSheet(editor: CellEditor, by: 1 | -1): boolean {
  const workbook = editor.page.workbook.peek();
  const sheet = editor.page.sheetId.peek();
  const beside = sheetBeside(workbook, sheet, by);
  return (
    beside !== undefined && editor.change({ op: 'moveSheet', sheet, to: workbook.sheets.indexOf(beside) })
  );
}

/** The place that a sheet has when it is put before another one, or behind all, among the ids of all; -1 for where it is. */
export function placeBefore(ids: readonly string[], id: string, before: string | null): number {
  const others = ids.filter((one) => one !== id);
  const place = before === null ? others.length : others.indexOf(before);
  return place === ids.indexOf(id) ? -1 : place;
}

export function moveSheetBefore(editor: CellEditor, sheet: string, before: string | null): boolean {
  const ids = editor.page.workbook.peek().sheets.map(({ id }) => id);
  const to = placeBefore(ids, sheet, before);
  return to >= 0 && editor.change({ op: 'moveSheet', sheet, to });
}

/** Shows the next sheet that has a tab, or the one before. */
export function stepSheet(editor: CellEditor, by: 1 | -1): boolean {
  const visible = visibleSheets(editor.page.workbook.peek());
  const at = visible.findIndex(({ id }) => id === editor.page.sheetId.peek());
  const next = visible[at + by];
  if (next) editor.sheets.show(next.id);
  return next !== undefined;
}
