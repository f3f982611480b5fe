import { Download, Eye, RotateCcw } from 'lucide-preact';
import type { VersionSummary } from '../../../example/api.ts';
import { Button } from '../../kit/button.tsx';
import { type StringKey, t } from '../../strings/strings.ts';
import { mayEdit } from '../me.ts';
import { fileAddress } from '../server.ts';
import { Avatars } from '../shell/avatar.tsx';
import { Link } from '../shell/link.tsx';
import { documentRoute } from '../shell/route.ts';
import { ago, fileSize, fullTime, names } from '../shell/times.ts';

const originKeys: Readonly<Record<VersionSummary['origin'], StringKey>> = {
  created: 'example.originCreated',
  uploaded: 'example.originUploaded',
  copied: 'example.originCopied',
  saved: 'example.originSaved',
  forced: 'example.originForced',
  late: 'example.originLate',
  restored: 'example.originRestored',
};

export interface VersionRowProps {
  id: string;
  version: VersionSummary;
  isCurrent: boolean;
  isViewed: boolean;
  onRestore: () => void;
}

/** A version: when, by whom, why, and what can be done with it. */
export function VersionRow({ id, version, isCurrent, isViewed, onRestore }: VersionRowProps) {
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
