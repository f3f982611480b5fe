import { useState } from 'preact/hooks';
import type { SaveAnswer, SaveRequestAnswer } from '../../../services/admin/api.ts';
import { Button } from '../../kit/button.tsx';
import { type StringKey, t } from '../../strings/strings.ts';
import { ago, count, fullTime, size } from '../formats.ts';
import { phaseNames, saveKindName } from '../names.ts';
import { documentAddress } from '../route.ts';
import { addressOf, ask } from '../server.ts';
import { act, mayAct } from '../session.ts';
import { Badge, type BadgeTone } from '../shell/section-parts.tsx';
import './save-list.css';
import { ConfirmDialog } from '../shell/confirm-dialog.tsx';

const tones: Partial<Record<SaveAnswer['phase'], BadgeTone>> = {
  waiting: 'warning',
  forgotten: 'bad',
  abandoned: 'warning',
  delivered: 'good',
};
const partNames: Readonly<Record<SaveAnswer['copies'][number]['part'], StringKey>> = {
  file: 'admin.partFile',
  base: 'admin.partBase',
  changes: 'admin.partChanges',
};
const canBeRetried: readonly SaveAnswer['phase'][] = ['waiting', 'forgotten', 'abandoned'];

interface SaveListProps {
  saves: readonly SaveAnswer[];
  /** Whether each save names its document. */
  withDocument?: boolean;
  onChange: () => void;
}

/** Saves with their phase, the last error, and what can be done. */
export function SaveList({ saves, withDocument = false, onChange }: SaveListProps) {
  const [discarding, setDiscarding] = useState<SaveAnswer | null>(null);
  if (saves.length === 0) return <p class={withDocument ? 'empty' : ''}>{t('admin.noSaves')}</p>;
  const retry = async ({ id }: SaveAnswer) => {
    await act(
      () => ask<SaveRequestAnswer>('POST', `saves/${id}/retry`, {}),
      () => t('admin.retryStarted'),
    );
    onChange();
  };
  return (
    <>
      <ul class="plain-list saves">
        {saves.map((save) => (
          <li key={save.id} class="save" data-save={save.id}>
            <div class="save-head">
              {withDocument && <a href={documentAddress(save.key)}>{save.title ?? save.key}</a>}
              <Badge tone={tones[save.phase] ?? 'plain'}>{t(phaseNames[save.phase])}</Badge>
              <span class="quiet small" title={fullTime(save.createdAt)}>
                {saveKindName(save.status)} · {ago(save.createdAt)}
                {save.callbackHost && ` · ${save.callbackHost}`}
              </span>
            </div>
            {save.lastError && save.phase !== 'delivered' && (
              <p class="save-why">
                <strong>{t('admin.why')}:</strong> {save.lastError}
              </p>
            )}
            <p class="quiet small save-facts">
              {t('admin.attempts')}: {count(save.attempts)}
              {save.nextAttemptAt && (
                <>
                  {' · '}
                  {t('admin.nextAttempt')}: {ago(save.nextAttemptAt)}
                </>
              )}
            </p>
            {mayAct() && (
              <div class="save-actions">
                <Copies save={save} />
                {canBeRetried.includes(save.phase) && (
                  <Button onClick={() => void retry(save)}>{t('admin.retry')}</Button>
                )}
                {save.phase === 'forgotten' && (
                  <Button kind="danger" onClick={() => setDiscarding(save)}>
                    {t('admin.discard')}
                  </Button>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {discarding && (
        <DiscardDialog save={discarding} onClose={() => setDiscarding(null)} onDone={onChange} />
      )}
    </>
  );
}

/** What is kept of a save, to be downloaded. */
function Copies({ save: { id, copies, phase } }: { save: SaveAnswer }) {
  if (copies.length === 0 || phase === 'superseded') return null;
  return (
    <span class="save-copies">
      <span class="quiet small">{t('admin.copies')}:</span>
      {copies.map(({ part, where, sizeBytes }) => (
        <a key={part} href={addressOf(`saves/${id}/${part}`)} download>
          {t(partNames[part])} ({sizeBytes === null || where === 'log' ? t('admin.inLog') : size(sizeBytes)})
        </a>
      ))}
    </span>
  );
}

interface DiscardDialogProps {
  save: SaveAnswer;
  onClose: () => void;
  onDone: () => void;
}

/** Asks for the document's key before the work is discarded. */
function DiscardDialog({ save, onClose, onDone }: DiscardDialogProps) {
  const discard = async (confirm: string) => {
    const query = new URLSearchParams({ confirm });
    await act(
      () => ask('DELETE', `saves/${save.id}?${query}`),
      () => t('admin.discarded'),
    );
    onDone();
  };
  return (
    <ConfirmDialog
      title={t('admin.discardTitle', { title: save.title ?? save.key })}
      text={t('admin.discardText', { key: save.key })}
      label={t('admin.discard')}
      onClose={onClose}
      onConfirm={(fields) => void discard(String(fields.get('key')).trim())}
    >
      <label class="field">
        {t('admin.key')}
        <input name="key" required autocomplete="off" spellcheck={false} />
      </label>
    </ConfirmDialog>
  );
}
