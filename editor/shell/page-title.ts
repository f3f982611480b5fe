import { effect } from '@preact/signals';
import { announce } from '../kit/announce.tsx';
import { t } from '../strings/strings.ts';
import type { OpenDocument } from './document-editor.ts';

/** Follows the document's title: the page's name is it, and other people may change it. */
export function followTitle({ title: shown, client, host }: OpenDocument): () => void {
  const stopNaming = effect(() => {
    document.title = shown.value;
  });
  const stopListening = client.on('meta', ({ title }) => {
    if (typeof title !== 'string' || title === shown.value) return;
    shown.value = title;
    host.send('onMetaChange', { title });
    announce(t('page.renamed', { title }));
  });
  return () => {
    stopNaming();
    stopListening();
  };
}
