import { t } from '../../strings/strings.ts';
import type { WordEditor } from '../word-editor.ts';

/** Tells the embedding page whether there is something unsent, and warns people who leave with it. */
export function followSaving(editor: WordEditor): () => void {
  const { session, host } = editor;
  let wasUnsent = false;
  const stop = session.saving.on('change', ({ unsentCount }) => {
    const isUnsent = unsentCount > 0;
    if (isUnsent === wasUnsent) return;
    wasUnsent = isUnsent;
    host.send('onDocumentStateChange', isUnsent);
  });
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
