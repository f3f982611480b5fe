import type { SaveAnswer } from '../../../services/admin/api.ts';
import { t } from '../../strings/strings.ts';
import { ask } from '../server.ts';
import { act } from '../session.ts';
import { ConfirmDialog } from '../shell/confirm-dialog.tsx';

export interface DiscardDialogProps {
  save: SaveAnswer;
  onClose: () => void;
  onDone: () => void;
}

/** Whoever gives up somebody's work says whose, letter by letter. */
export function DiscardDialog({ save, onClose, onDone }: DiscardDialogProps) {
  const discard = async (confirm: string) => {
    const query = new URLSearchParams({ confirm });
    await act(
      () => ask('DELETE', `saves/${save.id}?${query}`),
      () => t('admin.discarded'),
    );
    onDone();
  };
  return (
    <ConfirmDialog
      title={t('admin.discardTitle', { title: save.title ?? save.key })}
      text={t('admin.discardText', { key: save.key })}
      label={t('admin.discard')}
      onClose={onClose}
      onConfirm={(fields) => void discard(String(fields.get('key')).trim())}
    >
      <label class="field">
        {t('admin.key')}
        <input name="key" required autocomplete="off" spellcheck={false} />
      </label>
    </ConfirmDialog>
  );
}
