import { signal } from '@preact/signals';
import { X } from 'lucide-preact';
import { announce } from '../../kit/announce.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import './toasts.css';

interface Toast {
  id: number;
  text: string;
  kind: 'news' | 'problem';
  action?: { label: string; run: () => void };
}

const shownMs = 8_000;
const mostAtOnce = 3;
const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

const dismiss = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

/** Tells something in passing, with at most one thing that can be done about it. */
export function tell(text: string, action?: Toast['action'], kind: Toast['kind'] = 'news'): void {
  lastId += 1;
  const id = lastId;
  toasts.value = [...toasts.value, { id, text, kind, ...(action && { action }) }].slice(-mostAtOnce);
  announce(text, kind === 'problem' ? 'urgent' : 'polite');
  setTimeout(() => dismiss(id), action ? 2 * shownMs : shownMs);
}

/** Tells why something did not work. */
export function tellProblem(error: unknown): void {
  tell(error instanceof Error ? error.message : String(error), undefined, 'problem');
}

/** The messages that are shown now. */
export function Toasts() {
  return (
    <div class="toasts">
      {toasts.value.map(({ id, text, kind, action }) => (
        <div key={id} class={`toast toast-${kind}`}>
          <span>{text}</span>
          {action && (
            <Button
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton label={t('example.dismiss')} onClick={() => dismiss(id)}>
            <X size={16} />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
