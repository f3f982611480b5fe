import { type Area, touches } from './area.ts';
import type { Item, SheetItemKind } from './items.ts';
import { CELL_LIMITS } from './limits.ts';
import { noItems, type Sheet } from './workbook.ts';
import { withKind } from './workbook-change.ts';

const areaOfItem = (item: Item): Area => (item as Item & { readonly area: Area }).area;

/** The items that have come to another place, and those that have not. */
function arrivals(before: Sheet | undefined, after: Sheet, kind: SheetItemKind) {
  const had = before?.items[kind] ?? noItems;
  const arrived: [string, Item][] = [];
  const stayed: [string, Item][] = [];
  for (const [id, item] of after.items[kind] ?? noItems) {
    const old = had.get(id);
    const isThere = old && areaOfItem(old).every((side, at) => side === areaOfItem(item)[at]);
    (isThere ? stayed : arrived).push([id, item]);
  }
  return { arrived, stayed };
}

/**
 * A sheet after cells have moved in it or into it: merged cells that came take the place of those in their way. Null where a table
 * would come over another one, or too many would have to be looked at.
 */
export function withoutMovedOver(before: Sheet | undefined, after: Sheet): Sheet | null {
  if (before?.items === after.items) return after;
  const tables = arrivals(before, after, 'table');
  const merges = arrivals(before, after, 'merge');
  const work = tables.arrived.length * tables.stayed.length + merges.arrived.length * merges.stayed.length;
  if (work > CELL_LIMITS.cellsPerSeveral) return null;
  const isOver = (item: Item, others: readonly (readonly [string, Item])[]) =>
    others.some(([, other]) => touches(areaOfItem(item), areaOfItem(other)));
  if (tables.stayed.some(([, item]) => isOver(item, tables.arrived))) return null;
  const left = merges.stayed.filter(([, item]) => !isOver(item, merges.arrived));
  if (left.length === merges.stayed.length) return after;
  const kept = new Set([...left, ...merges.arrived].map(([id]) => id));
  const all = [...(after.items.merge ?? noItems)].filter(([id]) => kept.has(id));
  return { ...after, items: withKind(after.items, 'merge', new Map(all)) };
}
