import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../strings/strings.ts';
import { type CoeditedDocument, type DialogProps, openDialog } from '../document-editor.ts';

/** What is just being typed is sent within this time, unless something is wrong. */
const sendingMs = 2_000;

/** Asks the embedding page to close the document; before that the person, if something cannot be sent. */
export async function requestClose(editor: CoeditedDocument): Promise<void> {
  const { session, host } = editor;
  const isUnsent = () => session.savingStatus.unsentCount > 0;
  if (isUnsent() && session.mode === 'fast' && session.savingStatus.connection === 'online') {
    const late = new Promise((resolve) => setTimeout(resolve, sendingMs));
    await Promise.race([session.saved(), late]).catch(() => undefined);
  }
  if (isUnsent()) openDialog(editor, 'leave');
  else host.send('onRequestClose');
}

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
