import { cornerOf, isSameRange, rangeOf } from '../grid/cell-areas.ts';
import { currentRange, type Selection, selectCell, type Terrain } from '../grid/selection.ts';
import { type Editing, pick } from './cell-editing.ts';
import { referenceTo } from './references.ts';

/** The sheet that is shown, and what is selected on it. */
interface Shown {
  readonly sheet: Parameters<typeof referenceTo>[0]['sheet'];
  readonly terrain: Terrain;
  readonly selection: Selection;
}

/** What is picked for a formula, or, while nothing is, the cell from which keys begin to pick. */
export function pickedSelection({ picked, sheet, cell }: Editing, shown: Shown): Selection {
  if (picked) return picked.selection;
  return selectCell(shown.terrain, sheet === shown.sheet.id ? cell : shown.selection.active);
}

/** Puts a reference to a selection into a formula, in the place of the one that was being picked. */
export function pickSelection(editing: Editing, { sheet, terrain }: Shown, selection: Selection): Editing {
  const range = currentRange(selection);
  const merge = terrain.mergeAt(range[0], range[1]);
  // Merged cells are one.
  const isOne = merge !== null && isSameRange(merge, range);
  return pick(editing, referenceTo({ sheet }, editing, isOne ? rangeOf(cornerOf(range)) : range), selection);
}
