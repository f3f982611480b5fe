import { signal } from '@preact/signals';
import { X } from 'lucide-preact';
import { useRef } from 'preact/hooks';
import { t } from '../strings/strings.ts';
import { Button, IconButton } from './button.tsx';
import './notices.css';

interface Notice {
  readonly text: string;
  readonly kind: 'info' | 'warning' | 'error';
  /** A button in the notice. */
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Replaces the notice that has the same. */
  readonly topic?: string;
  /** Stays until somebody closes it; others go by themselves, unless they are errors. */
  readonly stays?: boolean;
  /** Has the focus until it is closed: what somebody goes on typing must not get elsewhere. */
  readonly takesFocus?: boolean;
}

interface Shown extends Notice {
  readonly id: number;
}

const shown = signal<readonly Shown[]>([]);
const shownForMs = 8_000;
let nextId = 0;

/** Shows a notice above the page. Returns what takes it away. */
export function notify(notice: Notice): () => void {
  const id = nextId++;
  const others = shown.value.filter(({ topic }) => topic === undefined || topic !== notice.topic);
  shown.value = [...others, { ...notice, id }];
  const dismiss = () => {
    shown.value = shown.value.filter((one) => one.id !== id);
  };
  if (!notice.stays && notice.kind === 'info') setTimeout(dismiss, shownForMs);
  return dismiss;
}

/** Takes the notice of a topic away. */
export function dismissNotice(topic: string): void {
  shown.value = shown.value.filter((one) => one.topic !== topic);
}

const takeFocus = (notice: HTMLElement | null) => notice?.focus({ preventScroll: true });

/** Where notices appear; once on a page. */
export function Notices() {
  /** What had the focus before a button here got it. */
  const before = useRef<HTMLElement | null>(null);
  const close = (id: number) => {
    shown.value = shown.value.filter((one) => one.id !== id);
    if (before.current?.isConnected) before.current.focus();
    before.current = null;
  };
  const noteFocus = ({ currentTarget, relatedTarget }: { currentTarget: Element } & FocusEvent) => {
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
      before.current = relatedTarget;
  };
  return (
    <div class="notices" onFocusIn={noteFocus}>
      {shown.value.map(({ id, text, kind, action, takesFocus }) => (
        <div
          key={id}
          class={`notice notice-${kind}`}
          role={kind === 'info' ? 'status' : 'alert'}
          tabIndex={takesFocus ? -1 : undefined}
          ref={takesFocus ? takeFocus : null}
          onKeyDown={({ key }) => key === 'Escape' && close(id)}
        >
          <span>{text}</span>
          {action && (
            <Button
              onClick={() => {
                close(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton label={t('common.close')} onClick={() => close(id)}>
            <X size={16} />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
