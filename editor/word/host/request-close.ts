import { t } from '../../strings/strings.ts';
import type { WordEditor } from '../word-editor.ts';

/** Asks the embedding page to close the editor; before that the person, if something has not been sent. */
export function requestClose(editor: WordEditor): void {
  if (editor.session.savingStatus.unsentCount > 0 && !confirm(t('saving.leaveUnsent'))) return;
  editor.host.send('onRequestClose');
}
