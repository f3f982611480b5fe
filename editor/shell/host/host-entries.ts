import type { MenuEntry } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import { askForLink } from '../../word/host/action-link.ts';
import type { WordEditor } from '../../word/word-editor.ts';

const mostRecent = 10;

const openPage = (url: string): void => void window.open(url, '_blank', 'noopener');

/** Other documents: a new one, one from a template of the embedding page, and those that were open lately. */
export function otherDocumentEntries({ host, config }: WordEditor): (MenuEntry | false)[] {
  const { canRequestCreateNew, createUrl, templates, recent } = config.editorConfig;
  const create = () => {
    if (canRequestCreateNew) host.send('onRequestCreateNew');
    else if (createUrl !== undefined) openPage(createUrl);
  };
  return [
    (canRequestCreateNew || createUrl !== undefined) && { label: t('toolbar.createNew'), run: create },
    ...templates.map(({ title, url }) => ({
      label: t('host.fromTemplate', { title }),
      run: () => openPage(url),
    })),
    'separator',
    ...recent.slice(0, mostRecent).map(({ title, url, folder }) => ({
      label: folder === '' ? title : t('host.recentIn', { title, folder }),
      run: () => openPage(url),
    })),
  ];
}

/** Who has the document, as far as the embedding page says it or lets it be changed. */
export function sharingEntries(editor: WordEditor): (MenuEntry | false)[] {
  const { host, facts, config } = editor;
  const showAccess = () => {
    editor.dialog.value = 'sharing';
  };
  return [
    config.editorConfig.canRequestSharingSettings && {
      label: t('toolbar.share'),
      run: () => host.send('onRequestSharingSettings'),
    },
    facts.sharing.value.length > 0 && { label: t('host.access'), run: showAccess },
  ];
}

/** What the embedding page can put into the document, and links that it can make to places in it. */
export function insertionEntries(editor: WordEditor): MenuEntry[] {
  const { host, role, config } = editor;
  const { canRequestInsertImage, canMakeActionLink } = config.editorConfig;
  const entries: (MenuEntry | false)[] = [
    canRequestInsertImage && {
      label: t('host.pictureFromStorage'),
      disabled: !role.canEdit,
      run: () => host.send('onRequestInsertImage', { c: 'add' }),
    },
    canMakeActionLink && { label: t('host.copyLink'), run: () => askForLink(editor) },
  ];
  return entries.filter((entry) => entry !== false);
}

/** The embedding page's own address for opinions. */
export function feedbackEntries({ config }: WordEditor): MenuEntry[] {
  const { visible, url } = config.editorConfig.customization.feedback;
  return visible && url !== undefined ? [{ label: t('host.feedback'), run: () => openPage(url) }] : [];
}
