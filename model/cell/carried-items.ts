import { contains } from './area.ts';
import { changePlaces } from './item-places.ts';
import { ID_CHARS, type Item, type ItemOf, type SheetItemKind } from './items.ts';
import type { MoveCells } from './operations.ts';
import { type Items, noItems, type Sheet } from './workbook.ts';
import { withKind } from './workbook-change.ts';

const carriedKinds: readonly SheetItemKind[] = ['merge', 'link', 'comment', 'table'];

/** The items of a sheet with those that went there with cells of another one. */
export function carriedItems(
  source: Sheet,
  operation: MoveCells,
  items: Items<SheetItemKind>,
): Items<SheetItemKind> {
  return carriedKinds.reduce((all, kind) => {
    const arrived = arrivals(source, operation, kind);
    if (arrived.length === 0) return all;
    const byId = new Map(all[kind] ?? noItems);
    const ids = new Map<string, string>();
    for (const [id, item] of arrived) {
      ids.set(id, freeId(id, byId));
      byId.set(ids.get(id)!, item);
    }
    if (kind === 'comment') followParents(byId, ids);
    return withKind(all, kind, byId);
  }, items);
}

function arrivals(
  source: Sheet,
  { area: [r1, c1, r2, c2], row, column }: MoveCells,
  kind: SheetItemKind,
): [id: string, item: Item][] {
  return [...(source.items[kind] ?? noItems)].flatMap(([id, item]): [string, Item][] => {
    const carried = changePlaces(kind, item, {
      area: (area) =>
        contains([r1, c1, r2, c2], area)
          ? [area[0] - r1 + row, area[1] - c1 + column, area[2] - r1 + row, area[3] - c1 + column]
          : null,
      formula: (text) => text,
    });
    return carried ? [[id, carried]] : [];
  });
}

/** The id, or, where it is taken, one that is no longer than ids are. */
function freeId(id: string, taken: ReadonlyMap<string, unknown>): string {
  let free = id;
  for (let number = 1; taken.has(free); number++) {
    const isShort = id.length + number <= ID_CHARS;
    free = isShort ? id + '-'.repeat(number) : `${id.slice(0, ID_CHARS - 8)}-${number}`;
  }
  return free;
}

/** Answers that came along are to the first of their thread, whatever its id is now. @param ids before and now */
function followParents(comments: Map<string, Item>, ids: ReadonlyMap<string, string>): void {
  for (const now of ids.values()) {
    const comment = comments.get(now) as ItemOf<'comment'>;
    const parent = ids.get(comment.parent ?? '');
    if (parent !== undefined && parent !== comment.parent) comments.set(now, { ...comment, parent });
  }
}
