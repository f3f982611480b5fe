import { t } from '../../strings/strings.ts';
import type { WordEditor } from '../../word/word-editor.ts';

/**
 * Tells the embedding page whether there is something unsent, and warns people who leave with it. `isNext`: another
 * session came before, and what the page was told of that one may not be so any more.
 */
export function followSaving(editor: WordEditor, isNext: boolean): () => void {
  const { session, host } = editor;
  let told = isNext ? null : false;
  const tell = () => {
    const isUnsent = session.savingStatus.unsentCount > 0;
    if (isUnsent === told) return;
    told = isUnsent;
    host.send('onDocumentStateChange', isUnsent);
  };
  tell();
  const stop = session.saving.on('change', tell);
  const warn = (event: BeforeUnloadEvent) => {
    if (session.savingStatus.unsentCount === 0) return;
    event.preventDefault();
    // Browsers show a sentence of their own; this one is for those that do not.
    event.returnValue = t('saving.leaveUnsent');
  };
  addEventListener('beforeunload', warn);
  return () => {
    stop();
    removeEventListener('beforeunload', warn);
  };
}
