import { notify } from '../../kit/notices.tsx';
import { pictureFiles } from '../../shell/pictures/upload-pictures.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import type { GridView } from '../grid/grid-view.ts';
import { paneAt, sheetPlace } from './drawing-handles.ts';
import { insertPictureFiles } from './insert-pictures.ts';

/** Takes pictures that are dropped onto the cells, where they are dropped. Returns how to stop. */
export function followDrops(editor: CellEditor, view: GridView): () => void {
  const { element } = view;
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
  // A file that nobody takes would replace the page.
  const over = (event: DragEvent) => {
    if (hasFiles(event)) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const files = pictureFiles(event.dataTransfer);
    const [other] = event.dataTransfer!.files;
    if (files.length === 0) {
      if (other) notify({ text: t('pictures.notAPicture', { name: other.name }), kind: 'error' });
      return;
    }
    const place = view.placeOf(event);
    const at = sheetPlace(view.layout, paneAt(view.layout, place), place);
    const within = { x: Math.max(0, at.x), y: Math.max(0, at.y) };
    void insertPictureFiles(editor, files, { at: { sheet: editor.page.sheetId.peek(), ...within } });
  };
  element.addEventListener('dragover', over);
  element.addEventListener('drop', drop);
  return () => {
    element.removeEventListener('dragover', over);
    element.removeEventListener('drop', drop);
  };
}
