import type { MenuEntry } from '../../kit/menu.tsx';
import type { BarMenu } from '../../shell/bars/menu-bar.tsx';
import {
  coeditingEntries,
  feedbackEntries,
  fileEntries,
  viewEntries,
} from '../../shell/bars/page-entries.ts';
import { barMenus, compactEntries, type EntriesOf, type KindMenus } from '../../shell/coedited/kind-menus.ts';
import { hostPictureEntries } from '../../shell/pictures/host-pictures.ts';
import { t } from '../../strings/strings.ts';
import { askForLink } from '../host/action-link.ts';
import { beginLifting, mayLift } from '../protection/protection-notice.ts';
import { reviewEntries } from '../review/review-entries.ts';
import type { PanelName, WordEditor } from '../word-editor.ts';
import { type EntryName, entriesOf, tableEntries } from './entries.ts';

type Entries = EntriesOf<WordEditor>;

const named =
  (...names: EntryName[]): Entries =>
  (editor) =>
    entriesOf(editor, names);

function fileMenu(editor: WordEditor): MenuEntry[] {
  const lift = { label: t('protection.lift'), run: () => beginLifting(editor) };
  return fileEntries(editor, mayLift(editor) ? [lift] : []);
}

const viewMenu = (editor: WordEditor): MenuEntry[] => viewEntries(editor, panels(editor));

/** The panels that this person may see, with their names. */
function panels({ config, role }: WordEditor): (readonly [PanelName, string])[] {
  const all: (readonly [PanelName, string, boolean])[] = [
    ['outline', t('toolbar.outline'), true],
    ['comments', t('toolbar.comments'), config.editorConfig.customization.comments],
    ['changes', t('toolbar.changes'), true],
    ['participants', t('toolbar.participants'), true],
    ['chat', t('toolbar.chat'), role.canChat],
  ];
  return all.filter(([, , shown]) => shown).map(([name, label]) => [name, label]);
}

/** What the embedding page can put into the document, and links that it can make to places in it. */
const insertionEntries = (editor: WordEditor): MenuEntry[] => [
  ...hostPictureEntries(editor),
  ...(editor.config.editorConfig.canMakeActionLink
    ? [{ label: t('host.copyLink'), run: () => askForLink(editor) }]
    : []),
];

const allMenus: KindMenus<WordEditor> = [
  ['toolbar.file', fileMenu],
  ['toolbar.edit', named('undo', 'redo', '-', 'selectAll', '-', 'find')],
  ['toolbar.view', viewMenu],
  [
    'toolbar.insert',
    (editor) => [
      ...entriesOf(editor, ['link', 'picture', 'table', '-', 'lineBreak', 'pageBreak']),
      ...insertionEntries(editor),
    ],
  ],
  [
    'toolbar.format',
    named(
      'bold',
      'italic',
      'underline',
      'strike',
      'superscript',
      'subscript',
      '-',
      'grow',
      'shrink',
      '-',
      'alignLeft',
      'alignCenter',
      'alignRight',
      'justify',
      'spacing',
      'direction',
      '-',
      'bullets',
      'numbers',
      'outline',
      'letters',
      'romans',
      'indent',
      'outdent',
      '-',
      'pictureProperties',
      'removeLink',
      'clearFormatting',
    ),
  ],
  ['toolbar.table', named('table', ...tableEntries)],
  ['review.menu', reviewEntries],
  ['toolbar.together', coeditingEntries],
  [
    'toolbar.help',
    (editor) => [...entriesOf(editor, ['shortcuts', 'wordCount']), ...feedbackEntries(editor)],
  ],
];

export const menus = (editor: WordEditor): BarMenu[] => barMenus(editor, allMenus);

export const compactMenu = (editor: WordEditor): MenuEntry[] => compactEntries(editor, fileMenu, viewMenu);
