import { signal } from '@preact/signals';
import { reportToHost } from '../../frame/host-report.ts';
import { announce } from '../../kit/announce.tsx';
import { dismissNotice, notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { WordEditor } from '../word-editor.ts';

/** A save to the integrator's storage that somebody here has asked for is on its way. */
export const isSavingNow = signal(false);

const topic = 'save-now';
/** `forceSaveStart`: there was nothing to save. */
const nothingToSave = 4;

/** What a person who presses Ctrl+S expects: everything typed is sent, then stored where the document belongs. */
export async function saveNow(editor: WordEditor): Promise<void> {
  if (isSavingNow.value || !editor.role.canEdit) return;
  isSavingNow.value = true;
  dismissNotice(topic);
  try {
    await editor.session.save();
    const { code } = await editor.session.client.forceSave();
    if (code === nothingToSave) {
      isSavingNow.value = false;
      announce(t('saving.nothingNew'));
    } else if (code !== 0) failed(editor);
  } catch {
    failed(editor);
  }
}

/** Follows the saves that this editor has asked for to their end. */
export function followForcedSaves(editor: WordEditor): () => void {
  return editor.session.client.on('forceSave', ({ success, start }) => {
    if (start || !isSavingNow.value) return;
    if (success) {
      isSavingNow.value = false;
      announce(t('saving.storedNow'));
    } else if (success === false) failed(editor);
  });
}

function failed(editor: WordEditor): void {
  isSavingNow.value = false;
  const action = { label: t('common.retry'), run: () => void saveNow(editor) };
  notify({ text: t('saving.notStored'), kind: 'error', topic, action });
  reportToHost(editor.host, 'forceSaveByButtonFailed');
}
