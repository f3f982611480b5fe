import { effect } from '@preact/signals';
import { announce } from '../kit/announce.tsx';
import { t } from '../strings/strings.ts';
import type { WordEditor } from './word-editor.ts';

/** Follows the document's title: the page's name is it, and other people may change it. */
export function followTitle(editor: WordEditor): () => void {
  const stopNaming = effect(() => {
    document.title = editor.title.value;
  });
  const stopListening = editor.session.client.on('meta', ({ title }) => {
    if (typeof title !== 'string' || title === editor.title.value) return;
    editor.title.value = title;
    editor.host.send('onMetaChange', { title });
    announce(t('word.renamed', { title }));
  });
  return () => {
    stopNaming();
    stopListening();
  };
}
