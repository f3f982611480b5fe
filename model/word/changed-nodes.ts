import type { Node } from 'prosemirror-model';

type Visit = (node: Node) => void;

/** How many children two nodes share at their beginning and at their end. */
export function sharedChildren(before: Node, after: Node): { start: number; end: number } {
  const { children: old } = before;
  const { children: now } = after;
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  const shift = old.length - now.length;
  let at = now.length;
  while (at > start && at + shift > start && now[at - 1] === old[at - 1 + shift]) at--;
  return { start, end: now.length - at };
}

/** Visits every node of each of two documents that they do not share: the cost follows the size of what changed. */
export function changedNodes(before: Node, after: Node, removed: Visit, added: Visit): void {
  if (before === after) return;
  removed(before);
  added(after);
  const { start, end } = sharedChildren(before, after);
  const samePlaces = before.childCount === after.childCount;
  for (let index = start; samePlaces && index < after.childCount - end; index++) {
    changedNodes(before.child(index), after.child(index), removed, added);
  }
  if (samePlaces) return;
  for (let index = start; index < before.childCount - end; index++) visitAll(before.child(index), removed);
  for (let index = start; index < after.childCount - end; index++) visitAll(after.child(index), added);
}

export function visitAll(node: Node, visit: Visit): void {
  visit(node);
  node.forEach((child) => {
    visitAll(child, visit);
  });
}
