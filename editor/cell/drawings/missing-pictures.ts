import { effect } from '@preact/signals';
import { itemsOf } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';

/** Asks for the addresses of pictures that others put into the sheet that is shown. Returns how to stop. */
export function followMissingPictures(editor: CellEditor): () => void {
  const asked = new Set<string>();
  return effect(() => {
    const missing = [...itemsOf(editor.page.sheet, 'drawing').values()].flatMap(({ src }) =>
      src === undefined || asked.has(src) || editor.mediaUrl(src) !== null ? [] : [src],
    );
    if (missing.length === 0) return;
    for (const path of missing) asked.add(path);
    editor.session.loadMedia(missing).catch(() => {
      for (const path of missing) asked.delete(path);
    });
  });
}
