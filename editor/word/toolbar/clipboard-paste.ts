import { notify } from '../../kit/notices.tsx';
import { shownShortcut } from '../../shell/actions.ts';
import { t } from '../../strings/strings.ts';
import { insertPictureFiles } from '../pictures/insert-pictures.ts';
import type { WordEditor } from '../word-editor.ts';

/** Pastes without the key for it. Where the browser does not allow that, says which key does it. */
export async function clipboardPaste(editor: WordEditor): Promise<void> {
  try {
    for (const item of await navigator.clipboard.read()) await pasteItem(editor, item);
  } catch {
    notify({ text: t('actions.pasteByKey', { keys: shownShortcut('Mod-v') ?? '' }), kind: 'info' });
  }
}

async function pasteItem(editor: WordEditor, item: ClipboardItem): Promise<void> {
  const text = async (type: string) => (await item.getType(type)).text();
  const picture = item.types.find((type) => type.startsWith('image/'));
  if (item.types.includes('text/html')) editor.view?.pasteHTML(await text('text/html'));
  else if (item.types.includes('text/plain')) editor.view?.pasteText(await text('text/plain'));
  else if (picture) {
    const name = `picture.${picture.slice('image/'.length)}`;
    await insertPictureFiles(editor, [new File([await item.getType(picture)], name, { type: picture })]);
  }
}
