import { type Area, contains, intersection, moved } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import { heightOf, widthOf } from '../grid/cell-areas.ts';
import type { SheetScene } from '../shown/sheet-scene.ts';
import { unfilteredParts } from './selected-areas.ts';

type View = Pick<SheetScene, 'sheet' | 'mergesIn'>;

/**
 * How cells that repeat others come to be merged as these, each whole time that there is room for; others among them are parted.
 * Among rows that a filter hides, merged cells stay as they are.
 */
export function filledMerges(view: View, from: Area, to: Area, newId: () => string): CellOperation[] {
  const sheet = view.sheet.id;
  const given = view.mergesIn(from).filter((merge) => contains(from, merge));
  const there = [...itemsOf(view.sheet, 'merge')].filter(([, { area }]) => intersection(area, to));
  if (given.length === 0 && there.length === 0) return [];
  if ([from, to].some((area) => unfilteredParts(view, area).length !== 1)) return [];
  const wanted = given.flatMap((merge) => copiesIn(merge, from, to));
  const places = placesOf(wanted);
  const known = placesOf(there.map(([, { area }]) => area));
  const parted = there.filter(([, { area }]) => !places.has(area.join()));
  const made = wanted.filter((area) => !known.has(area.join()));
  return [
    ...parted.map(([id]): CellOperation => ({ op: 'drop', sheet, kind: 'merge', id })),
    ...made.map((area): CellOperation => ({ op: 'put', sheet, kind: 'merge', id: newId(), item: { area } })),
  ];
}

const placesOf = (areas: readonly Area[]): ReadonlySet<string> => new Set(areas.map((area) => area.join()));

/** Where an area of what is repeated comes again in cells beside it. */
function copiesIn(area: Area, from: Area, to: Area): Area[] {
  const isDown = to[1] === from[1] && to[3] === from[3];
  const size = isDown ? heightOf(from) : widthOf(from);
  const length = isDown ? heightOf(to) : widthOf(to);
  const way = to[0] < from[0] || to[1] < from[1] ? -1 : 1;
  return Array.from({ length: Math.ceil(length / size) }, (_, at) => {
    const by = (at + 1) * size * way;
    return isDown ? moved(area, by, 0) : moved(area, 0, by);
  }).filter((copy) => contains(to, copy));
}
