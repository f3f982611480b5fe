import type { CellMoves, CellReplica } from '../../../client/cell/cell-replica.ts';
import { type Area, boundsOf } from '../../../model/cell/area.ts';
import {
  type Region,
  regionOf,
  type StructureMap,
  structureMapsOf,
} from '../../../model/cell/structure-map.ts';
import { type CellPosition, cornerOf, rangeOf } from '../grid/cell-areas.ts';
import type { Selection } from '../grid/selection.ts';

/** Cells of a sheet, by its id. */
export interface SheetPlace {
  readonly sheet: string;
  readonly area: Area;
}

/** What knows how cells were moved. */
type Moved = Pick<CellReplica, 'mapsSince' | 'local'>;

/** Where cells of an earlier version of the log are now; null where that is not known, or they are gone. */
export function placeFromLog(shown: Moved, place: SheetPlace, version: number): SheetPlace | null {
  const logged = shown.mapsSince(version);
  return logged && movedBy([...logged, ...localMaps(shown)], place, forward);
}

/** Where cells were before the changes that are not in the log yet; as they are now where they are new. */
export function placeInLog(shown: Moved, place: SheetPlace): SheetPlace {
  return movedBy(localMaps(shown).toReversed(), place, backward) ?? place;
}

/** Where a cell has come to when others moved cells; itself where it is gone or on another sheet. */
function movedCell(moves: CellMoves, sheet: string, cell: CellPosition): CellPosition {
  const at = movedRange(moves, sheet, rangeOf(cell));
  return at ? cornerOf(at) : cell;
}

/** What is selected stays with its cells; where the active one is gone, the next of them is. */
export function movedSelection(
  moves: CellMoves,
  sheet: string,
  { ranges, current, active, head }: Selection,
): Selection {
  const moved = ranges.map((range) => movedRange(moves, sheet, range) ?? range);
  const within = (cell: CellPosition) => nearest(moved[current]!, movedCell(moves, sheet, cell));
  return { ranges: moved, current, active: within(active), head: within(head) };
}

/** The cell of a range that is nearest to one. */
const nearest = ([top, left, bottom, right]: Area, { row, column }: CellPosition): CellPosition => ({
  row: Math.min(Math.max(row, top), bottom),
  column: Math.min(Math.max(column, left), right),
});

/** Where cells have come to when others moved cells; null where they are gone or on another sheet. */
export function movedRange(moves: CellMoves, sheet: string, range: Area): Area | null {
  const logged = movedBy(moves.back, { sheet, area: range }, backward);
  const at = logged && movedBy(moves.forward, logged, forward);
  return at?.sheet === sheet ? at.area : null;
}

type Move = (map: StructureMap, region: Region) => readonly Region[];
const forward: Move = (map, region) => map.forward(region);
const backward: Move = (map, region) => map.backward(region).kept;

const localMaps = ({ local }: Moved): StructureMap[] =>
  local.flatMap(({ operation }) => structureMapsOf(operation));

/** One area that cells come to by several moves; null when nothing is left of them. */
function movedBy(maps: readonly StructureMap[], place: SheetPlace, move: Move): SheetPlace | null {
  let at = place;
  for (const map of maps) {
    const moved = move(map, regionOf(at.sheet, at.area));
    const bounds = boundsOf(moved.filter((one) => one.sheet === moved[0]!.sheet).map((one) => one.area));
    if (!bounds) return null;
    at = { sheet: moved[0]!.sheet, area: bounds };
  }
  return at;
}
