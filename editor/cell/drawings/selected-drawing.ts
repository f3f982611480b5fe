import type { Drawing } from '../../../model/cell/items.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { commit } from '../commands/entering.ts';
import { cellName } from '../grid/cell-areas.ts';
import type { DrawnSheet } from '../grid/drawn-sheet.ts';
import type { Rect } from '../grid/rect.ts';
import { placeOfAnchor } from './anchor-place.ts';

/** A drawing of a sheet with its id. */
export type DrawingEntry = readonly [id: string, drawing: Drawing];

/** What is drawn on a sheet, from the back to the front. */
export const drawingsOf = (sheet: Sheet): readonly DrawingEntry[] =>
  [...itemsOf(sheet, 'drawing')].toSorted(([, one], [, other]) => one.order - other.order);

/** The drawing that is selected on the sheet that is shown; null where none is. Components that read it follow it. */
export function selectedDrawing(editor: CellEditor): DrawingEntry | null {
  const id = editor.drawing.value;
  const drawing = id === null ? undefined : itemsOf(editor.page.sheet, 'drawing').get(id);
  return drawing === undefined ? null : [id!, drawing];
}

/** Selects a drawing of the sheet that is shown; false where what is typed into a cell cannot be left. */
export function selectDrawing(editor: CellEditor, id: string, { reveals = false } = {}): boolean {
  if (!commit(editor)) return false;
  editor.drawing.value = id;
  const drawing = itemsOf(editor.page.sheet, 'drawing').get(id);
  if (reveals && drawing) revealPlace(editor, placeOfAnchor(drawing.anchor, editor.page.view.peek()));
  return true;
}

/** Goes back to the cells. */
export function leaveDrawing(editor: CellEditor): void {
  editor.drawing.value = null;
  editor.focus();
}

/** Selects the next drawing, or the one before, round and round; the first where none is selected. False where there is none. */
export function stepDrawing(editor: CellEditor, by: 1 | -1): boolean {
  const all = drawingsOf(editor.page.sheet);
  if (all.length === 0) return false;
  const at = all.findIndex(([id]) => id === editor.drawing.peek());
  const next = at < 0 ? 0 : (at + by + all.length) % all.length;
  return selectDrawing(editor, all[next]![0], { reveals: true });
}

/** Scrolls to a place of the sheet; its beginning is seen where not all of it fits. */
export function revealPlace(editor: CellEditor, place: Rect): void {
  const sheet = editor.page.view.peek();
  const { x, y, width, height } = place;
  for (const [right, down] of [
    [x + width, y + height],
    [x, y],
  ] as const) {
    editor.grid?.reveal({ row: sheet.rows.indexAt(down), column: sheet.columns.indexAt(right) });
  }
}

/** The cells that a place of the sheet covers, as people call them. */
export function cellsOfPlace({ x, y, width, height }: Rect, { rows, columns }: DrawnSheet): string {
  const first = cellName({ row: rows.indexAt(y), column: columns.indexAt(x) });
  const last = cellName({ row: rows.indexAt(y + height), column: columns.indexAt(x + width) });
  return first === last ? first : `${first}:${last}`;
}

/** What a drawing is, for people who do not see it: its kind, its words, and where it is. */
export function drawingLabel({ kind, description, name, chart, text, anchor }: Drawing, sheet: DrawnSheet) {
  const words = description ?? chart?.title ?? text ?? name;
  const what = t(`drawings.${kind}`);
  return [words ? `${what}: ${words}` : what, cellsOfPlace(placeOfAnchor(anchor, sheet), sheet)].join(', ');
}
