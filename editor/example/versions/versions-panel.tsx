import { useState } from 'preact/hooks';
import { SidePanel } from '../../kit/side-panel.tsx';
import { type StringKey, t } from '../../strings/strings.ts';
import { useDetails } from './use-details.ts';
import './versions-panel.css';
import { Download, Eye, RotateCcw } from 'lucide-preact';
import type { CallbackEntry, VersionSummary } from '../../../example/api.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { restoreVersion } from '../actions.ts';
import { mayEdit } from '../me.ts';
import { fileAddress } from '../server.ts';
import { personOf } from '../settings.ts';
import { Avatars } from '../shell/accounts.tsx';
import { ago, fileSize, fullTime, names } from '../shell/formats.ts';
import { documentRoute, Link } from '../shell/route.tsx';

interface VersionsPanelProps {
  id: string;
  onClose: () => void;
  /** The version that is being looked at. */
  viewed?: number | null;
}

/** The versions of a document as they came from the document server, and its reports. */
export function VersionsPanel({ id, onClose, viewed = null }: VersionsPanelProps) {
  const { details, missing } = useDetails(id);
  const [restoring, setRestoring] = useState<number | null>(null);
  return (
    <div
      class="versions-place"
      role="presentation"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && restoring === null) onClose();
      }}
    >
      <SidePanel title={t('example.versions')} onClose={onClose}>
        <div class="versions-body">
          {missing && <p class="versions-note">{t('example.gone')}</p>}
          {details && !missing && (
            <>
              <p class="versions-of">
                <bdi>{details.document.title}</bdi>
              </p>
              <ol class="versions">
                {details.versions.map((version, index) => (
                  <VersionRow
                    key={version.number}
                    id={id}
                    version={version}
                    isCurrent={index === 0}
                    isViewed={version.number === viewed}
                    onRestore={() => setRestoring(version.number)}
                  />
                ))}
              </ol>
              <CallbackList entries={details.callbacks} />
            </>
          )}
        </div>
      </SidePanel>
      {restoring !== null && <RestoreDialog id={id} version={restoring} onClose={() => setRestoring(null)} />}
    </div>
  );
}

const originKeys: Readonly<Record<VersionSummary['origin'], StringKey>> = {
  created: 'example.originCreated',
  uploaded: 'example.originUploaded',
  copied: 'example.originCopied',
  saved: 'example.originSaved',
  forced: 'example.originForced',
  late: 'example.originLate',
  restored: 'example.originRestored',
};

interface VersionRowProps {
  id: string;
  version: VersionSummary;
  isCurrent: boolean;
  isViewed: boolean;
  onRestore: () => void;
}

/** A version: when, by whom, why, and what can be done with it. */
function VersionRow({ id, version, isCurrent, isViewed, onRestore }: VersionRowProps) {
  const { number, savedAt, people, origin, restoredFrom, sizeBytes } = version;
  const by = names(people.map(({ name }) => name));
  return (
    <li class={`version ${isCurrent ? 'version-current' : ''}`} aria-current={isViewed || undefined}>
      <div class="version-head">
        <strong>{t('example.version', { number })}</strong>
        {isCurrent && <span class="version-badge">{t('example.current')}</span>}
        <span class="version-people">
          <Avatars ids={people.map((person) => person.id)} label={by} size={24} />
        </span>
      </div>
      <p class="version-when" title={fullTime(savedAt)}>
        {people.length > 0
          ? t('example.savedBy', { when: ago(savedAt), people: by })
          : t('example.saved', { when: ago(savedAt) })}
      </p>
      <p class="version-origin">
        {t(originKeys[origin], { number: restoredFrom ?? '' })} · {fileSize(sizeBytes)}
      </p>
      <div class="version-actions">
        {!isCurrent && (
          <Link
            class="version-action"
            to={documentRoute(id, { version: number })}
            aria-label={t('example.viewVersionOf', { number })}
          >
            <Eye size={15} aria-hidden="true" /> {t('example.viewVersion')}
          </Link>
        )}
        <a
          class="version-action"
          href={fileAddress(id, number)}
          download
          aria-label={t('example.downloadVersion', { number })}
        >
          <Download size={15} aria-hidden="true" /> {t('example.download')}
        </a>
        {!isCurrent && mayEdit.value && (
          <Button
            class="version-action"
            aria-label={t('example.restoreVersion', { number })}
            onClick={onRestore}
          >
            <RotateCcw size={15} aria-hidden="true" /> {t('example.restore')}
          </Button>
        )}
      </div>
    </li>
  );
}

interface RestoreDialogProps {
  id: string;
  version: number;
  onClose: () => void;
}

/** Says what restoring does, and does it. */
function RestoreDialog({ id, version, onClose }: RestoreDialogProps) {
  const [busy, setBusy] = useState(false);
  const restore = async () => {
    setBusy(true);
    await restoreVersion(id, version);
    onClose();
  };
  return (
    <Dialog
      title={t('example.restoreTitle', { number: version })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" disabled={busy} aria-busy={busy} onClick={() => void restore()}>
            {busy ? t('example.restoring') : t('example.restore')}
          </Button>
        </>
      }
    >
      <p>{t('example.restoreText')}</p>
    </Dialog>
  );
}

const statusKeys: Readonly<Record<number, StringKey>> = {
  1: 'example.status1',
  2: 'example.status2',
  3: 'example.status3',
  4: 'example.status4',
  6: 'example.status6',
  7: 'example.status7',
};

/** What the document server reported about a document, the newest first. */
function CallbackList({ entries }: { entries: readonly CallbackEntry[] }) {
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
