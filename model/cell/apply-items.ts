import type { SkipReason } from '../log/change.ts';
import { type ChangeAuthor, notAllowed } from '../log/change-author.ts';
import { touches } from './area.ts';
import { formatKey } from './cell-format.ts';
import { changedChart } from './chart-change.ts';
import { withoutAbsent } from './chart-kinds.ts';
import { changeFormulas } from './follow.ts';
import type { Formula } from './formula/formula.ts';
import { wordRenaming } from './formula/renaming.ts';
import { mayBecome } from './item-rules.ts';
import { type Item, type ItemKind, type ItemOf, NAME_CHARS, readItem } from './items.ts';
import { CELL_LIMITS } from './limits.ts';
import { booksOf, isBookId, type LinkedBook, weightOfBooks } from './linked-book.ts';
import { keepMergePlaces, mergesTouching } from './merge-places.ts';
import type { ChangeDrawnChart, ChangeItem, PutItem, RemoveItem } from './operations.ts';
import { patched } from './patched.ts';
import { countNamed, countOfName, type Named, scopeOf } from './taken-names.ts';
import { type Items, itemsOf, noItems, type Sheet, sameName, sheetOf, type Workbook } from './workbook.ts';
import { commentKey, noteRemovedComments, withItem, withKind, withSheet } from './workbook-change.ts';

type ItemOperation = PutItem | ChangeItem | RemoveItem;

/** The items that an operation is about; undefined where there is no such sheet. */
function itemsFor(workbook: Workbook, sheet: string | null): Items<ItemKind> | undefined {
  return (sheet === null ? workbook.items : sheetOf(workbook, sheet)?.items) as Items<ItemKind> | undefined;
}

function withItems(workbook: Workbook, sheet: string | null, items: Items<ItemKind>): Workbook {
  if (sheet === null) return { ...workbook, items };
  return withSheet(workbook, { ...sheetOf(workbook, sheet)!, items });
}

/** Puts in, changes or takes out an item. @param author null: it may be anybody's */
export function changeItem(
  workbook: Workbook,
  operation: ItemOperation,
  author: ChangeAuthor | null,
): Workbook | SkipReason {
  const { sheet, kind, id } = operation;
  const items = itemsFor(workbook, sheet);
  if (!items) return 'out-of-range';
  const before = items[kind]?.get(id) ?? null;
  const after = operation.op === 'drop' ? null : itemAfter(operation, before);
  if (operation.op !== 'put' && !before) return 'out-of-range';
  if (operation.op !== 'drop' && !after) return 'invalid-content';
  const isNew = operation.op === 'put' && !before;
  if (isNew && (items[kind]?.size ?? 0) >= CELL_LIMITS.itemsOfKind) return 'document-too-large';
  if (after && !mayBecome(kind, after, before)) return 'invalid-content';
  if (
    kind === 'table' &&
    after &&
    isOverTable(items, id, after as ItemOf<'table'>, before as ItemOf<'table'> | null)
  )
    return 'invalid-content';
  if (kind === 'book' && !isBookId(id)) return 'invalid-content';
  if (kind === 'book' && after && !isBookInBounds(workbook, id, after as LinkedBook))
    return 'document-too-large';
  if (kind === 'comment') {
    const comments = { before, after } as {
      before: ItemOf<'comment'> | null;
      after: ItemOf<'comment'> | null;
    };
    const known = workbook.removedComments.get(commentKey(sheet!, id)) ?? null;
    if (author && !maySign(comments, known, author, items.comment ?? noItems, id)) return notAllowed;
    if (comments.after) return withItems(workbook, sheet, withItem(items, kind, id, comments.after));
    const left = withItems(workbook, sheet, withoutThread(items, id));
    return noteRemovedComments(left, sheetOf(workbook, sheet!)!, sheetOf(left, sheet!)!);
  }
  if (!after && kind === 'merge') return withItems(workbook, sheet, withoutMerge(items, id));
  if (!after) return withItems(workbook, sheet, withItem(items, kind, id, null));
  if (kind === 'merge') return withItems(workbook, sheet, withMerge(items, id, after as ItemOf<'merge'>));
  if (kind === 'filter') return withItems(workbook, sheet, withKind(items, kind, new Map([[id, after]])));
  if (kind === 'table' || kind === 'name') {
    return withNamed(workbook, operation, before as Named | null, after as Named);
  }
  return withItems(workbook, sheet, withItem(items, kind, id, after));
}

/** Changes the chart of a drawing. */
export function changeChart(
  workbook: Workbook,
  sheet: Sheet,
  { id, patch, axes, series, order }: ChangeDrawnChart,
): Workbook | SkipReason {
  const drawing = itemsOf(sheet, 'drawing').get(id);
  if (!drawing?.chart) return 'out-of-range';
  const chart = changedChart(drawing.chart, withoutAbsent({ patch, axes, series, order }));
  if (!chart) return 'invalid-content';
  return withItems(
    workbook,
    sheet.id,
    withItem(sheet.items as Items<ItemKind>, 'drawing', id, { ...drawing, chart }),
  );
}

function itemAfter(operation: PutItem | ChangeItem, before: Item | null): Item | null {
  if (operation.op === 'put') return readItem(operation.kind, operation.item);
  return before && readItem(operation.kind, patched(before, operation.patch));
}

/** Whether there is room for what is known of a linked workbook. */
function isBookInBounds(workbook: Workbook, id: string, book: LinkedBook): boolean {
  const books = booksOf(workbook);
  const weight = weightOfBooks(new Map([...books, [id, book]]).values());
  return weight <= CELL_LIMITS.linkedWeight || weight <= weightOfBooks(books.values());
}

/** Merged cells never overlap: a new one takes the place of those in its way. */
function withMerge(items: Items<ItemKind>, id: string, merge: ItemOf<'merge'>): Items<ItemKind> {
  const before = items.merge ?? noItems;
  const gone = new Set(mergesTouching(before, merge.area));
  if (before.has(id)) gone.add(id);
  const left = [...gone].reduce((now, one) => withItem(now, 'merge', one, null), items);
  const next = withItem(left, 'merge', id, merge as Item);
  keepMergePlaces(before, next.merge!, [id]);
  return next;
}

function withoutMerge(items: Items<ItemKind>, id: string): Items<ItemKind> {
  const left = withItem(items, 'merge', id, null);
  if (items.merge && left.merge) keepMergePlaces(items.merge, left.merge);
  return left;
}

/** Whether a table that is new, or has other cells than before, would have cells of another one. */
function isOverTable(
  items: Items<ItemKind>,
  id: string,
  { area }: ItemOf<'table'>,
  before: ItemOf<'table'> | null,
): boolean {
  if (before?.area.every((side, at) => side === area[at])) return false;
  return [...(items.table ?? noItems)].some(
    ([other, item]) => other !== id && touches((item as ItemOf<'table'>).area, area),
  );
}

const unchanged = (formula: Formula): Formula => formula;

/** A name with a number behind it, and no longer than names are. */
export const numberedName = (name: string, number: number): string =>
  `${name.slice(0, NAME_CHARS - String(number).length - 1)}_${number}`;

/** What is called otherwise is called so in formulas, too. A name that is taken gets a number behind it. */
function withNamed(
  workbook: Workbook,
  { sheet, kind, id }: ItemOperation,
  before: Named | null,
  wished: Named,
): Workbook {
  const own = scopeOf(wished);
  const isTaken = (name: string): boolean => {
    const isOwn = before?.name.toLowerCase() === name.toLowerCase();
    const names = countOfName(workbook.items.name ?? noItems, own, name);
    if (names > (isOwn && kind === 'name' && scopeOf(before) === own ? 1 : 0)) return true;
    return workbook.sheets.some(
      (one) =>
        countOfName(one.items.table ?? noItems, null, name) >
        (isOwn && kind === 'table' && one.id === sheet ? 1 : 0),
    );
  };
  let { name } = wished;
  for (let number = 2; isTaken(name); number++) name = numberedName(wished.name, number);
  const after = { ...wished, name };
  const items = itemsFor(workbook, sheet)!;
  const next = withItem(items, kind, id, after);
  countNamed(items[kind] ?? noItems, next[kind]!, before, after);
  const changed = withItems(workbook, sheet, next);
  if (!before || before.name === name) return changed;
  const scoped = own === null ? null : (sheetOf(workbook, own)?.properties.name ?? null);
  const everywhere = wordRenaming(kind === 'table' ? 'table' : 'word', before.name, name, scoped);
  const isConcerned = (of: Sheet | null) =>
    scoped === null || (of !== null && sameName(of.properties.name, scoped));
  return changeFormulas(changed, (of) => (isConcerned(of) ? everywhere : unchanged), before.name);
}

/** With the first comment of a thread its answers go. */
function withoutThread(items: Items<ItemKind>, id: string): Items<ItemKind> {
  let left = withItem(items, 'comment', id, null);
  for (const [other, item] of items.comment ?? noItems) {
    if ((item as ItemOf<'comment'>).parent === id) left = withItem(left, 'comment', other, null);
  }
  return left;
}

/**
 * Whether somebody may do this to a comment. Nobody signs in the name of another, unless such a comment was there and was
 * removed. Who may only comment changes their own ones and resolves any, and does
 * nothing to answers of others.
 */
function maySign(
  { before, after }: { before: ItemOf<'comment'> | null; after: ItemOf<'comment'> | null },
  removed: ItemOf<'comment'> | null,
  { name, may }: ChangeAuthor,
  all: ReadonlyMap<string, Item>,
  id: string,
): boolean {
  const isLimited = may !== undefined;
  const isAnsweredByOthers = () =>
    [...(all.values() as Iterable<ItemOf<'comment'>>)].some(
      ({ parent, author }) => parent === id && author !== name,
    );
  if (after === null) return !isLimited || (before!.author === name && !isAnsweredByOthers());
  if (before === null) {
    const signed = ({ cell: _cell, done: _done, ...rest }: ItemOf<'comment'>) => formatKey(rest);
    return after.author === name || (removed !== null && signed(removed) === signed(after));
  }
  if (before.author !== after.author) return false;
  if (!isLimited) return true;
  // Answers would be nobody's where what they answer is no beginning of a thread any more.
  const isStillFirst = before.parent === after.parent && before.isNote === after.isNote;
  if (before.author === name) return isStillFirst || !isAnsweredByOthers();
  return formatKey({ ...before, done: undefined }) === formatKey({ ...after, done: undefined });
}
