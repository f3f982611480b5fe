import { type Area, lastRow } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { CellEditor } from '../cell-editor.ts';
import { heightOf, isSameRange } from '../grid/cell-areas.ts';
import type { Terrain } from '../grid/selection.ts';
import type { SheetScene } from '../shown/sheet-scene.ts';
import { filledMerges } from './filled-merges.ts';
import { rowsOf, unfilteredParts } from './selected-areas.ts';

/** Copies the first row, or the first column, of what is selected over the others; of one cell the one before it. */
export function fillSelection(editor: CellEditor, axis: 'row' | 'column'): boolean {
  const { range } = editor;
  const [top, left, bottom, right] = range;
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
  const view = editor.page.view.peek();
  const merges = filledMerges(view, from, to, () => editor.newId());
  return editor.change(...fillOperations(view, from, to), ...merges);
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

/** Which way, and how far, a range is dragged by its handle; null for no way. */
export function draggedRange(from: Area, row: number, column: number): Area | null {
  const below = row - from[2];
  const above = from[0] - row;
  const after = column - from[3];
  const before = from[1] - column;
  const farthest = Math.max(below, above, after, before);
  if (farthest <= 0) return null;
  if (below === farthest) return [from[2] + 1, from[1], row, from[3]];
  if (above === farthest) return [row, from[1], from[0] - 1, from[3]];
  if (after === farthest) return [from[0], from[3] + 1, from[2], column];
  return [from[0], column, from[2], from[1] - 1];
}

/**
 * How far a double press on the handle of a range fills down: as far as the cells before it go on without a gap, else
 * those behind it; null where nothing is beside it.
 */
export function rangeBesideFilled(sheet: Pick<Terrain, 'cellAt'>, from: Area): Area | null {
  const isFilled = (row: number, column: number) => {
    const cell = column < 0 ? null : sheet.cellAt(row, column);
    return cell !== null && cell.kind !== 'blank';
  };
  for (const column of [from[1] - 1, from[3] + 1]) {
    let row = from[2];
    while (row < lastRow && isFilled(row + 1, column)) row++;
    if (row > from[2]) return [from[2] + 1, from[1], row, from[3]];
  }
  return null;
}
