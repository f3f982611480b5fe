import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../strings/strings.ts';
import { restoreVersion } from '../actions.ts';

export interface RestoreDialogProps {
  id: string;
  version: number;
  onClose: () => void;
}

/** Says what restoring does, and does it. */
export function RestoreDialog({ id, version, onClose }: RestoreDialogProps) {
  const [busy, setBusy] = useState(false);
  const restore = async () => {
    setBusy(true);
    await restoreVersion(id, version);
    onClose();
  };
  return (
    <Dialog
      title={t('example.restoreTitle', { number: version })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" disabled={busy} aria-busy={busy} onClick={() => void restore()}>
            {busy ? t('example.restoring') : t('example.restore')}
          </Button>
        </>
      }
    >
      <p>{t('example.restoreText')}</p>
    </Dialog>
  );
}
