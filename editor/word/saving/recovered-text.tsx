import { signal } from '@preact/signals';
import type { Recovered } from '../../../client/word/unsent-changes.ts';
import { announce } from '../../kit/announce.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import './recovered-text.css';

const lost = signal<Recovered | null>(null);

/** Tells somebody who returns what has become of their unsent changes. */
export function tellOfRecovery(recovered: Recovered): void {
  if (recovered.applied > 0) {
    notify({ text: t('saving.recovered', { count: recovered.applied }), kind: 'info' });
  }
  if (recovered.text !== '') lost.value = recovered;
}

/** Text that found no place in the document, for as long as it takes to copy it. */
export function RecoveredText() {
  const recovered = lost.value;
  if (!recovered) return null;
  const close = () => {
    lost.value = null;
  };
  return (
    <Dialog
      title={t('saving.lostTitle')}
      onClose={close}
      actions={
        <>
          <Button
            kind="danger"
            onClick={() => {
              void recovered.discard();
              close();
            }}
          >
            {t('saving.discard')}
          </Button>
          <Button
            kind="primary"
            onClick={() => {
              navigator.clipboard.writeText(recovered.text).then(
                () => announce(t('saving.copied')),
                () => undefined,
              );
            }}
          >
            {t('saving.copyText')}
          </Button>
        </>
      }
    >
      <p>{t('saving.lostText')}</p>
      <textarea class="recovered-text" readOnly dir="auto" rows={8} aria-label={t('saving.lostTitle')}>
        {recovered.text}
      </textarea>
    </Dialog>
  );
}
