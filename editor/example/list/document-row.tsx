import { Columns2, Download, Ellipsis, History, PencilLine, Trash2, TriangleAlert } from 'lucide-preact';
import type { DocumentKind, DocumentSummary } from '../../../example/api.ts';
import { MenuButton, type MenuEntry } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import { deleteDocument } from '../actions.ts';
import { mayEdit, me } from '../me.ts';
import { fileAddress } from '../server.ts';
import { edits, opens, people } from '../settings.ts';
import { Avatars } from '../shell/accounts.tsx';
import { ago, fullTime, names } from '../shell/formats.ts';
import { documentRoute, go, Link } from '../shell/route.tsx';
import './document-row.css';
import { kindText } from '../shell/roles.ts';

interface DocumentRowProps {
  document: DocumentSummary;
  onVersions: () => void;
  onRename: () => void;
}

/** A document in the list: a press anywhere opens it. */
export function DocumentRow({ document, onVersions, onRename }: DocumentRowProps) {
  const { id, title, latest, versionCount, editing, problem } = document;
  const by = latest.people.map(({ name }) => name);
  const saved = { when: ago(latest.savedAt), people: names(by) };
  const editors = people().filter((person) => editing.includes(person.id));
  return (
    <li class="document">
      <KindIcon kind={document.kind} fileType={document.fileType} />
      <div class="document-text">
        <Link class="document-link" to={documentRoute(id)} aria-label={t('example.open', { title })}>
          <bdi>{title}</bdi>
        </Link>
        <span class="document-saved" title={fullTime(latest.savedAt)}>
          {by.length > 0 ? t('example.savedBy', saved) : t('example.saved', saved)}
        </span>
        {!opens(document.fileType) && (
          <span class="document-saved">{t('example.notOpened', { type: document.fileType })}</span>
        )}
        {opens(document.fileType) && !edits(document.fileType) && (
          <span class="document-saved">{t('example.onlyShown', { type: document.fileType })}</span>
        )}
        {problem && (
          <span class="document-problem">
            <TriangleAlert size={14} aria-hidden="true" /> {t('example.problem')}
          </span>
        )}
      </div>
      {editors.length > 0 && (
        <span class="document-editing">
          <Avatars
            ids={editing}
            label={t('example.editingNow', { people: names(editors.map(({ name }) => name)) })}
          />
        </span>
      )}
      <button type="button" class="document-versions" aria-haspopup="dialog" onClick={onVersions}>
        <History size={16} aria-hidden="true" />
        {t('example.versionCount', { count: versionCount })}
      </button>
      <Link
        class="document-beside"
        to={documentRoute(id, { beside: besideOf(me.value?.id) })}
        aria-label={`${t('example.openSideBySide')}: ${title}`}
        title={t('example.openSideBySide')}
      >
        <Columns2 size={16} aria-hidden="true" />
        <span>{t('example.twoPeople')}</span>
      </Link>
      <MenuButton
        class="quiet-button"
        label={t('example.moreFor', { title })}
        entries={() => entriesOf(document, onVersions, onRename)}
      >
        <Ellipsis size={18} aria-hidden="true" />
      </MenuButton>
    </li>
  );
}

/** What else can be done with a document. */
function entriesOf(document: DocumentSummary, onVersions: () => void, onRename: () => void): MenuEntry[] {
  return [
    {
      label: t('example.openSideBySide'),
      icon: <Columns2 size={16} />,
      run: () => go(documentRoute(document.id, { beside: besideOf(me.value?.id) })),
    },
    { label: t('example.versions'), icon: <History size={16} />, run: onVersions },
    {
      label: t('example.download'),
      icon: <Download size={16} />,
      run: () => location.assign(fileAddress(document.id, document.latest.number)),
    },
    'separator',
    {
      label: t('example.rename'),
      icon: <PencilLine size={16} />,
      disabled: !mayEdit.value,
      run: onRename,
    },
    {
      label: t('common.delete'),
      icon: <Trash2 size={16} />,
      disabled: !mayEdit.value,
      run: () => void deleteDocument(document),
    },
  ];
}

/** Who sits on the other side by default: somebody who may edit, too. */
export function besideOf(id: string | undefined): string {
  return people().find((person) => person.id !== id && person.role === 'edit')?.id ?? '';
}

/** A page in the colour of its kind, with the file's extension on it. */
function KindIcon({ kind, fileType }: { kind: DocumentKind; fileType: string }) {
  return (
    <span class={`kind-icon kind-${kind}`} role="img" aria-label={kindText(kind)} title={kindText(kind)}>
      <svg viewBox="0 0 32 40" width="32" height="40" aria-hidden="true" focusable="false">
        <path class="kind-page" d="M4 1h17l10 10v25a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3z" />
        <path class="kind-fold" d="M21 1v7a3 3 0 0 0 3 3h7" />
      </svg>
      <b aria-hidden="true">{fileType}</b>
    </span>
  );
}
