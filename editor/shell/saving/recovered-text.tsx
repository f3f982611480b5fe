import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Recovered } from '../../../client/replica/unsent-changes.ts';
import { announce } from '../../kit/announce.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import './recovered-text.css';

/** Text that is in no document. */
interface LooseText {
  readonly title: string;
  readonly why: string;
  readonly text: string;
  /** Forgets it; absent where it is kept whatever is done here. */
  readonly discard?: () => Promise<void>;
}

const loose = signal<LooseText | null>(null);

/** Tells somebody who returns what has become of their unsent changes. */
export function tellOfRecovery({ applied, text, discard }: Recovered): void {
  if (applied > 0) notify({ text: t('saving.recovered', { count: applied }), kind: 'info' });
  if (text === '') return;
  loose.value = {
    title: t('saving.lostTitle'),
    why: t('saving.lostText'),
    text,
    discard,
  };
}

/** Offers text for copying that was typed and cannot be sent any more in this session. */
export function offerUnsent(text: string): void {
  if (text !== '') loose.value = { title: t('saving.unsentTitle'), why: t('saving.unsentText'), text };
}

/** Tells somebody that a change of theirs was taken back. What they typed in vain can still be copied from the notice. */
export function tellTakenBack(reason: string, text: string): void {
  const topic = 'taken-back';
  if (text === '') notify({ text: reason, kind: 'info', topic });
  else notify({ text: `${reason}: “${text}”`, kind: 'warning', topic, stays: true });
}

/** Text that is in no document, for as long as it takes to copy it. */
export function RecoveredText() {
  const area = useRef<HTMLTextAreaElement>(null);
  const shown = loose.value;
  if (!shown) return null;
  const { title, why, text, discard } = shown;
  const close = () => {
    loose.value = null;
  };
  return (
    <Dialog
      title={title}
      onClose={close}
      actions={
        <>
          {discard && (
            <Button
              kind="danger"
              onClick={() => {
                void discard();
                close();
              }}
            >
              {t('saving.discard')}
            </Button>
          )}
          <Button kind="primary" onClick={() => void copy(area.current!)}>
            {t('saving.copyText')}
          </Button>
        </>
      }
    >
      <p>{why}</p>
      <textarea
        ref={area}
        class="recovered-text"
        readOnly
        dir="auto"
        rows={8}
        aria-label={title}
        value={text}
      />
    </Dialog>
  );
}

/** Pages that did not come by https, and frames that are not allowed to, have no clipboard but the old one. */
async function copy(area: HTMLTextAreaElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(area.value);
  } catch {
    area.select();
    if (!document.execCommand('copy')) return;
  }
  announce(t('saving.copied'));
}
