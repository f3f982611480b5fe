import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { WordEditor } from '../../word/word-editor.ts';

const topic = 'shared-saves';

/**
 * Where changes are shared by saving, tells the embedding page and the person that others have saved theirs: they are
 * seen with the next save. Returns how to stop.
 */
export function tellOfSharedSaves({ session, host, role }: WordEditor): () => void {
  return session.client.on('message', ({ type }) => {
    if (type !== 'saveChanges' || session.mode !== 'strict' || !role.canEdit) return;
    host.send('onCollaborativeChanges');
    const action = { label: t('host.showChanges'), run: () => void session.save().catch(() => undefined) };
    notify({ text: t('host.othersSaved'), kind: 'info', topic, action });
  });
}
