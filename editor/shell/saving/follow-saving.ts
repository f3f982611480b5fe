import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CoeditedDocument } from '../document-editor.ts';
import { followForcedSaves } from './save-now.ts';

/**
 * Tells the embedding page and people what becomes of their changes. `isNext`: another session came before, and what
 * the page was told of that one may not be so any more. Returns how to stop.
 */
export function followSaving(editor: CoeditedDocument, isNext: boolean): () => void {
  const stops = [
    followUnsent(editor, isNext),
    warnOnLeaving(editor),
    followForcedSaves(editor),
    tellOfSharedSaves(editor),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Tells the embedding page whether there is something unsent. */
function followUnsent({ session, host }: CoeditedDocument, isNext: boolean): () => void {
  let told = isNext ? null : false;
  const tell = () => {
    const isUnsent = session.savingStatus.unsentCount > 0;
    if (isUnsent === told) return;
    told = isUnsent;
    host.send('onDocumentStateChange', isUnsent);
  };
  tell();
  return session.saving.on('change', tell);
}

/** Warns people who leave with something unsent. */
function warnOnLeaving({ session }: CoeditedDocument): () => void {
  const warn = (event: BeforeUnloadEvent) => {
    if (session.savingStatus.unsentCount === 0) return;
    event.preventDefault();
    // Browsers show a sentence of their own; this one is for those that do not.
    event.returnValue = t('saving.leaveUnsent');
  };
  addEventListener('beforeunload', warn);
  return () => removeEventListener('beforeunload', warn);
}

/**
 * Where changes are shared by saving, tells the embedding page and the person that others have saved theirs: they are
 * seen with the next save.
 */
function tellOfSharedSaves({ session, host, role }: CoeditedDocument): () => void {
  return session.client.on('message', ({ type }) => {
    if (type !== 'saveChanges' || session.mode !== 'strict' || !role.canEdit) return;
    host.send('onCollaborativeChanges');
    const action = { label: t('host.showChanges'), run: () => void session.save().catch(() => undefined) };
    notify({ text: t('host.othersSaved'), kind: 'info', topic: 'shared-saves', action });
  });
}
