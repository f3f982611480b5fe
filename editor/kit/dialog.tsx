import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../strings/strings.ts';
import { IconButton } from './button.tsx';
import './dialog.css';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** Buttons at the end. */
  actions?: ComponentChildren;
  width?: string;
}

/** What has the focus first, the best first: a field to fill in, what the dialog is for, what does no harm. */
const firstToHaveFocus = [
  '[data-first]',
  '.dialog-body :is(input, select, textarea):not([readonly], [type="hidden"], :disabled)',
  'footer .button-primary:not(:disabled)',
  'footer .button:not(:disabled)',
  '.dialog-body :is(button, textarea, a[href])',
];

/**
 * A modal dialog. The field marked `data-first`, the first one or the main button has the focus, so that one can type and
 * press Enter. The browser keeps the focus inside, closes it with Escape, and gives the focus back.
 */
export function Dialog({ title, onClose, children, actions, width = '30rem' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current!;
    const opener = document.activeElement;
    element.showModal();
    const first = firstToHaveFocus.map((one) => element.querySelector<HTMLElement>(one)).find((one) => one);
    first?.focus();
    if (first instanceof HTMLInputElement) first.select();
    return () => {
      element.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      style={{ inlineSize: width }}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        <IconButton label={t('common.close')} onClick={onClose}>
          <X size={18} />
        </IconButton>
      </header>
      <div class="dialog-body">{children}</div>
      {actions && <footer>{actions}</footer>}
    </dialog>
  );
}
