import { useState } from 'preact/hooks';
import { SidePanel } from '../../kit/side-panel.tsx';
import { t } from '../../strings/strings.ts';
import { CallbackList } from './callback-list.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { useDetails } from './use-details.ts';
import { VersionRow } from './version-row.tsx';
import './versions-panel.css';

export interface VersionsPanelProps {
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
