import { type Drawing, readItem } from '../../../model/cell/items.ts';
import { announce } from '../../kit/announce.tsx';
import { notify } from '../../kit/notices.tsx';
import { pictureFiles } from '../../shell/pictures/upload-pictures.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { anchorAtPlace, placeOfAnchor } from './anchor-place.ts';
import { mayPutDrawings, putDrawing, removeDrawing } from './drawing-changes.ts';
import { insertPictureFiles, placeOfActiveCell } from './insert-pictures.ts';
import { drawingLabel, selectedDrawing } from './selected-drawing.ts';

/** The type by which our own pages know drawings of ours. */
const drawingType = 'application/x-quire-drawing';
const topic = 'clipboard';
/** A copy beside its original does not hide it. */
const besidePx = 20;

interface CopiedDrawing {
  /** Pictures are of one document. */
  readonly documentKey: string;
  readonly drawing: unknown;
}

/** Shapes and objects of other programs are kept in the file as they are, and nothing can make a second one. */
const canBeCopied = ({ kind, src, chart }: Drawing): boolean =>
  kind === 'picture' ? src !== undefined : kind === 'chart' && chart?.editable !== false;

/** Writes the selected drawing to the clipboard, and takes it out where it is cut. What cannot be copied is said. */
export function writeDrawing(editor: CellEditor, data: DataTransfer, isCut: boolean): void {
  const selected = selectedDrawing(editor);
  if (!selected) return;
  const [, drawing] = selected;
  if (!editor.role.canCopy || !canBeCopied(drawing)) {
    const text = t(editor.role.canCopy ? 'drawings.cannotCopy' : 'sheet.mayNotCopy');
    notify({ text, kind: 'warning', topic });
    return;
  }
  const copied: CopiedDrawing = { documentKey: editor.config.document.key, drawing };
  const text = JSON.stringify(copied);
  data.setData(drawingType, text);
  editor.clipboard.copyDrawing(text);
  if (isCut && editor.canEdit) removeDrawing(editor);
  else announce(t('drawings.copied', { name: drawingLabel(drawing, editor.page.view.peek()) }));
}

/** Puts in a drawing that was copied: beside the one that is selected, else at the active cell. False for what is none. */
export function pasteDrawing(editor: CellEditor, text: string): boolean {
  const copied = readCopied(text);
  if (!copied) return false;
  const { drawing, documentKey } = copied;
  if (documentKey !== editor.config.document.key) {
    notify({ text: t('drawings.otherWorkbook'), kind: 'warning', topic });
    return true;
  }
  const sheet = editor.page.sheetId.peek();
  if (!mayPutDrawings(editor, sheet)) return true;
  const view = editor.page.view.peek();
  const selected = selectedDrawing(editor);
  const size = placeOfAnchor(drawing.anchor, view);
  const beside = selected && placeOfAnchor(selected[1].anchor, view);
  const { x, y } = beside
    ? { x: beside.x + besidePx * view.zoom, y: beside.y + besidePx * view.zoom }
    : placeOfActiveCell(editor);
  const anchor = anchorAtPlace({ ...size, x, y }, drawing.anchor, view);
  if (putDrawing(editor, sheet, { ...drawing, anchor })) announce(t('drawings.pasted'));
  return true;
}

function readCopied(text: string): { readonly documentKey: string; readonly drawing: Drawing } | null {
  try {
    const { documentKey, drawing } = JSON.parse(text) as Partial<CopiedDrawing>;
    const read = readItem('drawing', drawing) as Drawing | null;
    return read && typeof documentKey === 'string' ? { documentKey, drawing: read } : null;
  } catch {
    return null;
  }
}

/**
 * Pastes what is drawn, or a picture of another program. False for cells and text, which programs may have added a picture to.
 */
export function pasteDrawnData(editor: CellEditor, data: DataTransfer): boolean {
  const own = data.getData(drawingType);
  if (own !== '') return pasteDrawing(editor, own);
  const files = pictureFiles(data);
  if (files.length === 0 || data.getData('text/plain').trim() !== '') return false;
  void insertPictureFiles(editor, files);
  return true;
}
