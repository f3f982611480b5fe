import { MenuButton, type MenuEntry } from '../../kit/menu.tsx';
import { Toolbar } from '../../kit/toolbar.tsx';
import { fileEntries, togetherEntries, viewEntries } from '../../shell/bars/page-entries.ts';
import { feedbackEntries, insertionEntries } from '../../shell/host/host-entries.ts';
import { type StringKey, t } from '../../strings/strings.ts';
import { reviewEntries } from '../review/review-entries.ts';
import type { WordEditor } from '../word-editor.ts';
import { type EntryName, entriesOf, tableEntries } from './entries.ts';

type Entries = (editor: WordEditor) => readonly MenuEntry[];

const named =
  (...names: EntryName[]): Entries =>
  (editor) =>
    entriesOf(editor, names);

const menus: readonly (readonly [label: StringKey, entries: Entries])[] = [
  ['toolbar.file', fileEntries],
  ['toolbar.edit', named('undo', 'redo', '-', 'selectAll', '-', 'find')],
  ['toolbar.view', viewEntries],
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
  ['toolbar.together', togetherEntries],
  [
    'toolbar.help',
    (editor) => [...entriesOf(editor, ['shortcuts', 'wordCount']), ...feedbackEntries(editor)],
  ],
];

/** Without help where the embedding page has its own. */
const menusOf = ({ config }: WordEditor) =>
  menus.filter(([label]) => label !== 'toolbar.help' || config.editorConfig.customization.help);

/** One goes on typing after having chosen something, and what the entry opens gives the focus back to the text. */
function fromText(editor: WordEditor, entry: MenuEntry): MenuEntry {
  if (entry === 'separator') return entry;
  const run = () => {
    editor.view?.focus();
    entry.run();
  };
  return { ...entry, run };
}

/** Everything that can be done, by name. */
export function MenuBar({ editor }: { editor: WordEditor }) {
  return (
    <Toolbar label={t('toolbar.menus')} class="menu-bar" onEscape={() => editor.view?.focus()}>
      {menusOf(editor).map(([label, entries]) => (
        <MenuButton
          key={label}
          label={t(label)}
          entries={() => entries(editor).map((entry) => fromText(editor, entry))}
        >
          {t(label)}
        </MenuButton>
      ))}
    </Toolbar>
  );
}
