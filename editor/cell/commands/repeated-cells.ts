import type { Area } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { CellEditor } from '../cell-editor.ts';
import { cornerOf, heightOf, isSameRange } from '../grid/cell-areas.ts';
import type { SheetScene } from '../shown/sheet-scene.ts';
import { filledRules } from './copied-rules.ts';
import { filledMerges } from './filled-merges.ts';
import { rowsOf, unfilteredParts } from './selected-areas.ts';

/** Copies the first row, or the first column, of what is selected over the others; of one cell the one before it. */
export function fillSelection(editor: CellEditor, axis: 'row' | 'column'): boolean {
  const { range } = editor;
  const view = editor.page.view.peek();
  const [top, left, bottom, right] = range;
  const merge = view.mergeAt(top, left);
  if (merge && isSameRange(merge, range)) return fillMerged(editor, merge, axis);
  const isAlone = axis === 'row' ? top === bottom : left === right;
  const shift = isAlone ? 1 : 0;
  if (axis === 'row' ? top - shift < 0 : left - shift < 0) return false;
  const from: Area =
    axis === 'row'
      ? [top - shift, range[1], top - shift, range[3]]
      : [range[0], left - shift, range[2], left - shift];
  const to: Area =
    axis === 'row'
      ? [from[2] + 1, range[1], range[2], range[3]]
      : [range[0], from[3] + 1, range[2], range[3]];
  const merges = filledMerges(view, from, to, () => editor.newId());
  return editor.change(...fillOperations(view, from, to), ...merges, ...filledRules(editor, from, to));
}

/** Merged cells count as one: they get what is in the cell before them. */
function fillMerged(editor: CellEditor, merge: Area, axis: 'row' | 'column'): boolean {
  const view = editor.page.view.peek();
  const [top, left] = merge;
  const [row, column] = axis === 'row' ? [top - 1, left] : [top, left - 1];
  if (row < 0 || column < 0) return false;
  const given = cornerOf(view.mergeAt(row, column) ?? [row, column, row, column]);
  const from: Area = [given.row, given.column, given.row, given.column];
  const fill = fillOperations(view, from, [top, left, top, left]);
  return editor.change(...fill, ...filledRules(editor, from, merge));
}

/** Has cells repeat others. Rows that a filter hides neither give nor get anything, unless all of those that give are hidden. */
export function fillOperations(view: Pick<SheetScene, 'sheet'>, from: Area, to: Area): CellOperation[] {
  const fill = (source: Area, target: Area): CellOperation => ({
    ...{ op: 'fill', sheet: view.sheet.id, from: source, to: target, part: 'all' },
  });
  const [given, gets] = [unfilteredParts(view, from), unfilteredParts(view, to)];
  const isAcross = from[0] === to[0] && from[2] === to[2];
  if (isAcross)
    return gets.map(([top, left, bottom, right]) =>
      fill([top, from[1], bottom, from[3]], [top, left, bottom, right]),
    );
  const sources = given.flatMap(rowsOf);
  const isWhole = sources.length === heightOf(from) && gets.length === 1 && isSameRange(gets[0]!, to);
  const [only = from] = given;
  if (isWhole || sources.length < 2) return gets.map((part) => fill(only, part));
  // Row by row, from the one that is next to what is given.
  const goesBack = to[2] < from[0];
  const order = goesBack ? sources.toReversed() : sources;
  const rows = gets.flatMap(rowsOf);
  return (goesBack ? rows.toReversed() : rows).map((row, at) => {
    const source = order[at % order.length]!;
    return fill([source, from[1], source, from[3]], [row, to[1], row, to[3]]);
  });
}
