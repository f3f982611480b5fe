import { type Area, without } from '../../../model/cell/area.ts';
import { cellAt, cornerOf, isIn } from './cell-areas.ts';
import type { Selection } from './selection.ts';

/**
 * What is selected without an area. The active cell stays if it is among what is left, which else ends with it. Null where
 * nothing would be left.
 */
export function takeOut({ ranges, active }: Selection, taken: Area): Selection | null {
  const left = ranges.flatMap((range) => without(range, taken));
  const last = left.at(-1);
  if (!last) return null;
  const own = left.findIndex((range) => isIn(active, range));
  const current = own < 0 ? left.length - 1 : own;
  const [, , bottom, right] = left[current]!;
  return {
    ...{ ranges: left, current },
    active: own < 0 ? cornerOf(last) : active,
    head: cellAt(bottom, right),
  };
}
