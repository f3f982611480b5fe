import type { UploadedPicture } from '../../../client/replica/document-media.ts';
import type { Anchor } from '../../../model/cell/items.ts';
import { sheetOf } from '../../../model/cell/workbook.ts';
import { emuPerPx } from '../../kit/emu.ts';
import { ownSize, sizeInRoom, sizeOfPicture } from '../../shell/pictures/picture-size.ts';
import { describedByName, uploadPicture } from '../../shell/pictures/upload-pictures.ts';
import type { CellEditor } from '../cell-editor.ts';
import { anchorAtPlace } from './anchor-place.ts';
import { mayPutDrawings, putDrawing } from './drawing-changes.ts';

/** Several pictures that come at once do not hide each other altogether. */
const stepPx = 20;
/** A picture takes at most this part of what is seen of the sheet, and may always be as large as the least. */
const mostOfView = 0.9;
const leastRoomPx = 100;

/** Where a picture comes to be: a sheet, and a place of it in pixels as it is shown. */
export interface PicturePlace {
  readonly sheet: string;
  readonly x: number;
  readonly y: number;
}

/** The active cell, where pictures come to be unless somebody says otherwise. */
export function placeOfActiveCell(editor: CellEditor): PicturePlace {
  const { rows, columns } = editor.page.view.peek();
  const { row, column } = editor.selection.peek().active;
  return { sheet: editor.page.sheetId.peek(), x: columns.offsetOf(column), y: rows.offsetOf(row) };
}

/** Uploads pictures and puts them into a sheet. Says what cannot be put in, and why. */
export async function insertPictureFiles(
  editor: CellEditor,
  files: readonly File[],
  { description = '', at = placeOfActiveCell(editor) } = {},
): Promise<void> {
  if (files.length === 0 || !mayPutDrawings(editor, at.sheet)) return;
  for (const [number, file] of files.entries()) {
    const words = description === '' ? describedByName(file) : description;
    await uploadPicture(editor.session, file, (picture) =>
      placePicture(editor, picture, stepped(at, number), words),
    );
  }
}

/** The place of the next of several pictures that are put in at the active cell. */
export function pictureSeries(editor: CellEditor): (picture: UploadedPicture) => Promise<boolean> {
  const at = placeOfActiveCell(editor);
  let number = 0;
  return (picture) => placePicture(editor, picture, stepped(at, number++));
}

const stepped = ({ sheet, x, y }: PicturePlace, number: number): PicturePlace => ({
  sheet,
  x: x + number * stepPx,
  y: y + number * stepPx,
});

const anyTwoCells: Anchor = { from: [0, 0, 0, 0], to: [0, 0, 0, 0], follows: 'both' };

/**
 * Puts in a picture that the server has, in its own size where there is room for it.
 *
 * @returns false where it was refused, and why was said
 * @throws when the browser cannot show it
 */
async function placePicture(
  editor: CellEditor,
  { path, url }: UploadedPicture,
  { sheet: id, x, y }: PicturePlace,
  description?: string,
): Promise<boolean> {
  const natural = await sizeOfPicture(url);
  const sheet = sheetOf(editor.session.workbook, id);
  if (!sheet) return false;
  const view = editor.page.viewOf(sheet);
  const { zoom } = view;
  const room = (length = 0) => Math.max(leastRoomPx, (length * mostOfView) / zoom);
  const seen = editor.grid?.layout.scrolled;
  const fitting = { width: room(seen?.width), height: room(seen?.height) };
  const { width, height } = sizeInRoom(ownSize, natural, fitting);
  const place = { x, y, width: width * zoom, height: height * zoom };
  const emu = (px: number) => Math.round(px * emuPerPx);
  return putDrawing(editor, id, {
    kind: 'picture',
    // Programs that do not lay out cells go by the size.
    anchor: { ...anchorAtPlace(place, anyTwoCells, view), size: [emu(width), emu(height)] },
    src: path,
    ...(description !== undefined && { description }),
  });
}
