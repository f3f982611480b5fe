import type { ComponentChildren } from 'preact';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { SidePanel } from '../../kit/side-panel.tsx';
import { t } from '../../strings/strings.ts';
import type { DocumentEditor } from '../document-editor.ts';
import type { Comparison } from './comparison.ts';
import { versionDays } from './version-days.ts';
import { isSameVersion, type Version, type VersionHistory } from './version-history.ts';
import { peopleOf } from './version-people.ts';
import './history-panel.css';

interface HistoryPanelProps {
  editor: DocumentEditor;
  history: VersionHistory;
  /** What a kind says of the version that is shown, below its entry. */
  children?: ComponentChildren;
}

/** The versions by day, the newest first: who made each, and when. */
export function HistoryPanel({ editor, history, children }: HistoryPanelProps) {
  const mayRestore = editor.config.editorConfig.canHistoryRestore && editor.role.canEdit;
  const restoring = history.restoring.value;
  return (
    <SidePanel title={t('toolbar.history')} onClose={() => history.close()}>
      <div class="version-days">
        {versionDays(history.versions.value).map(({ title, versions }) => (
          <section key={title}>
            <h3>{title}</h3>
            <ol class="versions">
              {versions.map(({ version, time }) => (
                <li key={version.version}>
                  <VersionButton history={history} version={version} time={time} />
                  <VersionDetails history={history} version={version} mayRestore={mayRestore}>
                    {children}
                  </VersionDetails>
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
      <Button class="versions-back" kind="primary" onClick={() => history.close()}>
        {t('history.back')}
      </Button>
      {restoring && <RestoreDialog history={history} version={restoring} />}
    </SidePanel>
  );
}

interface Part {
  history: VersionHistory;
  version: Version;
}

function VersionButton({ history, version, time }: Part & { time: string }) {
  const label = version.version;
  const isShown = isSameVersion(history.shown.value?.label, label);
  const isCurrent = isSameVersion(history.currentVersion.value, label);
  return (
    <button type="button" class="version" aria-pressed={isShown} onClick={() => history.show(label)}>
      <strong>
        {t('history.version', { number: label })}
        {isCurrent && ` · ${t('history.current')}`}
      </strong>
      <span>{[time, peopleOf(version)].filter(Boolean).join(' · ')}</span>
    </button>
  );
}

/** What is known of the version that is shown, and what can be done with it. */
function VersionDetails({
  history,
  version,
  mayRestore,
  children,
}: Part & { mayRestore: boolean; children: ComponentChildren }) {
  const shown = history.shown.value;
  if (!shown || !isSameVersion(shown.label, version.version)) return null;
  const { editor, problem, changeCount } = shown;
  if (problem) return <p class="version-problem">{problem}</p>;
  if (!editor) return <p role="status">{t('common.loading')}</p>;
  return (
    <>
      {changeCount !== null && <p role="status">{t('history.changes', { count: changeCount })}</p>}
      {mayRestore && !isSameVersion(version.version, history.currentVersion.value) && (
        <Button
          onClick={() => {
            history.restoring.value = version;
          }}
        >
          {t('history.restore')}
        </Button>
      )}
      {children}
    </>
  );
}

function RestoreDialog({ history, version }: Part) {
  const close = () => {
    history.restoring.value = null;
  };
  return (
    <Dialog
      title={t('history.restore')}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{t('common.cancel')}</Button>
          <Button kind="primary" onClick={() => void history.restore(version)}>
            {t('history.restoreNow')}
          </Button>
        </>
      }
    >
      <p>{t('history.restoreText', { number: version.version })}</p>
    </Dialog>
  );
}

/** What the marks in the other file mean, and the way back to the document. */
export function ComparisonPanel({
  comparison,
  children,
}: {
  comparison: Pick<Comparison, 'shown' | 'close'>;
  children?: ComponentChildren;
}) {
  const shown = comparison.shown.value;
  return (
    <SidePanel title={t('compare.title')} onClose={() => comparison.close()}>
      <div class="version-days">
        {shown?.problem && <p class="version-problem">{shown.problem}</p>}
        {shown && !shown.problem && !shown.editor && <p role="status">{t('common.loading')}</p>}
        {shown?.editor && <p>{t('compare.meaning')}</p>}
        {shown?.editor && shown.changeCount !== null && (
          <p role="status">{t('compare.differences', { count: shown.changeCount })}</p>
        )}
        {children}
      </div>
      <Button class="versions-back" kind="primary" onClick={() => comparison.close()}>
        {t('history.back')}
      </Button>
    </SidePanel>
  );
}
