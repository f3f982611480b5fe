import { MenuButton, type MenuEntry } from '../../kit/menu.tsx';
import { Toolbar } from '../../kit/toolbar.tsx';
import { type StringKey, t } from '../../strings/strings.ts';
import type { WordEditor } from '../word-editor.ts';
import { type EntryName, entriesOf } from './entries.ts';
import { fileEntries, togetherEntries, viewEntries } from './page-entries.ts';

type Entries = (editor: WordEditor) => readonly MenuEntry[];

const named =
  (...names: EntryName[]): Entries =>
  (editor) =>
    entriesOf(editor, names);

const menus: readonly (readonly [label: StringKey, entries: Entries])[] = [
  ['toolbar.file', fileEntries],
  ['toolbar.edit', named('undo', 'redo', '-', 'selectAll', '-', 'find')],
  ['toolbar.view', viewEntries],
  ['toolbar.insert', named('link', 'picture', 'table', '-', 'lineBreak', 'pageBreak')],
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
      'spacing',
      'direction',
      '-',
      'removeLink',
      'clearFormatting',
    ),
  ],
  [
    'toolbar.table',
    named(
      'table',
      '-',
      'rowAbove',
      'rowBelow',
      'columnBefore',
      'columnAfter',
      '-',
      'mergeCells',
      'splitCell',
      'headerRow',
      'cellShading',
      '-',
      'deleteRow',
      'deleteColumn',
      'deleteTable',
    ),
  ],
  ['toolbar.together', togetherEntries],
  ['toolbar.help', named('shortcuts', 'wordCount')],
];

/** Everything that can be done, by name. */
export function MenuBar({ editor }: { editor: WordEditor }) {
  return (
    <Toolbar label={t('toolbar.menus')} class="menu-bar" onEscape={() => editor.view?.focus()}>
      {menus.map(([label, entries]) => (
        <MenuButton key={label} label={t(label)} entries={() => entries(editor)}>
          {t(label)}
        </MenuButton>
      ))}
    </Toolbar>
  );
}
