import { useEffect, useState } from 'preact/hooks';
import { t } from '../../strings/strings.ts';
import { documents } from '../documents.ts';
import { Footer } from '../shell/footer.tsx';
import { Header } from '../shell/header.tsx';
import { VersionsPanel } from '../versions/versions-panel.tsx';
import { DocumentRow } from './document-row.tsx';
import { DropZone } from './drop-zone.tsx';
import { EmptyList } from './empty-list.tsx';
import { NewDocument } from './new-document.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { UploadList } from './upload-list.tsx';
import './list-page.css';

/** The start: ways to a new document, and those that are there. */
export function ListPage() {
  const [versionsOf, setVersionsOf] = useState<string | null>(null);
  const [renaming, setRenaming] = useState<string | null>(null);
  const all = documents.value;
  const pageTitle = `${t('example.documents')} – ${t('example.appName')}`;
  useEffect(() => {
    document.title = pageTitle;
  }, [pageTitle]);
  const named = all?.find(({ id }) => id === renaming);
  return (
    <div class="list-page">
      <div class="list-scroll">
        <a class="skip-link" href="#documents">
          {t('example.skip')}
        </a>
        <Header />
        <main class="list-main">
          <div class="list-lead">
            <h1>{t('example.documents')}</h1>
            <p>{t('example.lead')}</p>
          </div>
          <NewDocument />
          <section id="documents" tabIndex={-1} aria-label={t('example.documents')}>
            <UploadList />
            {all === null && <p class="list-loading">{t('common.loading')}</p>}
            {all?.length === 0 && <EmptyList />}
            {all && all.length > 0 && (
              <ul class="documents">
                {all.map((document) => (
                  <DocumentRow
                    key={document.id}
                    document={document}
                    onVersions={() => setVersionsOf(document.id)}
                    onRename={() => setRenaming(document.id)}
                  />
                ))}
              </ul>
            )}
          </section>
        </main>
        <Footer />
      </div>
      {versionsOf && <VersionsPanel id={versionsOf} onClose={() => setVersionsOf(null)} />}
      {named && <RenameDialog document={named} onClose={() => setRenaming(null)} />}
      <DropZone />
    </div>
  );
}
