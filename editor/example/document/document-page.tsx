import { useEffect, useRef, useState } from 'preact/hooks';
import type { VersionSummary } from '../../../example/api.ts';
import { Button } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { bringBack, deleteDocument } from '../actions.ts';
import { besideOf } from '../list/document-row.tsx';
import { RenameDialog } from '../list/rename-dialog.tsx';
import { become, mayEdit, me } from '../me.ts';
import { personOf } from '../settings.ts';
import { documentRoute, go, Link, type Route } from '../shell/route.tsx';
import { tell } from '../shell/toasts.tsx';
import { useDetails } from '../versions/use-details.ts';
import { VersionsPanel } from '../versions/versions-panel.tsx';
import { DocumentBar, EmptyBar } from './document-bar.tsx';
import { EditorPane } from './editor-frame.tsx';
import './document-page.css';

/** One document in its editor, or in two side by side. */
export function DocumentPage({ route }: { route: Extract<Route, { page: 'document' }> }) {
  const { id, version } = route;
  const { details, missing } = useDetails(id);
  const [versionsOpen, setVersionsOpen] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const person = me.value!;
  const beside = version === null ? personOf(route.beside) : undefined;
  const document = details?.document;
  // A restored version ends the editors' sessions: they are opened again, on it.
  const restored = details?.versions.find(({ origin }) => origin === 'restored')?.number ?? 0;

  useEffect(() => {
    if (document) window.document.title = `${document.title} – ${t('example.appName')}`;
  }, [document?.title]);
  useNewVersions(document?.latest);

  if (!document || missing) return <NoDocument id={id} wasThere={document !== undefined} missing={missing} />;

  const show = (other: string | null) => go(documentRoute(id, { beside: other }));
  return (
    <div class="document-page">
      <DocumentBar
        document={document}
        person={person}
        isBeside={beside !== undefined}
        versionsOpen={versionsOpen}
        onBeside={() => show(beside ? null : besideOf(person.id))}
        onVersions={() => setVersionsOpen(!versionsOpen)}
        onRename={() => setRenaming(true)}
        onDelete={() => {
          void deleteDocument(document).then((deleted) => {
            if (deleted) go({ page: 'list' });
          });
        }}
        onPerson={become}
      />
      {version !== null && (
        <p class="version-banner" role="status">
          {t('example.viewing', { number: version })}
          <Link to={documentRoute(id)}>{t('example.backToCurrent')}</Link>
        </p>
      )}
      <div class="document-body">
        <main class={`panes ${beside ? 'panes-beside' : ''}`}>
          <EditorPane
            key={`left ${restored}`}
            document={document}
            person={person}
            version={version}
            hasStrip={beside !== undefined}
            onPerson={become}
          />
          {beside && (
            <EditorPane
              key={`right ${restored}`}
              document={document}
              person={beside}
              version={null}
              hasStrip
              onPerson={show}
            />
          )}
        </main>
        {versionsOpen && <VersionsPanel id={id} viewed={version} onClose={() => setVersionsOpen(false)} />}
      </div>
      {renaming && <RenameDialog document={document} onClose={() => setRenaming(false)} />}
    </div>
  );
}

/** Tells when another version has come while the page is open. */
function useNewVersions(latest: VersionSummary | undefined): void {
  const known = useRef<number | null>(null);
  useEffect(() => {
    if (!latest) return;
    const { number, origin } = latest;
    // The person who restores is told of that.
    const isNews = known.current !== null && number > known.current && origin !== 'restored';
    known.current = number;
    if (isNews) tell(t('example.newVersion', { number }));
  }, [latest?.number]);
}

/** In the place of a document that is not there: not yet, no more, or never. */
function NoDocument({ id, wasThere, missing }: { id: string; wasThere: boolean; missing: boolean }) {
  return (
    <div class="document-page">
      <EmptyBar />
      <main class="no-document">
        {!missing && <p>{t('common.loading')}</p>}
        {missing && <h2>{wasThere ? t('example.gone') : t('example.notFound')}</h2>}
        {missing && wasThere && (
          <>
            <p>{t('example.goneText')}</p>
            {mayEdit.value && (
              <Button kind="primary" onClick={() => void bringBack(id)}>
                {t('example.bringBack')}
              </Button>
            )}
          </>
        )}
        {missing && <Link to={{ page: 'list' }}>{t('example.back')}</Link>}
      </main>
    </div>
  );
}
