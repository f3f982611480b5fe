import { signal } from '@preact/signals';
import { ForceSaveType } from '../../../client/protocol/codes.ts';
import { reportToHost } from '../../frame/host-report.ts';
import { announce } from '../../kit/announce.tsx';
import { dismissNotice, notify } from '../../kit/notices.tsx';
import { type StringKey, t } from '../../strings/strings.ts';
import type { CoeditedDocument } from '../document-editor.ts';

/** A save to the integrator's storage that somebody here has asked for is on its way. */
export const isSavingNow = signal(false);

const topic = 'save-now';
/** `forceSaveStart`: there was nothing to save. */
const nothingToSave = 4;

/** What a person who presses Ctrl+S expects: everything typed is sent, then stored where the document belongs. */
export async function saveNow(editor: CoeditedDocument): Promise<void> {
  if (isSavingNow.value || !editor.role.canEdit) return;
  const { session } = editor;
  isSavingNow.value = true;
  dismissNotice(topic);
  try {
    await session.save();
  } catch {
    failed(editor, 'saving.notSent');
    return;
  }
  try {
    const { code } = await session.client.forceSave();
    if (code === nothingToSave) nothingNew(editor);
    else if (code !== 0) failed(editor, 'saving.notStored');
  } catch {
    failed(editor, 'saving.notStored');
  }
}

/** Follows the saves that this editor has asked for to their end. Returns how to stop. */
export function followForcedSaves(editor: CoeditedDocument): () => void {
  const { client } = editor.session;
  let refuses = client.stored !== null && client.stored.refusedSinceMs !== null;
  let isHostTold = false;
  let wasReady = client.status.connection === 'ready';
  const stops = [
    client.on('stored', ({ refusedSinceMs }) => {
      if (refuses === (refusedSinceMs !== null)) return;
      refuses = !refuses;
      announce(t(refuses ? 'saving.refused' : 'saving.takesAgain'));
    }),
    client.on('forceSave', ({ type, success, start }) => {
      if (start || success === undefined) return;
      if (!success && type === ForceSaveType.timer && !isHostTold) {
        isHostTold = true;
        reportToHost(editor.host, 'forceSaveByTimerFailed');
      }
      if (success) {
        dismissNotice(topic);
        isHostTold = false;
        if (isSavingNow.value) announce(t('saving.storedNow'));
        isSavingNow.value = false;
      } else if (isSavingNow.value) failed(editor, 'saving.notStored');
    }),
    // Nobody is told the end of a save on a connection that is lost; `stored` says what came of it.
    client.on('status', ({ connection }) => {
      const isReady = connection === 'ready';
      if (wasReady && !isReady) isSavingNow.value = false;
      wasReady = isReady;
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    isSavingNow.value = false;
    dismissNotice(topic);
  };
}

function nothingNew({ session: { client } }: CoeditedDocument): void {
  isSavingNow.value = false;
  const { stored, status } = client;
  if (!stored || stored.index >= status.acknowledgedIndex) announce(t('saving.nothingNew'));
  else notify({ text: t('saving.noStorage'), kind: 'warning', topic });
}

function failed(editor: CoeditedDocument, sentence: StringKey): void {
  isSavingNow.value = false;
  const action = { label: t('common.retry'), run: () => void saveNow(editor) };
  notify({ text: t(sentence), kind: 'error', topic, action });
  reportToHost(editor.host, 'forceSaveByButtonFailed');
}
