import { visibleSheets } from '../../../model/cell/workbook.ts';
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
import type { CellEditor, PanelName } from '../cell-editor.ts';
import { unhideSheet } from '../commands/sheets.ts';
import { askForLink } from '../host/action-link.ts';
import { clipboardEntries, type EntryName, entriesOf } from './entries.ts';
import { isLeft } from './left-open.ts';

type Entries = EntriesOf<CellEditor>;

const named =
  (...names: EntryName[]): Entries =>
  (editor) =>
    entriesOf(editor, names);

function fileMenu(editor: CellEditor): MenuEntry[] {
  const { comparison } = editor;
  const compare = { label: t('compare.menu'), run: () => comparison.ask() };
  const printAll = {
    label: t('sheet.printAll'),
    run: () => void editor.wishFor('pdf').then((wish) => editor.print(wish)),
  };
  const isOneOfSeveral = visibleSheets(editor.page.workbook.value).length > 1;
  return fileEntries(editor, comparison.isPossible ? [compare] : [], isOneOfSeveral ? [printAll] : []);
}

const insertMenu = named(
  'rowsAbove',
  'rowsBelow',
  'columnsBefore',
  'columnsAfter',
  '-',
  'insertCellsDown',
  'insertCellsRight',
  'insertCopied',
  'insertCopiedRight',
  '-',
  'sumUp',
  'function',
  'pasteName',
  'insertChart',
  'picture',
  'link',
  'comment',
  'addSheet',
);

/** Links that the embedding page can make to places in the workbook. */
const linkEntries = (editor: CellEditor): MenuEntry[] =>
  editor.config.editorConfig.canMakeActionLink
    ? [{ label: t('host.copyLink'), run: () => askForLink(editor) }]
    : [];

const viewMenu = (editor: CellEditor): MenuEntry[] => [
  ...viewEntries(editor, panels(editor)),
  'separator',
  ...entriesOf(editor, ['freeze', 'freezeRow', 'freezeColumn', 'gridlines', 'showFormulas', 'rightToLeft']),
];

/** The panels that this person may see, with their names. */
function panels({ config, role }: CellEditor): (readonly [PanelName, string])[] {
  const all: (readonly [PanelName, string, boolean])[] = [
    ['comments', t('toolbar.comments'), config.editorConfig.customization.comments],
    ['participants', t('toolbar.participants'), true],
    ['chat', t('toolbar.chat'), role.canChat],
  ];
  return all.filter(([, , shown]) => shown).map(([name, label]) => [name, label]);
}

export const numberFormats: readonly EntryName[] = [
  'general',
  'number',
  'currency',
  'accounting',
  'percent',
  'fraction',
  'scientific',
  '-',
  'date',
  'time',
  'dateTime',
  'duration',
  '-',
  'plainText',
  '-',
  'numberFormat',
];

export const borders: readonly EntryName[] = [
  'bordersAll',
  'bordersOuter',
  'bordersThick',
  'bordersInner',
  '-',
  'borderTop',
  'borderBottom',
  'borderLeft',
  'borderRight',
  '-',
  'bordersNone',
  '-',
  'borders',
];

/** What can be done with the sheet that is shown, and those that are hidden. */
export function sheetEntries(editor: CellEditor): MenuEntry[] {
  const { sheets } = editor.page.workbook.value;
  const hidden = sheets.filter(
    (sheet) =>
      !visibleSheets(editor.page.workbook.value).includes(sheet) && sheet.properties.state !== 'veryHidden',
  );
  return [
    ...entriesOf(editor, [
      'addSheet',
      'renameSheet',
      'tabColor',
      'copySheet',
      'removeSheet',
      '-',
      'hideSheet',
      'sheetBefore',
      'sheetAfter',
    ]),
    ...(hidden.length > 0 ? (['separator'] as const) : []),
    ...hidden.map(({ id, properties }) => ({
      label: t('sheet.showSheet', { name: properties.name }),
      disabled: !editor.canEdit || !isLeft(editor, 'hideSheet'),
      run: () => void unhideSheet(editor, id),
    })),
  ];
}

const groupEntries: readonly EntryName[] = [
  ...([
    '-',
    'groupRows',
    'ungroupRows',
    'groupColumns',
    'ungroupColumns',
    'closeGroup',
    'openGroup',
  ] as const),
  ...(['sumsAbove', 'sumsLeft'] as const),
];

/** What is said of cells and sheets beside what they hold. */
const ruleEntries: readonly EntryName[] = [
  '-',
  'sortBy',
  'duplicates',
  'splitText',
  '-',
  'table',
  'conditions',
  'validation',
  'circleWrong',
  'names',
  'links',
  '-',
  'page',
  'pageBreak',
  'removeBreaks',
  'protectSheet',
  'protectBook',
];

const allMenus: KindMenus<CellEditor> = [
  ['toolbar.file', fileMenu],
  [
    'toolbar.edit',
    named(
      ...(['undo', 'redo', '-'] as const),
      ...clipboardEntries,
      ...(['-', 'selectAll', 'selectRows', 'selectColumns', 'selectVisible'] as const),
      ...(['selectRead', 'selectReaders', '-'] as const),
      ...(['fillDown', 'fillRight', 'clearContents', '-', 'find', 'nextDrawing'] as const),
    ),
  ],
  ['toolbar.view', viewMenu],
  [
    'toolbar.insert',
    (editor) => [...insertMenu(editor), ...hostPictureEntries(editor), ...linkEntries(editor)],
  ],
  [
    'toolbar.format',
    named(
      ...([
        'bold',
        'italic',
        'underline',
        'strike',
        '-',
        'alignLeft',
        'alignCenter',
        'alignRight',
        '-',
      ] as const),
      ...([
        'alignTop',
        'alignMiddle',
        'alignBottom',
        '-',
        'wrap',
        'merge',
        '-',
        'turnUp',
        'turnDown',
        'turnBack',
        '-',
        'indent',
        'outdent',
        '-',
      ] as const),
      ...([
        'numberFormat',
        'moreDecimals',
        'fewerDecimals',
        '-',
        'rowHeight',
        'columnWidth',
        'fitRows',
        'fitColumns',
      ] as const),
      ...(['-', 'lockCells', 'hideFormulas', '-', 'paintFormat', 'clearFormats'] as const),
    ),
  ],
  [
    'sheet.data',
    named(
      ...([
        'sortRising',
        'sortFalling',
        'filter',
        'filterAgain',
        '-',
        'deleteRows',
        'deleteColumns',
        'deleteCellsUp',
      ] as const),
      ...(['deleteCellsLeft', '-', 'hideRows', 'showRows', 'hideColumns', 'showColumns'] as const),
      ...groupEntries,
      ...ruleEntries,
    ),
  ],
  ['sheet.sheet', sheetEntries],
  ['toolbar.together', coeditingEntries],
  ['toolbar.help', (editor) => [...entriesOf(editor, ['shortcuts']), ...feedbackEntries(editor)]],
];

export const menus = (editor: CellEditor): BarMenu[] => barMenus(editor, allMenus);

export const compactMenu = (editor: CellEditor): MenuEntry[] => compactEntries(editor, fileMenu, viewMenu);
