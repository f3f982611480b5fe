import { useRef, useState } from 'preact/hooks';
import type { SaveAnswer, SaveRequestAnswer, SavesAnswer } from '../../../services/admin/api.ts';
import { Button } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { documentAddress } from '../route.ts';
import { AdminRefusal, ask } from '../server.ts';
import { showProblem } from '../session.ts';
import { ConfirmDialog } from '../shell/confirm-dialog.tsx';

/** Saves that are tried with one click; more are tried with the next. */
const most = 1_000;
const listed = 200;

interface Progress {
  total: number;
  tried: number;
  refused: readonly { save: SaveAnswer; why: string }[];
  isOver: boolean;
}

interface RetryAllProps {
  /** What is looked for, as the list of saves is asked for it. */
  query: URLSearchParams;
  total: number;
  onChange: () => void;
}

/** Tries all saves again that are looked for, one after the other, and says of each that could not be tried why. */
export function RetryAll({ query, total, onChange }: RetryAllProps) {
  const [isAsking, setAsking] = useState(false);
  const [progress, setProgress] = useState<Progress | null>(null);
  const isStopped = useRef(false);

  const retryAll = async () => {
    isStopped.current = false;
    let at: Progress = { total, tried: 0, refused: [], isOver: false };
    setProgress(at);
    try {
      const saves = await savesOf(query);
      at = { ...at, total: saves.length };
      for (const save of saves) {
        if (isStopped.current) break;
        const why = await refusalOf(save);
        at = {
          ...at,
          tried: at.tried + 1,
          refused: why === null ? at.refused : [...at.refused, { save, why }],
        };
        setProgress(at);
      }
    } catch (error) {
      showProblem(error);
    }
    setProgress({ ...at, isOver: true });
    onChange();
  };

  return (
    <div class="retry-all">
      {progress && (
        <section class="panel" aria-label={t('admin.retryAll')}>
          <p role="status">
            {t('admin.retriedOf', { tried: progress.tried, total: progress.total })}
            {progress.refused.length > 0 && ` ${t('admin.notRetried', { count: progress.refused.length })}`}
          </p>
          <ul class="plain-list">
            {progress.refused.map(({ save, why }) => (
              <li key={save.id}>
                <a href={documentAddress(save.key)}>{save.title ?? save.key}</a>: {why}
              </li>
            ))}
          </ul>
          {progress.isOver ? (
            <Button onClick={() => setProgress(null)}>{t('common.close')}</Button>
          ) : (
            <Button
              onClick={() => {
                isStopped.current = true;
              }}
            >
              {t('admin.stop')}
            </Button>
          )}
        </section>
      )}
      {total > 0 && (!progress || progress.isOver) && (
        <Button onClick={() => setAsking(true)}>{t('admin.retryAll')}</Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('admin.retryAllTitle', { count: Math.min(most, total) })}
          text={t('admin.retryAllText')}
          label={t('admin.retryAll')}
          onClose={() => setAsking(false)}
          onConfirm={() => void retryAll()}
        />
      )}
    </div>
  );
}

/** All that are looked for, before any of them is tried: a save that goes on leaves the list. */
async function savesOf(query: URLSearchParams): Promise<SaveAnswer[]> {
  const saves: SaveAnswer[] = [];
  for (;;) {
    const page = new URLSearchParams(query);
    page.set('limit', `${listed}`);
    page.set('offset', `${saves.length}`);
    const answer = await ask<SavesAnswer>('GET', `saves?${page}`);
    saves.push(...answer.saves);
    if (answer.saves.length < listed || saves.length >= most) return saves.slice(0, most);
  }
}

/** Tries a save again. Gives why that was refused; null when it was not. @throws AdminRefusal when the next would fare no better */
async function refusalOf({ id }: SaveAnswer): Promise<string | null> {
  try {
    await ask<SaveRequestAnswer>('POST', `saves/${id}/retry`, {});
    return null;
  } catch (error) {
    const isOfAll = ['network', 'not-signed-in', 'read-only', 'unavailable', 'internal'];
    if (error instanceof AdminRefusal && !isOfAll.includes(error.code)) return error.message;
    throw error;
  }
}
