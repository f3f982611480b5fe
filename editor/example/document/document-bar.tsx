import { ArrowLeft, Columns2, Ellipsis, History, PencilLine, Square, Trash2 } from 'lucide-preact';
import type { DocumentSummary, Person } from '../../../example/api.ts';
import { MenuButton } from '../../kit/menu.tsx';
import { AppearanceMenu } from '../../page/appearance-menu.tsx';
import { t } from '../../strings/strings.ts';
import { mayEdit } from '../me.ts';
import { people } from '../settings.ts';
import { AccountMenu, Avatars } from '../shell/accounts.tsx';
import { ago, fullTime, names } from '../shell/formats.ts';
import { roleText } from '../shell/roles.ts';
import { Link } from '../shell/route.tsx';
import { leave } from './closing.ts';
import './document-bar.css';

interface DocumentBarProps {
  document: DocumentSummary;
  person: Person;
  isBeside: boolean;
  versionsOpen: boolean;
  onBeside: () => void;
  onVersions: () => void;
  onRename: () => void;
  onDelete: () => void;
  onPerson: (id: string) => void;
}

/** The slim bar above the editor: the way back, what is open, and as whom. */
export function DocumentBar(props: DocumentBarProps) {
  const { document, person, isBeside, versionsOpen, onBeside, onVersions, onRename, onDelete } = props;
  const { title, latest, editing } = document;
  const editors = people().filter(({ id }) => editing.includes(id));
  const beside = isBeside ? t('example.onePerson') : t('example.twoPeople');
  return (
    <header class="document-bar">
      <Link
        class="bar-back"
        to={{ page: 'list' }}
        through={leave}
        aria-label={t('example.back')}
        title={t('example.back')}
      >
        <ArrowLeft class="flips" size={18} aria-hidden="true" />
      </Link>
      <div class="bar-title">
        <h1>
          <bdi>{title}</bdi>
        </h1>
        <span title={fullTime(latest.savedAt)}>
          {t('example.version', { number: latest.number })} · {ago(latest.savedAt)}
        </span>
      </div>
      <span class="bar-editing">
        <Avatars
          ids={editing}
          label={t('example.editingNow', { people: names(editors.map(({ name }) => name)) })}
        />
      </span>
      <button type="button" class="bar-button" title={beside} onClick={onBeside}>
        {isBeside ? <Square size={17} aria-hidden="true" /> : <Columns2 size={17} aria-hidden="true" />}
        <span>{beside}</span>
      </button>
      <button
        type="button"
        class="bar-button"
        title={t('example.versions')}
        aria-expanded={versionsOpen}
        onClick={onVersions}
      >
        <History size={17} aria-hidden="true" />
        <span>{t('example.versions')}</span>
      </button>
      {mayEdit.value && (
        <MenuButton
          class="quiet-button"
          label={t('example.moreFor', { title })}
          entries={() => [
            { label: t('example.rename'), icon: <PencilLine size={16} />, run: onRename },
            { label: t('common.delete'), icon: <Trash2 size={16} />, run: onDelete },
          ]}
        >
          <Ellipsis size={18} aria-hidden="true" />
        </MenuButton>
      )}
      <AppearanceMenu />
      {!isBeside && (
        <AccountMenu
          person={person}
          label={t('example.accountMenu', { name: person.name, role: roleText(person.role) })}
          onChoose={props.onPerson}
        />
      )}
    </header>
  );
}

/** The bar while there is no document to show. */
export function EmptyBar() {
  return (
    <header class="document-bar">
      <Link class="bar-back" to={{ page: 'list' }} aria-label={t('example.back')} title={t('example.back')}>
        <ArrowLeft class="flips" size={18} aria-hidden="true" />
      </Link>
      <span class="bar-title" />
      <AppearanceMenu />
    </header>
  );
}
