import { ArrowLeft, PencilLine, Star, X } from 'lucide-preact';
import { Button, IconButton } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { themeChoice } from '../../theme/theme.ts';
import type { WordEditor } from '../word-editor.ts';
import { requestClose } from './request-close.ts';
import './host-buttons.css';

interface Props {
  editor: WordEditor;
}

/** The way back to where documents are, if the embedding page says where that is. */
export function BackButton({ editor }: Props) {
  const { goback } = editor.config.editorConfig.customization;
  const label = goback.text || t('toolbar.back');
  if (!goback.visible) return null;
  if (goback.requestClose && editor.config.editorConfig.canRequestClose) {
    return (
      <IconButton label={label} onClick={() => void requestClose(editor)}>
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
export function Logo({ editor }: Props) {
  const { logo } = editor.config.editorConfig.customization;
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
export function DocumentTitle({ editor }: Props) {
  const { canRename, customization } = editor.config.editorConfig;
  if (customization.toolbarHideFileName) return null;
  const title = <span dir="auto">{editor.title.value}</span>;
  if (!canRename || !editor.role.canEdit) return <h1>{title}</h1>;
  const rename = () => {
    editor.dialog.value = 'rename';
  };
  return (
    <h1>
      <button type="button" class="title-button" title={t('toolbar.rename')} onClick={rename}>
        {title}
      </button>
    </h1>
  );
}

/** Shown if the embedding page has favorites; it is told of the change and keeps it. */
export function FavoriteButton({ editor }: Props) {
  const { favorite } = editor.facts;
  if (favorite.value === undefined) return null;
  const toggle = () => {
    favorite.value = !favorite.value;
    editor.host.send('onMetaChange', { favorite: favorite.value });
  };
  return (
    <IconButton label={t('host.favorite')} aria-pressed={favorite.value} onClick={toggle}>
      <Star size={18} fill={favorite.value ? 'currentColor' : 'none'} />
    </IconButton>
  );
}

/** Whoever only reads asks to edit; the embedding page opens the document anew, or refuses. */
export function EditRightsButton({ editor }: Props) {
  const { config, role, host } = editor;
  if (!config.editorConfig.canRequestEditRights || role.role !== 'view') return null;
  return (
    <Button class="edit-rights" onClick={() => host.send('onRequestEditRights')}>
      <PencilLine size={16} aria-hidden="true" /> {t('host.editDocument')}
    </Button>
  );
}

export function CloseButton({ editor }: Props) {
  const { canRequestClose, customization } = editor.config.editorConfig;
  if (!canRequestClose || !customization.close.visible) return null;
  return (
    <IconButton
      label={customization.close.text || t('toolbar.close')}
      onClick={() => void requestClose(editor)}
    >
      <X size={18} />
    </IconButton>
  );
}
