import type { Item, ItemKind, ItemOf } from './items.ts';
import { SharedMap } from './shared-map.ts';
import { type Items, noItems, type Sheet, type Workbook } from './workbook.ts';

/** The workbook with another version of one of its sheets. */
export function withSheet(workbook: Workbook, sheet: Sheet): Workbook {
  return { ...workbook, sheets: workbook.sheets.map((one) => (one.id === sheet.id ? sheet : one)) };
}

/** Items with one of them put in, changed, or (null) taken out. */
export function withItem<Kind extends ItemKind>(
  items: Items<Kind>,
  kind: Kind,
  id: string,
  item: Item | null,
): Items<Kind> {
  return withKind(items, kind, SharedMap.with((items as Items<string>)[kind] ?? noItems, id, item));
}

export function withKind<Kind extends ItemKind>(
  items: Items<Kind>,
  kind: Kind,
  byId: ReadonlyMap<string, Item>,
): Items<Kind> {
  if (byId.size > 0) return { ...items, [kind]: byId };
  const rest: { [name: string]: unknown } = { ...items };
  delete rest[kind];
  return rest as Items<Kind>;
}

/** The key of a removed comment. */
export const commentKey = (sheet: string, id: string): string => `${sheet}/${id}`;

/** Notes the comments that a sheet no longer has: they may come back as they were. */
export function noteRemovedComments(workbook: Workbook, before: Sheet, after: Sheet | null): Workbook {
  const [had, has] = [before.items.comment ?? noItems, after?.items.comment ?? noItems];
  if (had === has) return workbook;
  let removed = workbook.removedComments;
  for (const [id, comment] of had) {
    if (!has.has(id))
      removed = SharedMap.with(removed, commentKey(before.id, id), comment as ItemOf<'comment'>);
  }
  return removed === workbook.removedComments ? workbook : { ...workbook, removedComments: removed };
}

/** Every item of a sheet made anew; null takes it out. What stays the same is shared. */
export function mapItems<Kind extends ItemKind>(
  items: Items<Kind>,
  change: (kind: Kind, item: Item, id: string) => Item | null,
): Items<Kind> {
  let result = items;
  for (const [kind, byId] of Object.entries(items) as [Kind, ReadonlyMap<string, Item>][]) {
    let changed: Map<string, Item> | null = null;
    for (const [id, item] of byId) {
      const next = change(kind, item, id);
      if (next === item) continue;
      changed ??= new Map(byId);
      if (next) changed.set(id, next);
      else changed.delete(id);
    }
    if (changed) result = withKind(result, kind, changed);
  }
  return result;
}
