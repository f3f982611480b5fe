import type { Node } from 'prosemirror-model';

/** The top-level blocks that differ between two versions of a document; all before and after them are the same. */
export interface ChangedBlocks {
  /** Index of the first that differs. */
  readonly first: number;
  /** Position of that block, the same in both documents. */
  readonly from: number;
  readonly before: readonly Node[];
  readonly after: readonly Node[];
}

/** Compares by identity, as documents share the blocks that a step does not touch: a few microseconds for a book. */
export function changedBlocks(before: Node, after: Node): ChangedBlocks {
  const shared = Math.min(before.childCount, after.childCount);
  let first = 0;
  let from = 0;
  while (first < shared && before.child(first) === after.child(first)) from += before.child(first++).nodeSize;
  let end = 0;
  const lastBefore = before.childCount - 1;
  const lastAfter = after.childCount - 1;
  while (end < shared - first && before.child(lastBefore - end) === after.child(lastAfter - end)) end++;
  return {
    first,
    from,
    before: before.children.slice(first, before.childCount - end),
    after: after.children.slice(first, after.childCount - end),
  };
}
