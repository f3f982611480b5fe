import { useEffect, useState } from 'preact/hooks';
import { t } from '../../strings/strings.ts';
import { documents } from '../documents.ts';
import { VersionsPanel } from '../versions/versions-panel.tsx';
import { DocumentRow } from './document-row.tsx';
import { NewDocument } from './new-document.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { DropZone, UploadList } from './uploads.tsx';
import './list-page.css';
import { AppearanceMenu } from '../../page/appearance-menu.tsx';
import { Logo } from '../../page/logo.tsx';
import { become, me } from '../me.ts';
import { AccountMenu } from '../shell/accounts.tsx';
import { roleText } from '../shell/roles.ts';
import '../../page/header.css';

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

/** The top of the list: what this is, and who you are. */
function Header() {
  const person = me.value;
  return (
    <header class="header">
      <Logo />
      <span class="header-name">{t('example.appName')}</span>
      <span class="header-space" />
      <AppearanceMenu />
      {person && (
        <AccountMenu
          person={person}
          label={t('example.accountMenu', { name: person.name, role: roleText(person.role) })}
          onChoose={become}
        />
      )}
    </header>
  );
}

/** What to do when there is nothing yet. */
function EmptyList() {
  return (
    <div class="empty-list">
      <svg viewBox="0 0 160 100" width="160" height="100" aria-hidden="true" focusable="false">
        <g class="empty-page" transform="rotate(-7 60 55)">
          <rect x="32" y="14" width="58" height="76" rx="5" />
          <path d="M42 30h30M42 40h38M42 50h34" />
        </g>
        <g class="empty-page" transform="rotate(5 100 55)">
          <rect x="72" y="14" width="58" height="76" rx="5" />
          <path d="M82 30h30M82 40h38M82 50h22" />
        </g>
        <g class="empty-cursors">
          <path d="M104 44v14" stroke="#6b3fa0" />
          <rect x="104" y="38" width="22" height="8" rx="2" fill="#6b3fa0" />
          <path d="M96 66v14" stroke="#0b6b50" />
          <rect x="96" y="60" width="22" height="8" rx="2" fill="#0b6b50" />
        </g>
      </svg>
      <h3>{t('example.emptyTitle')}</h3>
      <p>{t('example.emptyText')}</p>
    </div>
  );
}

/** Says what this is and how it is made. */
function Footer() {
  return (
    <footer class="footer">
      <p>{t('example.footer')}</p>
      <nav aria-label={t('example.guide')}>
        <a href="integration.md">{t('example.guide')}</a>
        <a href="../welcome/">{t('example.welcome')}</a>
      </nav>
    </footer>
  );
}
