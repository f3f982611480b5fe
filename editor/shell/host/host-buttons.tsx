import { ArrowLeft, PencilLine, Star, X } from 'lucide-preact';
import { Button, IconButton } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { themeChoice } from '../../theme/theme.ts';
import type { OpenDocument } from '../document-editor.ts';
import './host-buttons.css';

interface Props {
  open: OpenDocument;
}

/** The way back to where documents are, if the embedding page says where that is. */
export function BackButton({ open }: Props) {
  const { goback } = open.config.editorConfig.customization;
  const label = goback.text || t('toolbar.back');
  if (!goback.visible) return null;
  if (goback.requestClose && open.config.editorConfig.canRequestClose) {
    return (
      <IconButton label={label} onClick={() => open.requestClose()}>
        <ArrowLeft class="flips" size={18} />
      </IconButton>
    );
  }
  if (!goback.url) return null;
  return (
    <a
      class="icon-button"
      href={goback.url}
      target={goback.blank ? '_blank' : '_top'}
      rel="noopener"
      aria-label={label}
      title={label}
    >
      <ArrowLeft class="flips" size={18} />
    </a>
  );
}

/** The embedding page's own mark. */
export function Logo({ open }: Props) {
  const { logo } = open.config.editorConfig.customization;
  const isDark = themeChoice.value !== 'light' && document.documentElement.dataset.theme === 'dark';
  const image = (isDark ? logo.imageDark : logo.imageLight) ?? logo.image;
  if (!logo.visible || !image) return null;
  const picture = <img class="host-logo" src={image} alt={logo.url ? t('host.home') : ''} />;
  if (!logo.url) return picture;
  return (
    <a href={logo.url} target="_blank" rel="noopener" class="host-logo-link">
      {picture}
    </a>
  );
}

/** The document's name; who may rename it does so by a press on it. */
export function DocumentTitle({ open, onRename }: Props & { onRename?: () => void }) {
  const { canRename, customization } = open.config.editorConfig;
  const title = <span dir="auto">{open.title.value}</span>;
  // The embedding page shows it; who hears the page still needs its heading.
  if (customization.toolbarHideFileName) return <h1 class="visually-hidden">{title}</h1>;
  if (!onRename || !canRename || !open.role.canEdit) return <h1>{title}</h1>;
  return (
    <h1>
      <button type="button" class="title-button" title={t('toolbar.rename')} onClick={onRename}>
        {title}
      </button>
    </h1>
  );
}

/** Shown if the embedding page has favorites; it is told of the change and keeps it. */
export function FavoriteButton({ open }: Props) {
  const { favorite } = open.facts;
  if (favorite.value === undefined) return null;
  const toggle = () => {
    favorite.value = !favorite.value;
    open.host.send('onMetaChange', { favorite: favorite.value });
  };
  return (
    <IconButton label={t('host.favorite')} aria-pressed={favorite.value} onClick={toggle}>
      <Star size={18} fill={favorite.value ? 'currentColor' : 'none'} />
    </IconButton>
  );
}

/** Somebody who only reads asks to edit; the embedding page opens the document anew, or refuses. */
export function EditRightsButton({ open }: Props) {
  const { config, role, host } = open;
  if (!config.editorConfig.canRequestEditRights || role.role !== 'view') return null;
  return (
    <Button class="edit-rights" onClick={() => host.send('onRequestEditRights')}>
      <PencilLine size={16} aria-hidden="true" /> {t('host.editDocument')}
    </Button>
  );
}

export function CloseButton({ open }: Props) {
  const { canRequestClose, customization } = open.config.editorConfig;
  if (!canRequestClose || !customization.close.visible) return null;
  return (
    <IconButton label={customization.close.text || t('toolbar.close')} onClick={() => open.requestClose()}>
      <X size={18} />
    </IconButton>
  );
}
