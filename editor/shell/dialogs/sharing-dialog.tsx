import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../strings/strings.ts';
import type { DialogProps } from '../document-editor.ts';
import './sharing-dialog.css';

/** Who may do what with the document, in the words of the embedding page. */
export function SharingDialog({ editor, onClose }: DialogProps) {
  const { sharing } = editor.facts;
  const change = () => {
    onClose();
    editor.host.send('onRequestSharingSettings');
  };
  const { canRequestSharingSettings } = editor.config.editorConfig;
  return (
    <Dialog
      title={t('host.access')}
      onClose={onClose}
      actions={canRequestSharingSettings && <Button onClick={change}>{t('host.changeAccess')}</Button>}
    >
      {sharing.value.length === 0 && <p>{t('host.nobodyElse')}</p>}
      <ul class="sharing">
        {sharing.value.map(({ user, permissions, isLink }, index) => (
          <li key={index}>
            <span dir="auto">{isLink ? t('host.byLink', { name: user }) : user}</span>
            <span>{permissions}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
