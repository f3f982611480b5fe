import { useSignal, useSignalEffect } from '@preact/signals';
import { CircleDot, Cloud, CloudOff, HardDrive, LoaderCircle } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Stored } from '../../../client/document-events.ts';
import type { SavingStatus as Status } from '../../../client/replica/saving-status.ts';
import { announce } from '../../kit/announce.tsx';
import { Button } from '../../kit/button.tsx';
import { Popover } from '../../kit/popover.tsx';
import { currentLanguage, t } from '../../strings/strings.ts';
import type { CoeditedDocument } from '../document-editor.ts';
import { isSavingNow, saveNow } from './save-now.ts';
import './saving-status.css';

/** Everything that is known of where the changes are. */
interface Whereabouts {
  readonly saving: Status;
  readonly stored: Stored | null;
  readonly acknowledgedIndex: number;
  readonly readOnly: boolean;
  readonly ended: boolean;
  /** Changes wait until this person saves. */
  readonly strict: boolean;
}

const ageEveryMs = 20_000;

/** Where the changes are: here, on the server, in the storage. A press shows it in full. */
export function SavingStatus({ editor }: { editor: CoeditedDocument }) {
  const { client, saving } = editor.session;
  const read = (): Whereabouts => ({
    saving: saving.current,
    stored: client.stored,
    acknowledgedIndex: client.status.acknowledgedIndex,
    readOnly: client.status.readOnly,
    ended: client.status.connection === 'ended',
    strict: editor.session.mode === 'strict',
  });
  const now = useSignal(read());
  useEffect(() => {
    const update = () => {
      now.value = read();
    };
    update();
    const stops = [saving.on('change', update), client.on('stored', update), client.on('status', update)];
    const timer = setInterval(update, ageEveryMs);
    return () => {
      for (const stop of stops) stop();
      clearInterval(timer);
    };
  }, [editor]);
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const { text, icon: Icon, isProblem } = summaryOf(now.value);
  useSignalEffect(() => {
    const { connection } = now.value.saving;
    if (connection !== 'online') announce(summaryOf(now.peek()).text);
  });
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`saving-status ${isProblem ? 'saving-problem' : ''}`}
        aria-expanded={open}
        aria-haspopup="dialog"
        onClick={() => setOpen(!open)}
      >
        <Icon size={16} aria-hidden="true" />
        <span>{text}</span>
      </button>
      {open && (
        <Popover anchor={button.current!} label={t('saving.details')} onClose={() => setOpen(false)}>
          <Details where={now.value} />
          <Refusal stored={now.value.stored} />
          {editor.role.canEdit && (
            <Button kind="primary" aria-disabled={isSavingNow.value} onClick={() => void saveNow(editor)}>
              {isSavingNow.value ? t('saving.storing') : t('saving.storeNow')}
            </Button>
          )}
        </Popover>
      )}
    </>
  );
}

function summaryOf({ saving, stored, acknowledgedIndex, readOnly, ended, strict }: Whereabouts) {
  const { unsentCount, connection } = saving;
  const calm = (text: string, icon = Cloud) => ({ text, icon, isProblem: false });
  const problem = (text: string) => ({ text, icon: CloudOff, isProblem: true });
  if (ended) return problem(t('saving.ended'));
  if (connection === 'offline') {
    return problem(unsentCount > 0 ? t('saving.offlineUnsent', { count: unsentCount }) : t('saving.offline'));
  }
  if (connection === 'reconnecting') return problem(t('saving.reconnecting'));
  if (readOnly) return calm(t('saving.readOnly'));
  if (isSavingNow.value) return calm(t('saving.storing'), LoaderCircle);
  if (unsentCount > 0 && strict) return calm(t('saving.unsaved'), CircleDot);
  if (unsentCount > 0) return calm(t('saving.typing'), LoaderCircle);
  if (stored && stored.index >= acknowledgedIndex) return calm(t('saving.stored'), HardDrive);
  if (stored && stored.refusedSinceMs !== null) return { ...problem(t('saving.refused')), icon: HardDrive };
  return calm(t('saving.onServer'));
}

function Details({ where: { saving, stored, acknowledgedIndex } }: { where: Whereabouts }) {
  const { unsentCount, journaled } = saving;
  const here =
    unsentCount === 0
      ? t('saving.noneHere')
      : t(journaled ? 'saving.journaled' : 'saving.changes', { count: unsentCount });
  return (
    <dl class="saving-details">
      <dt>{t('saving.lineHere')}</dt>
      <dd>{here}</dd>
      <dt>{t('saving.lineServer')}</dt>
      <dd>{t(unsentCount === 0 ? 'saving.allAcknowledged' : 'saving.allBefore')}</dd>
      <dt>{t('saving.lineStorage')}</dt>
      <dd>{storageLine(stored, acknowledgedIndex)}</dd>
    </dl>
  );
}

/** Why the storage does not have what is on the server. */
function Refusal({ stored }: { stored: Stored | null }) {
  if (!stored || stored.refusedSinceMs === null) return null;
  return <p class="saving-refusal">{t('saving.refusedSince', { age: ageOf(stored.refusedSinceMs) })}</p>;
}

function storageLine(stored: Stored | null, acknowledgedIndex: number): string {
  if (!stored) return '–';
  const age = ageOf(stored.timeMs);
  if (stored.index >= acknowledgedIndex) return t('saving.storedAll', { age });
  return t(stored.index === 0 ? 'saving.storedNever' : 'saving.storedSince', { age });
}

/** `5 minutes ago` in the language of the interface. */
function ageOf(timeMs: number): string {
  const format = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto' });
  const seconds = Math.min(0, Math.round((timeMs - Date.now()) / 1_000));
  if (seconds > -60) return format.format(seconds > -5 ? 0 : seconds, 'second');
  if (seconds > -3_600) return format.format(Math.round(seconds / 60), 'minute');
  if (seconds > -86_400) return format.format(Math.round(seconds / 3_600), 'hour');
  return format.format(Math.round(seconds / 86_400), 'day');
}
