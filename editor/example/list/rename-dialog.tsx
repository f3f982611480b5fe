import { useId, useRef, useState } from 'preact/hooks';
import type { DocumentSummary } from '../../../example/api.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../strings/strings.ts';
import { renameDocument } from '../actions.ts';
import './rename-dialog.css';

const maxTitleLength = 122;

/** Asks for a new title. */
export function RenameDialog({ document, onClose }: { document: DocumentSummary; onClose: () => void }) {
  const formId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const title = field.current!.value.trim();
    setBusy(true);
    const done = title === document.title || (await renameDocument(document.id, title));
    setBusy(false);
    if (done) onClose();
  };
  return (
    <Dialog
      title={t('example.renameTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={formId} disabled={busy}>
            {t('example.rename')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        class="rename-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label>
          {t('example.titleLabel')}
          <input
            ref={field}
            type="text"
            required
            pattern=".*\S.*"
            maxLength={maxTitleLength}
            defaultValue={document.title}
            dir="auto"
          />
        </label>
      </form>
    </Dialog>
  );
}
