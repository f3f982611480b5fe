import { type KeyBindings, keyHandler } from '../../../shell/actions.ts';
import type { CellEditor } from '../../cell-editor.ts';
import { picksReferences, turnReference, withText } from '../../editing/cell-editing.ts';
import { pickedSelection, pickSelection } from '../../editing/picking.ts';
import {
  type Direction,
  extend,
  extendByJump,
  extendTo,
  jump,
  move,
  page,
  type Selection,
  type Terrain,
  wholeLines,
} from '../../grid/selection.ts';
import { cancel, commit } from '../entering.ts';
import { stepSheet } from '../sheets.ts';
import { arrows, seen } from './directions.ts';
import { goOn } from './going-on.ts';
import { now, today } from './moments.ts';

/** Keys while something is typed into a cell, in the cell or in the bar above. */
export function editingKeys(editor: CellEditor): (event: KeyboardEvent) => boolean {
  return keyHandler({
    ...leavingKeys(editor),
    ...textKeys(editor),
    ...arrowKeys(editor),
    ...lineKeys(editor),
    ...pageKeys(editor, 'PageDown', 1),
    ...pageKeys(editor, 'PageUp', -1),
  });
}

/** Keys by which what is typed is entered, or given up. */
function leavingKeys(editor: CellEditor): KeyBindings {
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
  return {
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
  };
}

/** Keys that change what is typed, or how it is. */
const textKeys = (editor: CellEditor): KeyBindings => ({
  'Alt-Enter': () => {
    const editing = editor.editing.peek();
    if (!editing) return false;
    editor.editing.value = { ...withText(editing, '\n'), mode: 'editing' };
    return true;
  },
  'Ctrl-;': () => insert(editor, today(editor.page.settings)),
  'Ctrl-:': () => insert(editor, now()),
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
});

/** Puts a text in at the cursor. */
function insert(editor: CellEditor, text: string): boolean {
  const editing = editor.editing.peek();
  if (editing) editor.editing.value = withText(editing, text);
  return true;
}

/** A key that picks a reference; it is left to the browser while arrows move in the text. */
const picks =
  (editor: CellEditor, to: (sheet: Terrain, from: Selection) => Selection, reveals = true) =>
  (): boolean => {
    const editing = editor.editing.peek();
    if (editing?.place !== 'cell' || editing.mode !== 'typing' || !picksReferences(editing)) return false;
    const { shown } = editor;
    const selection = to(shown.terrain, pickedSelection(editing, shown));
    editor.editing.value = pickSelection(editing, shown, selection);
    if (reveals) editor.grid?.reveal(selection.head);
    return true;
  };

function arrowKeys(editor: CellEditor): KeyBindings {
  const bindings: Record<string, () => boolean> = {};
  for (const [key, direction] of arrows) {
    const to = () => seen(editor, direction);
    const picksNext = picks(editor, (sheet, from) => move(sheet, from, to()));
    bindings[key] = () => {
      const editing = editor.editing.peek();
      if (editing?.place !== 'cell' || editing.mode !== 'typing') return false;
      const then = () => editor.select(move(editor.page.view.peek(), editor.selection.peek(), to()));
      if (!picksNext() && commit(editor, { then })) then();
      return true;
    };
    bindings[`Shift-${key}`] = picks(editor, (sheet, from) => extend(sheet, from, to()));
    bindings[`Mod-${key}`] = picks(editor, (sheet, from) => jump(sheet, from, to()));
    bindings[`Mod-Shift-${key}`] = picks(editor, (sheet, from) => extendByJump(sheet, from, to()));
  }
  return bindings;
}

/** Keys that pick whole columns and rows, these only where a reference is being picked: with Shift one types blanks, too. */
function lineKeys(editor: CellEditor): KeyBindings {
  const picksRows = picks(editor, (_, from) => wholeLines(from, 'row'), false);
  return {
    'Ctrl-Space': picks(editor, (_, from) => wholeLines(from, 'column'), false),
    'Shift-Space': () => (editor.editing.peek()?.picked ?? null) !== null && picksRows(),
  };
}

function pageKeys(editor: CellEditor, key: string, sign: 1 | -1): KeyBindings {
  const rows = () => sign * (editor.grid?.pageSize.rows ?? 20);
  return {
    [key]: picks(editor, (sheet, from) => page(sheet, from, rows(), 0)),
    [`Shift-${key}`]: picks(editor, (sheet, from) =>
      extendTo(sheet, from, page(sheet, { ...from, active: from.head }, rows(), 0).head),
    ),
    [`Ctrl-${key}`]: () => {
      const editing = editor.editing.peek();
      if (!editing || !picksReferences(editing)) return false;
      stepSheet(editor, sign);
      return true;
    },
  };
}
