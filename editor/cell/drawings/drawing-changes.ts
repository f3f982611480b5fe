import type { Drawing } from '../../../model/cell/items.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { isLeftOpen } from '../../../model/cell/protection.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import { announce } from '../../kit/announce.tsx';
import { emuPerPx } from '../../kit/emu.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { tellProtected } from '../commands/later-refusal.ts';
import type { Rect } from '../grid/rect.ts';
import { anchorAtPlace, placeOfAnchor } from './anchor-place.ts';
import { cellsOfPlace, drawingsOf, leaveDrawing, revealPlace, selectedDrawing } from './selected-drawing.ts';

/** Smaller than this nothing can be made, in pixels at a zoom of 1. */
export const leastSidePx = 8;

/** Whether drawings can be put into a sheet; says why they cannot. */
export function mayPutDrawings(editor: CellEditor, sheet: string): boolean {
  if (!editor.canEdit) {
    notify({ text: t('pictures.notAllowed'), kind: 'warning', topic: 'sheet-refused' });
    return false;
  }
  const drop: CellOperation = { op: 'drop', sheet, kind: 'drawing', id: '' };
  if (isLeftOpen(editor.page.workbook.peek(), drop)) return true;
  tellProtected(editor.page.workbook.peek(), [drop]);
  return false;
}

const patch = (editor: CellEditor, id: string, fields: { readonly [Name in keyof Drawing]?: unknown }) =>
  editor.change({ op: 'patch', sheet: editor.page.sheetId.peek(), kind: 'drawing', id, patch: fields });

/** Puts a drawing in front of all others of a sheet, and selects it where that sheet is shown. */
export function putDrawing(editor: CellEditor, sheet: string, drawing: Omit<Drawing, 'order'>): boolean {
  const last = editor.session.workbook.sheets
    .filter(({ id }) => id === sheet)
    .flatMap(drawingsOf)
    .at(-1);
  const id = editor.newId();
  const item = { ...drawing, order: (last?.[1].order ?? -1) + 1 };
  const isPut = editor.change({ op: 'put', sheet, kind: 'drawing', id, item });
  if (isPut && sheet === editor.page.sheetId.peek()) editor.drawing.value = id;
  return isPut;
}

/** Moves a drawing of the sheet that is shown to another place of it, in another size. */
export function placeDrawing(editor: CellEditor, id: string, place: Rect): boolean {
  const drawing = itemsOf(editor.page.sheet, 'drawing').get(id);
  if (!drawing) return false;
  const sheet = editor.page.view.peek();
  const moved = anchorAtPlace(place, drawing.anchor, sheet);
  const emu = (px: number) => Math.round((px / sheet.zoom) * emuPerPx);
  const anchor = moved.size ? { ...moved, size: [emu(place.width), emu(place.height)] } : moved;
  const isPlaced = patch(editor, id, { anchor });
  if (isPlaced) {
    revealPlace(editor, place);
    announce(t('drawings.nowAt', { place: cellsOfPlace(place, sheet) }));
  }
  return isPlaced;
}

/** Moves or resizes the selected drawing by pixels at a zoom of 1. `inProportion`: its height follows its width. */
export function nudgeDrawing(
  editor: CellEditor,
  by: { readonly x?: number; readonly y?: number; readonly width?: number; readonly height?: number },
  inProportion = false,
): boolean {
  const selected = selectedDrawing(editor);
  if (!selected) return false;
  const [id, drawing] = selected;
  const sheet = editor.page.view.peek();
  const { zoom, rows, columns } = sheet;
  const before = placeOfAnchor(drawing.anchor, sheet);
  const least = leastSidePx * zoom;
  const width = Math.max(least, before.width + (by.width ?? 0) * zoom);
  const followed = (before.height * width) / Math.max(1, before.width);
  const height = inProportion ? followed : Math.max(least, before.height + (by.height ?? 0) * zoom);
  const within = (value: number, length: number) => Math.min(Math.max(0, value), Math.max(0, length));
  const x = within(before.x + (by.x ?? 0) * zoom, columns.length - width);
  const y = within(before.y + (by.y ?? 0) * zoom, rows.length - height);
  const place = { x, y, width, height };
  const isSame = (['x', 'y', 'width', 'height'] as const).every((side) => place[side] === before[side]);
  return !isSame && placeDrawing(editor, id, place);
}

/** Takes the selected drawing out; the cells have the focus then. False where none is selected. */
export function removeDrawing(editor: CellEditor): boolean {
  const selected = selectedDrawing(editor);
  if (!selected) return false;
  const [id] = selected;
  if (editor.change({ op: 'drop', sheet: editor.page.sheetId.peek(), kind: 'drawing', id })) {
    leaveDrawing(editor);
    announce(t('drawings.removed'));
  }
  return true;
}

/** Puts the selected drawing in front of all others, or behind them. */
export function layerDrawing(editor: CellEditor, to: 'front' | 'back'): boolean {
  const selected = selectedDrawing(editor);
  const all = drawingsOf(editor.page.sheet);
  const end = to === 'front' ? all.at(-1) : all[0];
  if (!selected || !end || end[0] === selected[0]) return false;
  const isDone = patch(editor, selected[0], { order: end[1].order + (to === 'front' ? 1 : -1) });
  if (isDone) announce(t(to === 'front' ? 'drawings.nowInFront' : 'drawings.nowBehind'));
  return isDone;
}

/** Describes the selected drawing for people who do not see it; with nothing said it has no description. */
export function describeDrawing(editor: CellEditor, description: string): boolean {
  const selected = selectedDrawing(editor);
  if (!selected || (selected[1].description ?? '') === description) return false;
  return patch(editor, selected[0], { description: description === '' ? null : description });
}
