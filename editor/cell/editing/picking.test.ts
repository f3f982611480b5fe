import { expect, test } from 'vitest';
import type { Sheet } from '../../../model/cell/workbook.ts';
import { cellAt } from '../grid/cell-areas.ts';
import { type Direction, extend, extendTo, firstSelection, move, selectCell } from '../grid/selection.ts';
import { plainSheet } from '../testing/plain-sheet.ts';
import { beginTyping, type Editing, typed } from './cell-editing.ts';
import { pickedSelection, pickSelection } from './picking.ts';

const shown = (id: string, name: string) => ({
  sheet: { id, properties: { name } } as Sheet,
  terrain: plainSheet({ merges: [[6, 1, 7, 2]] }),
  selection: firstSelection,
});
const here = shown('s1', 'Sheet1');

test('[XS24] keys pick from the cell that is typed into, and extend from where they began', () => {
  const begun = typed(beginTyping('s1', cellAt(4, 1), ''), '=SUM(', 5);
  const step = (editing: Editing, direction: Direction, by: typeof move) =>
    pickSelection(editing, here, by(here.terrain, pickedSelection(editing, here), direction));
  const texts: string[] = [];
  let editing = begun;
  for (const [direction, by] of [
    ['up', move],
    ['up', extend],
    ['up', extend],
    ['down', extend],
    ['left', extend],
    ['down', move],
  ] as const) {
    editing = step(editing, direction, by);
    texts.push(editing.text.slice(5));
  }
  expect(texts).toEqual(['B4', 'B3:B4', 'B2:B4', 'B3:B4', 'A3:B4', 'B5']);
});

test('[XS24] merged cells are picked as one, with others as a range, and cells of another sheet with its name', () => {
  const begun = typed(beginTyping('s1', cellAt(0, 0), ''), '=', 1);
  const merged = pickSelection(begun, here, selectCell(here.terrain, cellAt(7, 2)));
  expect(merged.text).toBe('=B7');
  const wide = extendTo(here.terrain, merged.picked!.selection, cellAt(8, 1));
  expect(pickSelection(merged, here, wide).text).toBe('=B7:C9');
  const there = shown('s2', 'My data');
  expect(pickSelection(merged, there, selectCell(there.terrain, cellAt(0, 3))).text).toBe("='My data'!D1");
});
