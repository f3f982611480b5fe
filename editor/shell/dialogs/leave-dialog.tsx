import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../strings/strings.ts';
import type { DialogProps } from '../../word/dialogs/dialog-props.ts';

/** Before an editor with unsent work is closed. The browser's own question is not there for pages of other sites. */
export function LeaveDialog({ editor, onClose }: DialogProps) {
  const leave = () => {
    onClose();
    editor.host.send('onRequestClose');
  };
  return (
    <Dialog
      title={t('host.leaveTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('host.stay')}</Button>
          <Button kind="danger" onClick={leave}>
            {t('host.leave')}
          </Button>
        </>
      }
    >
      <p>{t('saving.leaveUnsent')}</p>
    </Dialog>
  );
}
