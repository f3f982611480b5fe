import { Button } from '../../kit/button.tsx';
import { SidePanel } from '../../kit/side-panel.tsx';
import { t } from '../../strings/strings.ts';
import type { WordEditor } from '../word-editor.ts';
import type { Version } from './version-history.ts';
import './history-panel.css';

/** The versions, the newest first: who made each, and when. */
export function HistoryPanel({ editor }: { editor: WordEditor }) {
  const { history } = editor;
  const { canHistoryRestore } = editor.config.editorConfig;
  const people = ({ changes, user }: Version) =>
    [...new Set([...changes.map((change) => change.user.name), user.name])].filter(Boolean).join(', ');
  return (
    <SidePanel title={t('toolbar.history')} onClose={() => history.close()}>
      <ol class="versions">
        {history.versions.value.map((version) => {
          const isShown = history.shown.value?.number === version.version;
          return (
            <li key={version.version}>
              <button
                type="button"
                class="version"
                aria-pressed={isShown}
                onClick={() => history.show(version.version)}
              >
                <strong>{t('history.version', { number: version.version })}</strong>
                <span>{version.created}</span>
                <span>{people(version)}</span>
              </button>
              {isShown && canHistoryRestore && version.version !== history.currentVersion.value && (
                <Button onClick={() => history.restore(version)}>{t('history.restore')}</Button>
              )}
            </li>
          );
        })}
      </ol>
      <Button class="versions-back" kind="primary" onClick={() => history.close()}>
        {t('history.back')}
      </Button>
    </SidePanel>
  );
}
