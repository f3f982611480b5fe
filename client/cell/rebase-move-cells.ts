import {
  type Area,
  type Axis,
  boundsOf,
  everything,
  intersection,
  lastColumn,
  lastRow,
  sizeOf,
  spanOf,
  without,
} from '../../model/cell/area.ts';
import type { CellOperation, MoveCells, OperationNamed } from '../../model/cell/operations.ts';
import { targetOf } from '../../model/cell/structure-map.ts';
import { type CellMapping, largest } from './cell-mapping.ts';

/** Cells that move, where they and their place are now: the largest part of them that is together, as far as it has a place. */
export function rebaseMoveCells(
  operation: OperationNamed<'moveCells'> & MoveCells,
  mapping: CellMapping,
): readonly CellOperation[] {
  const unless = operation.undo && ('content' as const);
  if (mapping.isIdle(unless)) return [operation];
  const { sheet, area, toSheet, row, column } = operation;
  const source = largest(mapping.area(sheet, area));
  const target = targetOf(operation);
  const [corner] = mapping.area(toSheet, [row, column, row, column]);
  if (!source || !corner) return [];
  if (unless) {
    // What others have put where the cells were is not covered by them.
    const free = mapping.area(toSheet, target, { unless });
    if (free.reduce((sum, region) => sum + sizeOf(region.area), 0) !== sizeOf(target)) return [];
  }
  const left = mapping.area(toSheet, target).filter(({ sheet: at }) => at === corner.sheet);
  const moved = withPlace(source.area, target, boundsOf(left.map((region) => region.area))!);
  const [r1, c1, r2, c2] = moved;
  const [nextRow, nextColumn] = corner.area;
  if (nextRow + r2 - r1 > lastRow || nextColumn + c2 - c1 > lastColumn) return [];
  const to = { toSheet: corner.sheet, row: nextRow, column: nextColumn };
  const next = { ...operation, sheet: source.sheet, area: moved, ...to };
  return coversOthers(operation, next, mapping) ? [] : [next];
}

/**
 * Whether the operation, as it would become, covers cells that it left alone, or took along: where others have sorted or moved cells
 * through its place, those that came there are not meant, and may have been written since; where its cells have no place any more, some stay
 * that were moved out of the way.
 */
function coversOthers(operation: MoveCells, next: MoveCells, mapping: CellMapping): boolean {
  const { sheet, area, toSheet } = operation;
  const place = targetOf(next);
  const beside = without(everything, targetOf(operation)).flatMap((one) => mapping.area(toSheet, one));
  return [...beside, ...mapping.area(sheet, area)].some((kept) => {
    const covered = kept.sheet === next.toSheet ? intersection(kept.area, place) : null;
    if (!covered) return false;
    const staying = next.sheet === next.toSheet ? without(covered, next.area) : [covered];
    return staying.length > 0;
  });
}

/**
 * The cells of those that move which have a place still. Where others have taken lines out of the place, the last ones stay where
 * they are: they would cover cells behind it.
 * @param target their place as it was
 * @param left where that is which is left of it
 */
function withPlace([r1, c1, r2, c2]: Area, target: Area, left: Area): Area {
  const last = (axis: Axis, from: number, to: number): number => {
    const [was, is] = [spanOf(target, axis), spanOf(left, axis)].map(([first, end]) => end - first);
    return is! < was! ? Math.min(to, from + is!) : to;
  };
  return [r1, c1, last('row', r1, r2), last('column', c1, c2)];
}
