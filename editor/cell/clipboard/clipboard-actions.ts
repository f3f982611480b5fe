import { type Area, moved } from '../../../model/cell/area.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import { announce } from '../../kit/announce.tsx';
import { laterPart } from '../../kit/later.tsx';
import { notify } from '../../kit/notices.tsx';
import { shownShortcut } from '../../shell/actions.ts';
import { pictureOnClipboard } from '../../shell/pictures/upload-pictures.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { actOnSelected, holdSelected } from '../commands/later-acts.ts';
import { refusesTearing } from '../commands/torn-arrays.ts';
import { pasteDrawing } from '../drawings/copied-drawing.ts';
import { insertPictureFiles } from '../drawings/insert-pictures.ts';
import { type CellPosition, rangeName } from '../grid/cell-areas.ts';
import { selectRange } from '../grid/selection.ts';
import { type CellTable, widthOfTable } from './cell-table.ts';
import { copiedBlock } from './copied-block.ts';
import { copyCells, mostCopied, readOwn } from './copied-cells.ts';
import { isPlainPaste, mostPasted, type PasteOptions, plainPaste, sayTooMany } from './paste-options.ts';
import { countCells, readSeparated } from './separated-text.ts';

/** The type by which our own pages know cells of ours. */
const ownType = 'application/x-quire-cells';
const topic = 'clipboard';
/** What other programs write is read by code that comes behind the first look at a page. */
const htmlReading = laterPart(() => import('./html-reading.ts'));
/** So is what copies come to in other cells. */
const copying = laterPart(() => import('./paste-copy.ts'));

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
  const view = editor.page.view.peek();
  const block = isCut && ranges.length > 1 ? null : copiedBlock(view, ranges);
  if (!block) {
    notify({ text: t('sheet.oneRange'), kind: 'warning', topic });
    return false;
  }
  if (block.rows.length * block.columns.length > mostCopied) {
    notify({ text: t('sheet.tooManyCells', { count: mostCopied }), kind: 'warning', topic });
    return false;
  }
  const cuts = isCut && editor.canEdit;
  const id = editor.newId();
  const { text, html, own } = copyCells(editor.page.workbook.peek(), view, block, id);
  data.setData('text/plain', text);
  data.setData('text/html', html);
  data.setData(ownType, own);
  const { areas } = block;
  const sheet = editor.page.sheetId.peek();
  const lines = block.hasWholeRows ? 'row' : block.hasWholeColumns ? 'column' : null;
  const [condition, validation] = [itemsOf(view.sheet, 'condition'), itemsOf(view.sheet, 'validation')];
  const rules = { condition, validation };
  editor.clipboard.copyCells({ sheet, areas, lines, isCut: cuts, rules, isFramed: true, id, own });
  const range = areas.map(rangeName).join(', ');
  announce(t(cuts ? 'sheet.wasCut' : 'sheet.wasCopied', { range }));
  return true;
}

/** What the clipboard has, as cells. */
interface OnClipboard {
  readonly table: CellTable;
  /** Of a copy of ours: which. */
  readonly id: string | null;
}

/** Null for nothing, and for more than can be pasted, which is said. */
function readClipboard(data: Pick<DataTransfer, 'getData'>): OnClipboard | null {
  const own = readOwn(data.getData(ownType));
  if (own) return own;
  // The page would stand still for as long as it reads the HTML of so many cells.
  if (countCells(data.getData('text/plain')) > mostPasted) {
    sayTooMany();
    return null;
  }
  const html = data.getData('text/html');
  const text = data.getData('text/plain');
  const table = html === '' ? null : (htmlReading.loaded?.readHtml(html, text === '') ?? null);
  if (table && table.rows.length > 0) return { table, id: null };
  if (text === '') return null;
  return {
    table: { rows: readSeparated(text).map((row) => row.map((cell) => ({ text: cell }))), merges: [] },
    id: null,
  };
}

/**
 * Pastes what a paste event brings: at once, unless it is the first HTML and what reads that is not there yet. Where that cannot be
 * loaded plain text is pasted.
 */
export function pasteData(
  editor: CellEditor,
  data: Pick<DataTransfer, 'getData'>,
  options: Partial<PasteOptions> = {},
): void {
  // The event's data are gone when it is over.
  const texts = new Map([ownType, 'text/plain', 'text/html'].map((type) => [type, data.getData(type)]));
  const pasteTexts = () => {
    const found = readClipboard({ getData: (type) => texts.get(type) ?? '' });
    if (!found) return;
    // A browser gives plain text alone to who asks for values; what was copied here is still known.
    const isText = options.part === 'values' && !texts.get('text/html');
    const own = isText ? knownCopy(editor, found) : null;
    paste(editor, own ?? found, { ...plainPaste, ...options });
  };
  if (texts.get(ownType) || !texts.get('text/html') || htmlReading.loaded) pasteTexts();
  else actOnSelected(editor, htmlReading, pasteTexts);
}

/** Pastes what has a frame around it since it was copied here, once. False where nothing has. */
export function pasteFramed(editor: CellEditor): boolean {
  const copied = editor.clipboard.cells.peek();
  const own = copied?.isFramed && editor.canEdit ? readOwn(copied.own) : null;
  if (!own) return false;
  paste(editor, own, plainPaste);
  editor.clipboard.endFrame();
  return true;
}

/** Pastes by a menu or a dialog, as far as the browser lets the page read the clipboard: where it is asked for, however long that takes. */
export async function pasteFromClipboard(
  editor: CellEditor,
  chosen: Partial<PasteOptions> = {},
): Promise<void> {
  const options = { ...plainPaste, ...chosen };
  editor.focus();
  const known = editor.clipboard.cells.peek();
  const onMeant = holdSelected(editor);
  const given = await readBrowser();
  if (given?.texts.get('text/html')) await htmlReading.loadOrTell();
  const found = given && readClipboard({ getData: (type) => given.texts.get(type) ?? '' });
  // What was copied here last is known without the browser.
  const cells = found ? (knownCopy(editor, found) ?? found) : given ? null : readOwn(known?.own ?? '');
  onMeant(cells && (() => paste(editor, cells, options)));
  if (cells) return;
  if (given) await pasteDrawn(editor, given.items);
  else notify({ text: t('actions.pasteByKey', { keys: shownShortcut('Mod-v')! }), kind: 'info', topic });
}

/** What the browser lets a page that asks have of the clipboard; null: nothing. */
async function readBrowser(): Promise<{
  readonly items: readonly ClipboardItem[];
  readonly texts: ReadonlyMap<string, string>;
} | null> {
  try {
    const items = await navigator.clipboard.read();
    const texts = new Map<string, string>();
    for (const item of items) {
      for (const type of item.types) {
        if (/^text\/|x-quire-cells/.test(type))
          texts.set(type.replace(/^web /, ''), await (await item.getType(type)).text());
      }
    }
    return { items, texts };
  } catch {
    return null;
  }
}

/** Pastes a picture, or the drawing that was copied here last, which a page that asks for the clipboard does not get. */
async function pasteDrawn(editor: CellEditor, items: readonly ClipboardItem[]): Promise<void> {
  const pictures = (await Promise.all(items.map(pictureOnClipboard))).filter((one) => one !== null);
  if (pictures.length > 0) await insertPictureFiles(editor, pictures);
  else if (editor.clipboard.drawing !== null) pasteDrawing(editor, editor.clipboard.drawing);
}

/** The cells that were copied here last, with their formulas and values, if the clipboard still has what they looked like. */
function knownCopy(editor: CellEditor, { id, table: pasted }: OnClipboard): OnClipboard | null {
  const known = editor.clipboard.cells.peek();
  const read = known && id === null ? readOwn(known.own) : null;
  const isSame =
    read &&
    pasted.rows.length <= read.table.rows.length &&
    widthOfTable(pasted) <= widthOfTable(read.table) &&
    read.table.rows.every((row, at) =>
      row.every(({ text }, column) => text.trim() === (pasted.rows[at]?.[column]?.text ?? '').trim()),
    );
  return isSame ? read : null;
}

function paste(editor: CellEditor, { table, id }: OnClipboard, options: PasteOptions): void {
  const copied = editor.clipboard.cells.peek();
  const sheet = editor.page.sheetId.peek();
  const target = editor.range;
  if (copied?.isCut && copied.isFramed && copied.id === id && isPlainPaste(options)) {
    const area = copied.areas[0]!;
    if (refusesTearing(editor, copied.sheet, area)) return;
    editor.clipboard.cellsMoved();
    const [row, column] = target;
    const isDone = editor.change({
      ...{ op: 'moveCells', sheet: copied.sheet, area, toSheet: sheet },
      ...{ row, column },
    });
    if (isDone) selectMoved(editor, area, target);
    return;
  }
  const from = copied?.id === id ? copied : null;
  actOnSelected(editor, copying, (loaded) => loaded.pasteCopy(editor, table, options, from));
}

/** Copies cells to another place of their sheet, where they are selected then. */
export const copyTo = (editor: CellEditor, from: Area, to: CellPosition): void =>
  actOnSelected(editor, copying, (loaded) => loaded.copyTo(editor, from, to));

/** Selects cells that were moved to where a range begins. */
function selectMoved(editor: CellEditor, area: Area, [row, column]: Area): void {
  const to = moved(area, row - area[0], column - area[1]);
  editor.select(selectRange(editor.page.view.peek(), to), { reveals: false });
}
