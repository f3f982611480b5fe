import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../strings/strings.ts';
import '../../kit/form.css';

interface ConfirmDialogProps {
  title: string;
  text: string;
  /** Text of the button that confirms. */
  label: string;
  onConfirm: (fields: FormData) => void;
  onClose: () => void;
  /** Further fields. */
  children?: ComponentChildren;
}

/** Asks before something is done that other people notice. */
export function ConfirmDialog({ title, text, label, onConfirm, onClose, children }: ConfirmDialogProps) {
  const id = useId();
  const actions = (
    <>
      <Button onClick={onClose}>{t('common.cancel')}</Button>
      <Button kind="danger" type="submit" form={id}>
        {label}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={actions}>
      <form
        id={id}
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm(new FormData(event.currentTarget));
          onClose();
        }}
      >
        <p class="dialog-text">{text}</p>
        {children}
      </form>
    </Dialog>
  );
}

/** The field for the reason that disconnected people see. */
export function ReasonField() {
  return (
    <label class="field">
      {t('admin.reason')}
      <input name="reason" maxLength={300} />
    </label>
  );
}
