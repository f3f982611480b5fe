import type { SkipReason } from '../log/change.ts';
import { numberedName } from './apply-items.ts';
import { weightOfSheet } from './bounds.ts';
import { changeFormulas, followReferences } from './follow.ts';
import { ReferenceFollower, referenceShiftsOf } from './formula/reference-shift.ts';
import { sheetRemoval, sheetRenaming, wordRenaming } from './formula/renaming.ts';
import { Grid } from './grid.ts';
import {
  type Drawing,
  type Item,
  type ItemOf,
  type SheetItemKind,
  scopedCopyId,
  type WorkbookItemKind,
} from './items.ts';
import { CELL_LIMITS } from './limits.ts';
import { Lines } from './lines.ts';
import type {
  AddSheet,
  ChangeSheet,
  ChangeWorkbook,
  MoveSheet,
  RemoveSheet,
  RestoreSheet,
} from './operations.ts';
import { patched } from './patched.ts';
import { namesOf, type RemovedSheet, type Sheet, sheetOf, type Workbook } from './workbook.ts';
import { noteRemovedComments, withKind, withSheet } from './workbook-change.ts';

/** A name that no sheet has: the wished one, or that with a number behind it. */
function freeSheetName({ sheets }: Workbook, wished: string, but?: string): string {
  const taken = new Set(
    sheets.flatMap(({ id, properties }) => (id === but ? [] : [properties.name.toLowerCase()])),
  );
  let name = wished;
  for (let number = 2; taken.has(name.toLowerCase()); number++) {
    const suffix = ` (${number})`;
    name = wished.slice(0, CELL_LIMITS.sheetNameChars - suffix.length) + suffix;
  }
  return name;
}

export function addSheet(workbook: Workbook, operation: AddSheet): Workbook | SkipReason {
  const { sheet: id, at, copyOf } = operation;
  if (sheetOf(workbook, id) || workbook.removed.has(id)) return 'invalid-content';
  if (workbook.sheets.length >= CELL_LIMITS.sheets) return 'document-too-large';
  const original = copyOf === undefined ? undefined : sheetOf(workbook, copyOf);
  if (copyOf !== undefined && !original) return 'out-of-range';
  const name = freeSheetName(workbook, operation.name);
  if (!original) {
    const sheet = { id, properties: { name }, grid: Grid.empty, columns: Lines.empty, items: {} };
    return { ...workbook, sheets: workbook.sheets.toSpliced(at, 0, sheet) };
  }
  const { sheet, items } = copied(workbook, original, id, name);
  const names = namesOf({ items }).size;
  if (names > CELL_LIMITS.itemsOfKind && names > namesOf(workbook).size) return 'document-too-large';
  return { ...workbook, items, sheets: workbook.sheets.toSpliced(at, 0, sheet) };
}

/**
 * A copy's references to its original lead to itself. Tables get names of their own, and names that count in the original alone
 * count in the copy as well. Of pivot tables it has what they show: they belong to a cache of their workbook.
 */
function copied(
  workbook: Workbook,
  original: Sheet,
  id: string,
  name: string,
): { sheet: Sheet; items: Workbook['items'] } {
  const taken = new Set(
    workbook.sheets.flatMap(({ items }) =>
      [...(items.table?.values() ?? [])].map((table) => (table as { name: string }).name.toLowerCase()),
    ),
  );
  let items = withKind<SheetItemKind>(original.items, 'pivot', new Map());
  const renamings = [sheetRenaming(original.properties.name, name)];
  if (items.table) {
    const tables = new Map<string, Item>();
    for (const [key, table] of items.table) {
      const { name: old } = table as { name: string };
      let number = 2;
      while (taken.has(numberedName(old, number).toLowerCase())) number++;
      const free = numberedName(old, number);
      taken.add(free.toLowerCase());
      tables.set(key, { ...table, name: free } as Item);
      renamings.push(wordRenaming('table', old, free));
    }
    items = withKind(items, 'table', tables);
  }
  if (items.drawing) {
    const drawings = [...(items.drawing as ReadonlyMap<string, Drawing>)].map(
      ([key, drawing]): [string, Item] => [key, { ...drawing, copyOf: drawing.copyOf ?? [original.id, key] }],
    );
    items = withKind(items, 'drawing', new Map(drawings));
  }
  const scoped = scopedItems(workbook, original, id);
  const sheet: Sheet = { ...original, id, items, properties: { ...original.properties, name } };
  const { copyOf: _none, ...unlinked } = sheet;
  const lone: Workbook = {
    ...workbook,
    items: scoped.items,
    sheets: [scoped.isWhole ? { ...sheet, copyOf: original.copyOf ?? original.id } : unlinked],
  };
  const changed = renamings.reduce((all, change) => changeFormulas(all, () => change), lone);
  const added = { ...workbook.items };
  for (const kind of ['name', 'held'] as const) {
    const more = changed.items[kind];
    if (more) Object.assign(added, { [kind]: new Map([...(added[kind] ?? []), ...more]) });
  }
  return { sheet: changed.sheets[0]!, items: added };
}

/**
 * What the workbook has for one of its sheets alone, once more for a copy of it.
 * @returns `isWhole`: false where there are more references beside the model than can be kept, so that the copy has none
 */
function scopedItems(
  { items }: Workbook,
  original: Sheet,
  id: string,
): { items: Workbook['items']; isWhole: boolean } {
  const of = (kind: 'name' | 'held') =>
    [...(items[kind] ?? [])]
      .filter(([, item]) => (item as { scope?: string | null }).scope === original.id)
      .map(([key, item]): [string, Item] => [copyId(id, original.id, key), { ...item, scope: id } as Item]);
  const countOf = (held: Iterable<Item>) =>
    [...held].reduce((sum, item) => sum + (item as ItemOf<'held'>).formulas.length, 0);
  const [names, held] = [new Map(of('name')), new Map(of('held'))];
  const isWhole = countOf(items.held?.values() ?? []) + countOf(held.values()) <= CELL_LIMITS.held;
  const named = withKind<WorkbookItemKind>({}, 'name', names);
  return { items: withKind(named, 'held', isWhole ? held : new Map()), isWhole };
}

/** The id of what stands for an item of a sheet at a copy of the sheet; of copies of copies it names the item of the first one. */
const copyId = (copy: string, original: string, key: string): string =>
  scopedCopyId(copy, key.startsWith(`${original}/`) ? key.slice(original.length + 1) : key);

/** The last sheet that can be seen cannot be removed. */
export function removeSheet(workbook: Workbook, sheet: Sheet, operation: RemoveSheet): Workbook | SkipReason {
  const { id } = sheet;
  const others = workbook.sheets.filter((one) => one.id !== id);
  if (!others.some(({ properties }) => (properties.state ?? 'visible') === 'visible')) return 'out-of-range';
  const names = new Map(workbook.sheets.map((one) => [one.id, one.properties.name]));
  const scoped = new Map([...namesOf(workbook)].filter(([, { scope }]) => scope === id));
  const kept = new Map([...namesOf(workbook)].filter(([, { scope }]) => scope !== id));
  const rest: Workbook = { ...workbook, sheets: others, items: withKind(workbook.items, 'name', kept) };
  const follower = new ReferenceFollower(referenceShiftsOf(operation), names);
  const removal = sheetRemoval(sheet.properties.name, [...names.values()]);
  const followed = changeFormulas(followReferences(rest, follower), () => removal);
  const index = workbook.sheets.indexOf(sheet);
  const removed = lastRemoved(new Map(workbook.removed).set(id, { sheet, index, names: scoped }));
  return { ...noteRemovedComments(followed, sheet, null), removed };
}

/** Of removed sheets those that may come back: the last ones, as long as all of them can be kept. */
function lastRemoved(removed: Map<string, RemovedSheet>): Workbook['removed'] {
  let weight = 0;
  for (const { sheet } of removed.values()) weight += weightOfSheet(sheet);
  for (const [id, { sheet }] of removed) {
    if (weight <= CELL_LIMITS.kept && removed.size <= CELL_LIMITS.sheets) break;
    // The one that was removed last comes back in any case.
    if (removed.size === 1) break;
    removed.delete(id);
    weight -= weightOfSheet(sheet);
  }
  return removed;
}

export function restoreSheet(workbook: Workbook, { sheet: id }: RestoreSheet): Workbook | SkipReason {
  const found = workbook.removed.get(id);
  if (!found) return 'out-of-range';
  const removed = new Map(workbook.removed);
  removed.delete(id);
  const { properties } = found.sheet;
  const sheet = {
    ...found.sheet,
    properties: { ...properties, name: freeSheetName(workbook, properties.name) },
  };
  const names = new Map([...namesOf(workbook), ...found.names]);
  return {
    ...workbook,
    removed,
    sheets: workbook.sheets.toSpliced(found.index, 0, sheet),
    items: withKind(workbook.items, 'name', names),
  };
}

export function moveSheet(workbook: Workbook, sheet: Sheet, { to }: MoveSheet): Workbook {
  const others = workbook.sheets.filter(({ id }) => id !== sheet.id);
  return { ...workbook, sheets: others.toSpliced(to, 0, sheet) };
}

export function changeSheet(workbook: Workbook, sheet: Sheet, { patch }: ChangeSheet): Workbook | SkipReason {
  const hides = patch.state === 'hidden' || patch.state === 'veryHidden';
  const isVisible = ({ properties }: Sheet) => (properties.state ?? 'visible') === 'visible';
  if (hides && !workbook.sheets.some((one) => one.id !== sheet.id && isVisible(one))) return 'out-of-range';
  const before = sheet.properties.name;
  const wished = patch.name ?? before;
  const name = wished === before ? before : freeSheetName(workbook, wished, sheet.id);
  const properties = { ...patched(sheet.properties, patch), name };
  const changed = withSheet(workbook, { ...sheet, properties });
  if (name === before) return changed;
  return changeFormulas(changed, () => sheetRenaming(before, name), before.replaceAll("'", "''"));
}

export function changeWorkbook(workbook: Workbook, { patch }: ChangeWorkbook): Workbook {
  return { ...workbook, properties: patched(workbook.properties, patch) };
}
