import type { EditingMode } from '../../../client/word/word-session.ts';
import type { MenuEntry } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import { chooseTheme, type ThemeChoice, themeChoice } from '../../theme/theme.ts';
import { beginLifting, mayLift } from '../../word/protection/protection-notice.ts';
import type { PanelName, WordEditor } from '../../word/word-editor.ts';
import { download, saveCopy } from '../download.ts';
import { otherDocumentEntries, sharingEntries } from '../host/host-entries.ts';
import { requestClose } from '../host/request-close.ts';
import { saveNow } from '../saving/save-now.ts';
import { shownShortcut } from '../shortcuts.ts';

/** What concerns the document as a whole. What the embedding page does is offered only if it said that it can. */
export function fileEntries(editor: WordEditor): MenuEntry[] {
  const { host, role } = editor;
  const can = editor.config.editorConfig;
  const rename = () => {
    editor.dialog.value = 'rename';
  };
  const chooseFormat = () => {
    editor.dialog.value = 'download';
  };
  const entries: (MenuEntry | false)[] = [
    role.canEdit && {
      label: t('toolbar.save'),
      run: () => void saveNow(editor),
      shortcut: shownShortcut('Mod-s'),
    },
    can.canRequestSaveAs &&
      role.canDownload && { label: t('toolbar.saveCopy'), run: () => void saveCopy(editor) },
    role.canDownload && { label: t('toolbar.download'), run: () => void download(editor) },
    role.canDownload && { label: t('toolbar.downloadAs'), run: chooseFormat },
    role.canPrint && {
      label: t('toolbar.print'),
      run: () => editor.print(),
      shortcut: shownShortcut('Mod-p'),
    },
    'separator',
    can.canRename && role.canEdit && { label: t('toolbar.rename'), run: rename },
    mayLift(editor) && { label: t('protection.lift'), run: () => beginLifting(editor) },
    can.canUseHistory && { label: t('toolbar.history'), run: () => host.send('onRequestHistory') },
    ...sharingEntries(editor),
    'separator',
    ...otherDocumentEntries(editor),
    'separator',
    can.canRequestClose && { label: t('toolbar.close'), run: () => void requestClose(editor) },
  ];
  return withoutLooseSeparators(entries.filter((entry) => entry !== false));
}

function withoutLooseSeparators(entries: readonly MenuEntry[]): MenuEntry[] {
  const kept = entries.filter((entry, index) => entry !== 'separator' || entries[index - 1] !== 'separator');
  if (kept[0] === 'separator') kept.shift();
  if (kept.at(-1) === 'separator') kept.pop();
  return kept;
}

const themes: readonly ThemeChoice[] = ['system', 'light', 'dark', 'contrast'];
const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

/** How the document is shown, and what stands beside it. */
export function viewEntries(editor: WordEditor): MenuEntry[] {
  const panel = (name: PanelName, label: string): MenuEntry => ({
    label,
    checked: editor.panel.value === name,
    run: () => editor.togglePanel(name),
  });
  return [
    ...panels(editor).map(([name, label]) => panel(name, label)),
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
    ...themes.map(
      (theme): MenuEntry => ({
        label: t(`toolbar.theme_${theme as 'light'}`),
        checked: themeChoice.value === theme,
        run: () => chooseTheme(theme),
      }),
    ),
    'separator',
    ...(editor.role.canEdit ? [toolbarEntry(editor)] : []),
    {
      label: t('toolbar.fullScreen'),
      checked: document.fullscreenElement !== null,
      run: () => void toggleFullScreen(),
    },
  ];
}

const toolbarEntry = ({ toolbarShown }: WordEditor): MenuEntry => ({
  label: t('host.toolbar'),
  checked: toolbarShown.value,
  run: () => {
    toolbarShown.value = !toolbarShown.value;
  },
});

/** How this person's changes and those of others meet. */
export function togetherEntries({ session, role }: WordEditor): MenuEntry[] {
  const entry = (mode: EditingMode): MenuEntry => ({
    label: t(`together.${mode}`),
    checked: session.mode === mode,
    disabled: !role.canEdit || !role.mayChangeCoEditingMode,
    run: () => session.setMode(mode),
  });
  return [entry('fast'), entry('strict')];
}

/** The panels that this person may see, with their names. */
export function panels(editor: WordEditor): (readonly [PanelName, string])[] {
  const all: (readonly [PanelName, string, boolean])[] = [
    ['outline', t('toolbar.outline'), true],
    ['comments', t('toolbar.comments'), editor.config.editorConfig.customization.comments],
    ['changes', t('toolbar.changes'), true],
    ['participants', t('toolbar.participants'), true],
    ['chat', t('toolbar.chat'), editor.role.canChat],
  ];
  return all.filter(([, , shown]) => shown).map(([name, label]) => [name, label]);
}

async function toggleFullScreen(): Promise<void> {
  if (document.fullscreenElement) return document.exitFullscreen();
  // A frame whose page does not allow it is refused; there is nothing to be done about that here.
  return document.documentElement.requestFullscreen().catch(() => undefined);
}
