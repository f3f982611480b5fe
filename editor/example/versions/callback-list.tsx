import type { CallbackEntry } from '../../../example/api.ts';
import { type StringKey, t } from '../../strings/strings.ts';
import { personOf } from '../settings.ts';
import { ago, fullTime, names } from '../shell/times.ts';

const statusKeys: Readonly<Record<number, StringKey>> = {
  1: 'example.status1',
  2: 'example.status2',
  3: 'example.status3',
  4: 'example.status4',
  6: 'example.status6',
  7: 'example.status7',
};

/** What the document server reported about a document, the newest first. */
export function CallbackList({ entries }: { entries: readonly CallbackEntry[] }) {
  return (
    <details class="callbacks">
      <summary>{t('example.callbacks')}</summary>
      {entries.length === 0 && <p class="versions-note">{t('example.noCallbacks')}</p>}
      <ol>
        {entries.map(({ at, status, users, version, problem }, index) => (
          <li key={`${at} ${entries.length - index}`} class={problem === undefined ? '' : 'callback-problem'}>
            <code>{status}</code>
            <span>
              {t(statusKeys[status] ?? 'example.statusOther', { status })}
              {version !== undefined && ` → ${t('example.version', { number: version })}`}
              <small title={fullTime(at)}>
                {[ago(at), names(users.map((id) => personOf(id)?.name ?? id))].filter(Boolean).join(' · ')}
              </small>
              {problem !== undefined && (
                <small lang="en" dir="ltr">
                  {problem}
                </small>
              )}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
