import type { Item, ItemOf } from './items.ts';

/** What has a name that formulas know it by. */
export type Named = ItemOf<'table'> | ItemOf<'name'>;

/** How many items of a list have a name, by scope and name. Goes with the newest version of a list, where one comes from another. */
const counted = new WeakMap<ReadonlyMap<string, Item>, Map<string, number>>();

/** The id of the sheet that a name counts in; null: everywhere. */
export const scopeOf = (item: Named): string | null => ('scope' in item ? (item.scope ?? null) : null);

const keyOf = (scope: string | null, name: string): string => `${scope ?? ''} ${name.toLowerCase()}`;

function countsOf(items: ReadonlyMap<string, Item>): Map<string, number> {
  const known = counted.get(items);
  if (known) return known;
  const counts = new Map<string, number>();
  for (const item of items.values()) add(counts, item as Named, 1);
  counted.set(items, counts);
  return counts;
}

function add(counts: Map<string, number>, item: Named, by: 1 | -1): void {
  const key = keyOf(scopeOf(item), item.name);
  counts.set(key, (counts.get(key) ?? 0) + by);
}

/** How many items of a list have a name, in whatever case, that counts in a scope. */
export const countOfName = (items: ReadonlyMap<string, Item>, scope: string | null, name: string): number =>
  countsOf(items).get(keyOf(scope, name)) ?? 0;

/** One list has come from another by one item, so that nobody has to count all of them anew. */
export function countNamed(
  before: ReadonlyMap<string, Item>,
  after: ReadonlyMap<string, Item>,
  was: Named | null,
  is: Named,
): void {
  const counts = countsOf(before);
  counted.delete(before);
  if (was) add(counts, was, -1);
  add(counts, is, 1);
  counted.set(after, counts);
}
