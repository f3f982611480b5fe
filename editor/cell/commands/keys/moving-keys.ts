import { type KeyBindings, keyHandler } from '../../../shell/actions.ts';
import type { CellEditor } from '../../cell-editor.ts';
import { pasteFramed } from '../../clipboard/clipboard-actions.ts';
import { beginComment } from '../../comments/comment-actions.ts';
import { type CellPosition, rangeOf } from '../../grid/cell-areas.ts';
import {
  extend,
  extendByJump,
  extendTo,
  jump,
  move,
  nextCorner,
  page,
  regionAround,
  type Selection,
  selectCell,
  selectRange,
  type Terrain,
} from '../../grid/selection.ts';
import { type Action, actions } from '../actions.ts';
import { editActive, typeOver } from '../entering.ts';
import { paintSelection } from '../format-painter.ts';
import { insertSelected } from '../inserting.ts';
import { repeatLast } from '../repeating.ts';
import { stepSheet } from '../sheets.ts';
import { deleteSelected } from '../structure.ts';
import { arrows, seen } from './directions.ts';
import { goOn } from './going-on.ts';
import { now, today } from './moments.ts';

/** Keys while nothing is typed into a cell. */
export function movingKeys(editor: CellEditor): (event: KeyboardEvent) => boolean {
  return keyHandler({
    ...arrowKeys(editor),
    ...pagingKeys(editor),
    ...endKeys(editor),
    ...passingKeys(editor),
    ...enteringKeys(editor),
    ...actionKeys(editor),
    ...lineKeys(editor),
  });
}

/** A key that is taken, whatever comes of it. */
const done = (run: () => unknown) => (): boolean => {
  run();
  return true;
};

/** A key that selects something else, as seen from what is selected. */
const selects = (editor: CellEditor, to: (sheet: Terrain, from: Selection) => Selection) =>
  done(() => editor.select(to(editor.page.view.peek(), editor.selection.peek())));

/** To the next cells, with Ctrl to the last of several. */
function arrowKeys(editor: CellEditor): KeyBindings {
  const bindings: Record<string, () => boolean> = {};
  for (const [key, direction] of arrows) {
    const to = () => seen(editor, direction);
    bindings[key] = selects(editor, (sheet, from) => move(sheet, from, to()));
    bindings[`Shift-${key}`] = selects(editor, (sheet, from) => extend(sheet, from, to()));
    bindings[`Mod-${key}`] = selects(editor, (sheet, from) => jump(sheet, from, to()));
    bindings[`Mod-Shift-${key}`] = selects(editor, (sheet, from) => extendByJump(sheet, from, to()));
  }
  return bindings;
}

type Step = 1 | 0 | -1;

/** By as much as is seen at once. */
function pagingKeys(editor: CellEditor): KeyBindings {
  const pages = (key: string, shift: string, down: Step, across: Step): KeyBindings => {
    const size = () => {
      const { rows, columns } = editor.grid?.pageSize ?? { rows: 20, columns: 8 };
      return [down * rows, across * columns] as const;
    };
    return {
      [key]: done(() => turnPage(editor, ...size())),
      [shift]: selects(editor, (sheet, from) =>
        extendTo(sheet, from, page(sheet, { ...from, active: from.head }, ...size()).head),
      ),
    };
  };
  return {
    ...pages('PageDown', 'Shift-PageDown', 1, 0),
    ...pages('PageUp', 'Shift-PageUp', -1, 0),
    ...pages('Alt-PageDown', 'Alt-Shift-PageDown', 0, 1),
    ...pages('Alt-PageUp', 'Alt-Shift-PageUp', 0, -1),
  };
}

function turnPage(editor: CellEditor, down: number, across: number): void {
  const { grid, selection } = editor;
  const { x, y } = grid?.place ?? { x: 0, y: 0 };
  const before = grid?.rectOfCell(selection.peek().active);
  editor.select(page(editor.page.view.peek(), selection.peek(), down, across));
  // The sheet goes on by what the cell has gone on, so that the cell stays where it is on the screen.
  const after = grid?.layout.rectsOf(rangeOf(selection.peek().active))[0]?.rect;
  if (!before || !after || !grid) return;
  const moved = grid.place;
  const ahead = grid.layout.turned(after).x - grid.layout.turned(before).x;
  grid.scrollTo({ x: moved.x + ahead, y: moved.y + after.y - before.y });
  if (x === grid.place.x && y === grid.place.y) grid.reveal(selection.peek().active);
}

/** To the ends of a row, and of what is used of the sheet. */
function endKeys(editor: CellEditor): KeyBindings {
  const sheet = () => editor.page.view.peek();
  const row = () => editor.selection.peek().active.row;
  const goes = (key: string, shift: string, to: () => CellPosition): KeyBindings => ({
    [key]: selects(editor, (terrain) => selectCell(terrain, to())),
    [shift]: selects(editor, (terrain, from) => extendTo(terrain, from, to())),
  });
  const firstColumn = () => sheet().frozenColumns;
  const lastColumn = () => sheet().used?.[3] ?? 0;
  return {
    ...goes('Home', 'Shift-Home', () => ({ row: row(), column: firstColumn() })),
    ...goes('End', 'Shift-End', () => ({ row: row(), column: lastColumn() })),
    ...goes('Mod-Home', 'Mod-Shift-Home', () => ({ row: sheet().frozenRows, column: firstColumn() })),
    ...goes('Mod-End', 'Mod-Shift-End', () => ({ row: sheet().used?.[2] ?? 0, column: lastColumn() })),
  };
}

/** From cell to cell within what is selected, to all that hangs together, and from sheet to sheet. */
const passingKeys = (editor: CellEditor): KeyBindings => ({
  'Ctrl-.': selects(editor, nextCorner),
  'Ctrl-*': done(() => {
    const sheet = editor.page.view.peek();
    const { active } = editor.selection.peek();
    editor.select(selectRange(sheet, regionAround(sheet, active), active), { reveals: false });
  }),
  Tab: done(() => goOn(editor, 'right')),
  'Shift-Tab': done(() => goOn(editor, 'left')),
  // By keys, what is selected is painted by Enter, and gets what was copied.
  Enter: done(() => {
    if (!paintSelection(editor) && !pasteFramed(editor)) goOn(editor, 'down');
  }),
  'Shift-Enter': done(() => goOn(editor, 'up')),
  Escape: done(() => {
    editor.clipboard.endFrame();
    editor.painter.value = null;
    editor.marks.clear();
  }),
  'Ctrl-PageDown': done(() => stepSheet(editor, 1)),
  'Ctrl-PageUp': done(() => stepSheet(editor, -1)),
});

/** Keys by which cells get something. */
function enteringKeys(editor: CellEditor): KeyBindings {
  const comments = done(() => beginComment(editor));
  return {
    F2: done(() => editActive(editor)),
    F4: done(() => editor.canEdit && repeatLast(editor)),
    'Mod-Shift-v': () => false,
    'Shift-F2': comments,
    'Mod-Alt-m': comments,
    // By the signs that keys type: where a layout has them with Shift, both are pressed with it.
    "Ctrl-'": done(() => typeAbove(editor, (cell) => editor.page.textOf(cell))),
    'Ctrl-"': done(() => typeAbove(editor, (cell) => editor.page.valueTextOf(cell))),
    'Ctrl-;': done(() => typeOver(editor, today(editor.page.settings))),
    'Ctrl-:': done(() => typeOver(editor, now())),
  };
}

/** Begins to type what the cell above has. */
function typeAbove(editor: CellEditor, textOf: (cell: CellPosition) => string): void {
  const { row, column } = editor.selection.peek().active;
  if (row > 0) typeOver(editor, textOf({ row: row - 1, column }));
}

function actionKeys(editor: CellEditor): KeyBindings {
  const bound = Object.values<Action>(actions).flatMap(({ keys = [], run, edits }) =>
    keys.map((key) => {
      const act = done(() => {
        if (!edits || editor.canEdit) run(editor);
      });
      return [key, act] as const;
    }),
  );
  return Object.fromEntries(bound);
}

/** The keys of rows, and of cells, put in and take out columns where whole columns are selected. */
function lineKeys(editor: CellEditor): KeyBindings {
  const edits = (run: () => boolean) => done(() => editor.canEdit && run());
  const insertsCells = edits(() => insertSelected(editor, 'cells'));
  return {
    'Ctrl-Alt-=': edits(() => insertSelected(editor, 'rows')),
    'Ctrl-Alt--': edits(() => deleteSelected(editor, 'rows')),
    'Ctrl-+': insertsCells,
    'Ctrl--': edits(() => deleteSelected(editor, 'cells')),
  };
}
