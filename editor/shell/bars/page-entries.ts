import type { EditingMode } from '../../../client/replica/session-options.ts';
import type { MenuEntry } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import { chooseTheme, type ThemeChoice, themeChoice } from '../../theme/theme.ts';
import { shownShortcut } from '../actions.ts';
import { type CoeditedDocument, type DocumentEditor, openDialog, togglePanel } from '../document-editor.ts';
import { download, saveCopy } from '../download.ts';
import { saveNow } from '../saving/save-now.ts';

const mostRecent = 10;

const openPage = (url: string): void => void window.open(url, '_blank', 'noopener');

/**
 * What concerns the document as a whole. What the embedding page does is offered only if it said that it can.
 * `own`: entries of the kind; `printing`: other ways of it to print.
 */
export function fileEntries(
  editor: CoeditedDocument,
  own: readonly MenuEntry[],
  printing: readonly MenuEntry[] = [],
): MenuEntry[] {
  const { host, role } = editor;
  const can = editor.config.editorConfig;
  const entries: (MenuEntry | false)[] = [
    role.canEdit && {
      label: t('toolbar.save'),
      run: () => void saveNow(editor),
      shortcut: shownShortcut('Mod-s'),
    },
    can.canRequestSaveAs &&
      role.canDownload && { label: t('toolbar.saveCopy'), run: () => void saveCopy(editor) },
    role.canDownload && { label: t('toolbar.download'), run: () => void download(editor) },
    role.canDownload && { label: t('toolbar.downloadAs'), run: () => openDialog(editor, 'download') },
    role.canPrint && {
      label: t('toolbar.print'),
      run: () => editor.print(),
      shortcut: shownShortcut('Mod-p'),
    },
    ...(role.canPrint ? printing : []),
    'separator',
    can.canRename && role.canEdit && { label: t('toolbar.rename'), run: () => openDialog(editor, 'rename') },
    ...own,
    can.canUseHistory && { label: t('toolbar.history'), run: () => host.send('onRequestHistory') },
    ...sharingEntries(editor),
    'separator',
    ...otherDocumentEntries(editor),
    'separator',
    can.canRequestClose && { label: t('toolbar.close'), run: () => editor.requestClose() },
  ];
  return withoutLooseSeparators(entries.filter((entry) => entry !== false));
}

function withoutLooseSeparators(entries: readonly MenuEntry[]): MenuEntry[] {
  const kept = entries.filter((entry, index) => entry !== 'separator' || entries[index - 1] !== 'separator');
  if (kept[0] === 'separator') kept.shift();
  if (kept.at(-1) === 'separator') kept.pop();
  return kept;
}

/** Other documents: a new one, one from a template of the embedding page, and those that were open lately. */
function otherDocumentEntries({ host, config }: DocumentEditor): (MenuEntry | false)[] {
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
export function sharingEntries(editor: DocumentEditor): (MenuEntry | false)[] {
  const { host, facts, config } = editor;
  return [
    config.editorConfig.canRequestSharingSettings && {
      label: t('toolbar.share'),
      run: () => host.send('onRequestSharingSettings'),
    },
    facts.sharing.value.length > 0 && {
      label: t('host.access'),
      run: () => openDialog(editor, 'sharing'),
    },
  ];
}

/** The embedding page's own address for opinions. */
export function feedbackEntries({ config }: DocumentEditor): MenuEntry[] {
  const { visible, url } = config.editorConfig.customization.feedback;
  return visible && url !== undefined ? [{ label: t('host.feedback'), run: () => openPage(url) }] : [];
}

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

/** How the document is shown, and what stands beside it. `panels`: names and labels of those that this person may see. */
export function viewEntries(
  editor: CoeditedDocument,
  panels: readonly (readonly [name: string, label: string])[],
): MenuEntry[] {
  const panel = ([name, label]: readonly [string, string]): MenuEntry => ({
    label,
    checked: editor.panel.value === name,
    run: () => togglePanel(editor, name),
  });
  return [
    ...panels.map(panel),
    'separator',
    ...zooms.map(
      (zoom): MenuEntry => ({
        label: new Intl.NumberFormat(undefined, { style: 'percent' }).format(zoom),
        checked: editor.zoom.value === zoom,
        run: () => {
          editor.zoom.value = zoom;
        },
      }),
    ),
    'separator',
    ...themeEntries(),
    'separator',
    ...(editor.role.canEdit ? [toolbarEntry(editor)] : []),
    {
      label: t('toolbar.fullScreen'),
      checked: document.fullscreenElement !== null,
      run: () => void toggleFullScreen(),
    },
  ];
}

const themes: readonly ThemeChoice[] = ['system', 'light', 'dark', 'contrast'];

/** How light the page is. */
export function themeEntries(): MenuEntry[] {
  return themes.map((theme) => ({
    label: t(`toolbar.theme_${theme as 'light'}`),
    checked: themeChoice.value === theme,
    run: () => chooseTheme(theme),
  }));
}

const toolbarEntry = ({ toolbarShown }: CoeditedDocument): MenuEntry => ({
  label: t('host.toolbar'),
  checked: toolbarShown.value,
  run: () => {
    toolbarShown.value = !toolbarShown.value;
  },
});

/** How this person's changes and those of others meet. */
export function coeditingEntries({ session, role }: CoeditedDocument): MenuEntry[] {
  const entry = (mode: EditingMode): MenuEntry => ({
    label: t(`together.${mode}`),
    checked: session.mode === mode,
    disabled: !role.canEdit || !role.mayChangeCoEditingMode,
    run: () => session.setMode(mode),
  });
  return [entry('fast'), entry('strict')];
}

async function toggleFullScreen(): Promise<void> {
  if (document.fullscreenElement) return document.exitFullscreen();
  // A frame whose page does not allow it is refused; there is nothing to be done about that here.
  return document.documentElement.requestFullscreen().catch(() => undefined);
}
