import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import { announce } from '../../kit/announce.tsx';
import { notify } from '../../kit/notices.tsx';
import { shownShortcut } from '../../shell/actions.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { heightOf, intersectionOf, rangeName, widthOf } from '../grid/cell-range.ts';
import { selectRange } from '../grid/selection.ts';
import { areaOfRange, rangeOfArea } from '../shown/sheet-view.ts';
import { type CellTable, transposed, widthOfTable } from './cell-table.ts';
import { copiedRange, copyCells, mostCopied, readOwn } from './copied-cells.ts';
import { readHtml } from './html-table.ts';
import { mostPasted, type PastedPart, pastedRange, pasteOperations } from './paste.ts';
import { readSeparated } from './separated-text.ts';

/** The type by which our own pages know cells of ours. */
const ownType = 'application/x-quire-cells';
const topic = 'clipboard';

/** Copies, or cuts, by a menu: by the browser's own command, which asks for no right. */
export function copySelection(editor: CellEditor, isCut: boolean): void {
  editor.focus();
  document.execCommand(isCut ? 'cut' : 'copy');
}

/** Writes what is selected to the clipboard. False for what cannot be copied, and was said so. */
export function writeSelection(editor: CellEditor, data: DataTransfer, isCut: boolean): boolean {
  if (!editor.role.canCopy) {
    notify({ text: t('sheet.mayNotCopy'), kind: 'warning', topic });
    return false;
  }
  const { ranges } = editor.selection.peek();
  const view = editor.view.peek();
  if (ranges.length > 1) {
    notify({ text: t('sheet.oneRange'), kind: 'warning', topic });
    return false;
  }
  const range = copiedRange(view, ranges[0]!);
  if (heightOf(range) * widthOf(range) > mostCopied) {
    notify({ text: t('sheet.tooManyCells', { count: mostCopied }), kind: 'warning', topic });
    return false;
  }
  const id = editor.newId();
  const { text, html, own } = copyCells(editor.workbook.peek(), view, range, id);
  data.setData('text/plain', text);
  data.setData('text/html', html);
  data.setData(ownType, own);
  editor.copied.value = { sheet: editor.sheetId.peek(), range, isCut: isCut && editor.canEdit, id };
  announce(t(isCut ? 'sheet.wasCut' : 'sheet.wasCopied', { range: rangeName(range) }));
  return true;
}

/** What the clipboard has, as cells. */
interface OnClipboard {
  readonly table: CellTable;
  /** Of a copy of ours: which. */
  readonly id: string | null;
}

function readClipboard(data: Pick<DataTransfer, 'getData'>): OnClipboard | null {
  const own = readOwn(data.getData(ownType));
  if (own) return own;
  const html = data.getData('text/html');
  const table = html === '' ? null : readHtml(html);
  if (table && table.rows.length > 0) return { table, id: null };
  const text = data.getData('text/plain');
  if (text === '') return null;
  return {
    table: { rows: readSeparated(text).map((row) => row.map((cell) => ({ text: cell }))), merges: [] },
    id: null,
  };
}

/** Pastes what a paste event brings. */
export function pasteData(
  editor: CellEditor,
  data: Pick<DataTransfer, 'getData'>,
  part: PastedPart,
): boolean {
  const found = readClipboard(data);
  return found !== null && paste(editor, found, part, false);
}

/** Pastes by a menu, as far as the browser lets the page read the clipboard. */
export async function pasteFromClipboard(
  editor: CellEditor,
  part: PastedPart,
  turned = false,
): Promise<void> {
  editor.focus();
  try {
    const items = await navigator.clipboard.read();
    const texts = new Map<string, string>();
    for (const item of items) {
      for (const type of item.types) {
        if (/^text\/|x-quire-cells/.test(type))
          texts.set(type.replace(/^web /, ''), await (await item.getType(type)).text());
      }
    }
    const found = readClipboard({ getData: (type) => texts.get(type) ?? '' });
    // Formulas are not in what the browser gives a page that asks; what was copied here is still known.
    const known = editor.copied.peek();
    const own = known && found && !found.id ? tableOf(editor, found.table) : null;
    if (found) paste(editor, own ?? found, part, turned);
  } catch {
    const keys = shownShortcut('Mod-v')!;
    notify({ text: t('actions.pasteByKey', { keys }), kind: 'info', topic });
  }
}

/** The cells that were copied here last, if the clipboard still has what they look like. */
function tableOf(editor: CellEditor, pasted: CellTable): OnClipboard | null {
  const copied = editor.copied.peek();
  if (!copied || copied.sheet !== editor.sheetId.peek()) return null;
  const { own } = copyCells(editor.workbook.peek(), editor.view.peek(), copied.range, copied.id);
  const read = readOwn(own);
  const isSame = read?.table.rows.every((row, at) =>
    row.every(({ text }, column) => text.trim() === (pasted.rows[at]?.[column]?.text ?? '').trim()),
  );
  return isSame ? read : null;
}

function paste(editor: CellEditor, { table, id }: OnClipboard, part: PastedPart, turned: boolean): boolean {
  const copied = editor.copied.peek();
  const sheet = editor.sheetId.peek();
  const target = editor.range;
  if (copied?.isCut && copied.id === id && part === 'all' && !turned) {
    editor.copied.value = null;
    const isDone = editor.change({
      op: 'moveCells',
      sheet: copied.sheet,
      area: areaOfRange(copied.range),
      toSheet: sheet,
      row: target.top,
      column: target.left,
    });
    if (isDone)
      selectPasted(
        editor,
        pastedRange({ ...table, rows: table.rows }, { ...target, bottom: target.top, right: target.left }),
      );
    return isDone;
  }
  const shown = turned ? transposed(table) : table;
  const range = pastedRange(shown, target);
  if (heightOf(range) * widthOfTable(shown) > mostPasted) {
    notify({ text: t('sheet.tooManyCells', { count: mostPasted }), kind: 'warning', topic });
    return false;
  }
  const operations: CellOperation[] = pasteOperations({
    sheet,
    table: shown,
    target,
    part,
    settings: editor.settings,
    formatAt: (row, column) => editor.formatAt({ row, column }),
    newId: () => editor.newId(),
    mergesIn: (within) =>
      [...itemsOf(editor.sheet, 'merge')]
        .filter(([, { area }]) => intersectionOf(rangeOfArea(area), within))
        .map(([merge]) => merge),
  });
  const isDone = editor.change(...operations);
  if (isDone) selectPasted(editor, range);
  return isDone;
}

function selectPasted(editor: CellEditor, range: Parameters<typeof selectRange>[1]): void {
  editor.select(selectRange(editor.view.peek(), range), { reveals: false });
}
