import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../strings/strings.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import './form.css';

interface FormDialogProps {
  title: string;
  /** Text of the button that does it. */
  submitLabel: string;
  onSubmit: (fields: FormData) => void;
  onClose: () => void;
  children: ComponentChildren;
  canSubmit?: boolean;
}

/** A dialog with fields; Enter does what the button does. */
export function FormDialog({
  title,
  submitLabel,
  onSubmit,
  onClose,
  children,
  canSubmit = true,
}: FormDialogProps) {
  const id = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={id} disabled={!canSubmit}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={id}
        class="form"
        onKeyDown={(event) => {
          // Browsers do this for fields of one line alone, and open a list instead.
          if (event.key !== 'Enter' || !canSubmit || !(event.target instanceof HTMLSelectElement)) return;
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(new FormData(event.currentTarget));
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}
