import type { WordEditor } from '../../word/word-editor.ts';

/** What is just being typed is sent within this time, unless something is wrong. */
const sendingMs = 2_000;

/** Asks the embedding page to close the editor; before that the person, if something cannot be sent. */
export async function requestClose(editor: WordEditor): Promise<void> {
  const { session, host } = editor;
  const isUnsent = () => session.savingStatus.unsentCount > 0;
  if (isUnsent() && session.mode === 'fast' && session.savingStatus.connection === 'online') {
    const late = new Promise((resolve) => setTimeout(resolve, sendingMs));
    await Promise.race([session.saved(), late]).catch(() => undefined);
  }
  if (isUnsent()) editor.dialog.value = 'leave';
  else host.send('onRequestClose');
}
