import {
  followKeys,
  type KeyBindings,
  keyHandler,
  dialogKeys as sharedDialogKeys,
  sharedKeys,
} from '../../shell/actions.ts';
import type { Shortcut } from '../../shell/dialogs/shortcuts-dialog.tsx';
import { openDialog, togglePanel } from '../../shell/document-editor.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor, DialogName } from '../cell-editor.ts';
import { pasteFramed } from '../clipboard/clipboard-actions.ts';
import { endFrame } from '../clipboard/copied-frame.ts';
import { beginComment } from '../comments/comment-actions.ts';
import { picksReferences, turnReference, typed } from '../editing/cell-editing.ts';
import { pickedSelection, pickSelection } from '../editing/picking.ts';
import { rangeOf } from '../grid/cell-range.ts';
import {
  advance,
  type Direction,
  extend,
  extendByJump,
  extendTo,
  isWithinOneCell,
  jump,
  move,
  page,
  type Selection,
  selectCell,
  type Terrain,
} from '../grid/selection.ts';
import { type Action, actions } from './actions.ts';
import { cancel, commit, editActive, typeOver } from './entering.ts';
import { EntryRun } from './entry-run.ts';
import { paintSelection } from './format-painter.ts';
import { stepSheet } from './sheets.ts';
import { deleteSelected, insertSelected } from './structure.ts';

const arrows: readonly (readonly [key: string, direction: Direction])[] = [
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
];

/** Left and right as they are seen: the next column is at the left in a sheet from right to left. */
function seen(editor: CellEditor, direction: Direction): Direction {
  if (!editor.view.peek().isRightToLeft) return direction;
  return direction === 'left' ? 'right' : direction === 'right' ? 'left' : direction;
}

const entryRuns = new WeakMap<CellEditor, EntryRun>();

/** What Tab and Enter do once what was typed is in its cell. */
function goOn(editor: CellEditor, direction: Direction): void {
  const run = entryRuns.get(editor) ?? new EntryRun();
  entryRuns.set(editor, run);
  const sheet = editor.view.peek();
  const before = editor.selection.peek();
  const isAlone = before.ranges.length === 1 && isWithinOneCell(sheet, before.ranges[0]!, before.active);
  const from = direction === 'down' && isAlone ? selectCell(sheet, run.startOf(before.active)) : before;
  const after = advance(sheet, from, direction);
  editor.select(after);
  editor.grid?.reveal(after.active);
  if (isAlone && (direction === 'right' || direction === 'left')) run.passed(before.active, after.active);
}

/** Keys while nothing is typed into a cell. */
export function movingKeys(editor: CellEditor): (event: KeyboardEvent) => boolean {
  const sheet = () => editor.view.peek();
  const selection = () => editor.selection.peek();
  const done = (run: () => void) => () => {
    run();
    return true;
  };
  const bindings: Record<string, () => boolean> = {};
  for (const [key, direction] of arrows) {
    const to = () => seen(editor, direction);
    bindings[key] = done(() => editor.select(move(sheet(), selection(), to())));
    bindings[`Shift-${key}`] = done(() => editor.select(extend(sheet(), selection(), to())));
    bindings[`Mod-${key}`] = done(() => editor.select(jump(sheet(), selection(), to())));
    bindings[`Mod-Shift-${key}`] = done(() => editor.select(extendByJump(sheet(), selection(), to())));
  }
  const pages = (key: string, rows: 1 | 0 | -1, columns: 1 | 0 | -1, shift: string) => {
    const to = () => {
      const size = editor.grid?.pageSize ?? { rows: 20, columns: 8 };
      return { rows: rows * size.rows, columns: columns * size.columns };
    };
    bindings[key] = done(() => {
      const { rows: down, columns: across } = to();
      const { x, y } = editor.grid?.place ?? { x: 0, y: 0 };
      const before = editor.grid?.rectOfCell(selection().active);
      editor.select(page(sheet(), selection(), down, across));
      // The sheet goes on by what the cell has gone on, so that the cell stays where it is on the screen.
      const after = editor.grid?.layout.rectsOf(rangeOf(selection().active))[0]?.rect;
      if (before && after && editor.grid) {
        const moved = editor.grid.place;
        editor.grid.scrollTo({ x: moved.x + after.x - before.x, y: moved.y + after.y - before.y });
        if (x === editor.grid.place.x && y === editor.grid.place.y) editor.grid.reveal(selection().active);
      }
    });
    bindings[shift] = done(() => {
      const { rows: down, columns: across } = to();
      const { head } = page(sheet(), { ...selection(), active: selection().head }, down, across);
      editor.select(extendTo(sheet(), selection(), head));
    });
  };
  pages('PageDown', 1, 0, 'Shift-PageDown');
  pages('PageUp', -1, 0, 'Shift-PageUp');
  pages('Alt-PageDown', 0, 1, 'Alt-Shift-PageDown');
  pages('Alt-PageUp', 0, -1, 'Alt-Shift-PageUp');
  const firstColumn = () => sheet().frozenColumns;
  const home = () => ({ row: selection().active.row, column: firstColumn() });
  const start = () => ({ row: sheet().frozenRows, column: firstColumn() });
  const end = () => ({ row: sheet().used?.bottom ?? 0, column: sheet().used?.right ?? 0 });
  const lastInRow = () => {
    const { row } = selection().active;
    return { row, column: sheet().used?.right ?? 0 };
  };
  const goes = (key: string, to: () => { row: number; column: number }) => {
    bindings[key] = done(() => editor.select(selectCell(sheet(), to())));
    const [modifier, name] = key.includes('-') ? key.split('-') : ['', key];
    const shifted = modifier ? `${modifier}-Shift-${name}` : `Shift-${name}`;
    bindings[shifted] = done(() => editor.select(extendTo(sheet(), selection(), to())));
  };
  goes('Home', home);
  goes('End', lastInRow);
  goes('Mod-Home', start);
  goes('Mod-End', end);
  const advances = (key: string, direction: Direction) => {
    bindings[key] = done(() => goOn(editor, direction));
  };
  advances('Tab', 'right');
  advances('Shift-Tab', 'left');
  advances('Enter', 'down');
  advances('Shift-Enter', 'up');
  bindings.F2 = done(() => editActive(editor));
  const goesOn = bindings.Enter!;
  // By keys, what is selected is painted by Enter, and gets what was copied.
  bindings.Enter = () => paintSelection(editor) || pasteFramed(editor) || goesOn();
  bindings.Escape = done(() => {
    endFrame(editor);
    editor.painter.value = null;
    editor.found.value = [];
    editor.wrong.value = [];
  });
  bindings['Mod-Shift-v'] = () => false;
  bindings['Ctrl-PageDown'] = done(() => stepSheet(editor, 1));
  bindings['Ctrl-PageUp'] = done(() => stepSheet(editor, -1));
  bindings['Shift-F2'] = done(() => beginComment(editor));
  bindings['Mod-Alt-m'] = bindings['Shift-F2'];
  bindings['Ctrl-;'] = done(() => typeOver(editor, today(editor)));
  bindings['Ctrl-Shift-;'] = done(() => typeOver(editor, now()));
  for (const { keys = [], run, edits } of Object.values<Action>(actions)) {
    for (const key of keys) {
      bindings[key] = done(() => {
        if (!edits || editor.canEdit) run(editor);
      });
    }
  }
  // The keys of rows, and of cells, put in and take out columns where whole columns are selected.
  const ofLines = (key: string, run: () => boolean) => {
    bindings[key] = done(() => editor.canEdit && run());
  };
  ofLines('Ctrl-Alt-=', () => insertSelected(editor, 'rows'));
  ofLines('Ctrl-Alt--', () => deleteSelected(editor, 'rows'));
  for (const key of ['Ctrl-Shift-=', 'Ctrl-+']) ofLines(key, () => insertSelected(editor, 'cells'));
  ofLines('Ctrl--', () => deleteSelected(editor, 'cells'));
  return keyHandler(bindings);
}

const today = (editor: CellEditor): string => new Date().toLocaleDateString(editor.settings.locale);
const now = (): string => new Date().toTimeString().slice(0, 5);

/** Keys while something is typed into a cell, in the cell or in the bar above. */
export function editingKeys(editor: CellEditor): (event: KeyboardEvent) => boolean {
  const go =
    (direction: Direction | null, toAll = false) =>
    () => {
      const then = () => {
        if (direction) goOn(editor, direction);
        editor.focus();
      };
      if (commit(editor, { toAll, then })) then();
      return true;
    };
  const bindings: Record<string, () => boolean> = {
    Enter: go('down'),
    'Shift-Enter': go('up'),
    Tab: go('right'),
    'Shift-Tab': go('left'),
    'Mod-Enter': go(null, true),
    Escape: () => {
      cancel(editor);
      editor.focus();
      return true;
    },
    'Alt-Enter': () => {
      const editing = editor.editing.peek();
      if (!editing) return false;
      const text = `${editing.text.slice(0, editing.from)}\n${editing.text.slice(editing.to)}`;
      editor.editing.value = { ...typed(editing, text, editing.from + 1), mode: 'editing' };
      return true;
    },
    F4: () => {
      const editing = editor.editing.peek();
      if (editing) editor.editing.value = turnReference(editing);
      return true;
    },
    F2: () => {
      const editing = editor.editing.peek();
      if (editing)
        editor.editing.value = { ...editing, mode: editing.mode === 'typing' ? 'editing' : 'typing' };
      return true;
    },
  };
  /** Picks a reference by a key; false while arrows move in the text. */
  const picks = (to: (sheet: Terrain, from: Selection) => Selection) => () => {
    const editing = editor.editing.peek();
    if (editing?.place !== 'cell' || editing.mode !== 'typing' || !picksReferences(editing)) return false;
    const { shown } = editor;
    const selection = to(shown.terrain, pickedSelection(editing, shown));
    editor.editing.value = pickSelection(editing, shown, selection);
    editor.grid?.reveal(selection.head);
    return true;
  };
  for (const [key, direction] of arrows) {
    const to = () => seen(editor, direction);
    const picksNext = picks((sheet, from) => move(sheet, from, to()));
    bindings[key] = () => {
      const editing = editor.editing.peek();
      if (editing?.place !== 'cell' || editing.mode !== 'typing') return false;
      const then = () => editor.select(move(editor.view.peek(), editor.selection.peek(), to()));
      if (!picksNext() && commit(editor, { then })) then();
      return true;
    };
    bindings[`Shift-${key}`] = picks((sheet, from) => extend(sheet, from, to()));
    bindings[`Mod-${key}`] = picks((sheet, from) => jump(sheet, from, to()));
    bindings[`Mod-Shift-${key}`] = picks((sheet, from) => extendByJump(sheet, from, to()));
  }
  for (const [key, sign] of [
    ['PageDown', 1],
    ['PageUp', -1],
  ] as const) {
    const rows = () => sign * (editor.grid?.pageSize.rows ?? 20);
    bindings[key] = picks((sheet, from) => page(sheet, from, rows(), 0));
    bindings[`Shift-${key}`] = picks((sheet, from) =>
      extendTo(sheet, from, page(sheet, { ...from, active: from.head }, rows(), 0).head),
    );
    bindings[`Ctrl-${key}`] = () => {
      const editing = editor.editing.peek();
      if (!editing || !picksReferences(editing)) return false;
      stepSheet(editor, sign);
      return true;
    };
  }
  return keyHandler(bindings);
}

/** Keys that open dialogs. */
export const dialogKeys: Readonly<Partial<Record<DialogName, string>>> = {
  ...sharedDialogKeys,
  link: 'Mod-k',
  numberFormat: 'Ctrl-1',
  pasteSpecial: 'Mod-Alt-v',
  table: 'Ctrl-t',
  function: 'Shift-F3',
};

/** Has the field with the name of what is selected take another one. */
const goToKeys = 'Mod-g';

/** Keys that work wherever the focus is: also the way from the cells to the toolbar. */
export function pageKeys(editor: CellEditor): () => void {
  const dialog = (name: DialogName): KeyBindings => ({
    [dialogKeys[name]!]: () => {
      if (editor.canEdit) editor.dialog.value = name;
      return true;
    },
  });
  return followKeys({
    ...sharedKeys(editor),
    'Mod-h': () => {
      openDialog(editor, 'find');
      return true;
    },
    ...dialog('link'),
    ...dialog('numberFormat'),
    ...dialog('pasteSpecial'),
    ...dialog('table'),
    ...dialog('function'),
    [goToKeys]: () => {
      document.querySelector<HTMLInputElement>('.name-box')?.select();
      return true;
    },
    'Alt-F10': () => {
      document.querySelector<HTMLElement>('.format-toolbar [tabindex="0"]')?.focus();
      return true;
    },
    'Mod-Shift-h': () => {
      togglePanel(editor, 'comments');
      return true;
    },
  });
}

/** What keys do in a workbook, in words. */
export function shortcuts(): Shortcut[] {
  const ofActions = Object.values<Action>(actions)
    .filter(({ keys }) => keys?.length)
    .map(({ label, keys = [] }) => ({ label: t(label), keys }));
  return [
    { label: t('sheet.keyEdit'), keys: ['F2'] },
    { label: t('sheet.keyLine'), keys: ['Alt-Enter'] },
    { label: t('sheet.keyAll'), keys: ['Mod-Enter'] },
    { label: t('sheet.keyAbsolute'), keys: ['F4'] },
    { label: t('sheet.keyJump'), keys: ['Mod-ArrowDown'] },
    { label: t('sheet.keySheets'), keys: ['Ctrl-PageUp', 'Ctrl-PageDown'] },
    { label: t('sheet.keyToday'), keys: ['Ctrl-;'] },
    { label: t('sheet.keyList'), keys: ['Alt-ArrowDown'] },
    { label: t('sheet.goTo'), keys: [goToKeys] },
    { label: t('sheet.numberFormat'), keys: [dialogKeys.numberFormat!] },
    { label: t('pasting.special'), keys: [dialogKeys.pasteSpecial!] },
    { label: t('toolbar.link'), keys: [dialogKeys.link!] },
    { label: t('sheet.insertFunction'), keys: [dialogKeys.function!] },
    { label: t('review.comment'), keys: ['Shift-F2'] },
    { label: t('dialogs.leaveText'), keys: ['Alt-F10'] },
    { label: t('toolbar.contextMenu'), keys: ['Shift-F10'] },
    ...ofActions,
  ];
}
