import type { Mark, Node } from 'prosemirror-model';
import type { Transaction } from 'prosemirror-state';
import { wordSchema } from '../../../../model/word/schema.ts';

const { marks, nodes } = wordSchema;

/** Who changes the text, and when: ISO 8601 to the second, in UTC. */
export interface Revision {
  readonly author: string;
  readonly date: string;
}

/** What somebody does within this time of their last change beside it is part of that change. */
const continuesForMs = 300_000;

/** The revision that somebody makes at a time. */
export function revisionOf(author: string, timeMs: number): Revision {
  return { author, date: `${new Date(timeMs).toISOString().slice(0, 19)}Z` };
}

/** Ends of comments' ranges, bookmarks and comments: no part of the text, so they are neither inserted nor deleted. */
export function isBesideText({ type }: Node): boolean {
  return type === nodes.anchor || type === nodes.comment;
}

export const insertionOf = (node: Node): Mark | undefined => marks.ins.isInSet(node.marks);
export const deletionOf = (node: Node): Mark | undefined => marks.del.isInSet(node.marks);

/** Inserted by the author and not accepted yet. */
export function isOwnInsertion(node: Node, { author }: Revision): boolean {
  return insertionOf(node)?.attrs.author === author;
}

/** Whether a mark is a change of the same author that this one goes on with. */
export function continues(mark: Mark | undefined, { author, date }: Revision): mark is Mark {
  if (!mark || mark.attrs.key !== null || mark.attrs.author !== author) return false;
  const elapsedMs = Date.parse(date) - Date.parse(mark.attrs.date ?? '');
  return elapsedMs >= 0 && elapsedMs < continuesForMs;
}

/** The mark of a revision at a place: that of its neighbours when it goes on with their change, else a new one. */
export function markOf(
  kind: 'ins' | 'del',
  revision: Revision,
  neighbours: readonly (Node | null | undefined)[],
): Mark {
  for (const neighbour of neighbours) {
    const mark = neighbour ? marks[kind].isInSet(neighbour.marks) : undefined;
    if (continues(mark, revision)) return mark;
  }
  return marks[kind].create(revision);
}

/** What somebody decides on a tracked change. */
export type Decision = 'accept' | 'reject';

/** What a tracked change is: of text, a move, of properties, or something within what the model does not hold. */
export type ChangeKind = 'insertion' | 'deletion' | 'moveFrom' | 'moveTo' | 'format' | 'object';

const exemptKey = 'exempt-from-tracking';

/** Marks a transaction that is no writing of text, such as a comment or the acceptance of a change: never tracked. */
export const exemptFromTracking = (transaction: Transaction): Transaction =>
  transaction.setMeta(exemptKey, true);

export const isExemptFromTracking = (transaction: Transaction): boolean =>
  transaction.getMeta(exemptKey) === true;
