import { Mark, type Node } from 'prosemirror-model';
import { isXmlText } from '../xml-text.ts';
import { WORD_LIMITS } from './limits.ts';

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

export class TooDeepError extends RangeError {}

/**
 * Checks every node of `after` that `before` does not share with it, so the cost follows the size of a change and not
 * that of the document. Attribute values need no look: their checks ran when the nodes were made.
 * @throws RangeError when a node breaks the schema, TooDeepError when nodes are nested too deeply
 */
export function checkChanged(before: Node, after: Node, depth = 0): void {
  if (before === after) return;
  checkNode(after, depth);
  const { childCount } = after;
  const { start, end } = sharedChildren(before, after);
  const samePlaces = childCount === before.childCount;
  for (let index = start; index < childCount - end; index++) {
    const child = after.child(index);
    if (samePlaces) checkChanged(before.child(index), child, depth + 1);
    else checkAll(child, depth + 1);
  }
}

/** Checks a node and all below it. */
export function checkAll(node: Node, depth = 0): void {
  checkNode(node, depth);
  node.forEach((child) => {
    checkAll(child, depth + 1);
  });
}

function checkNode(node: Node, depth: number): void {
  if (depth > WORD_LIMITS.documentDepth) throw new TooDeepError('nested too deeply');
  if (node.isText) {
    if (!isXmlText(node.text!)) throw new RangeError('text that a document cannot hold');
  } else if (!node.type.validContent(node.content)) {
    throw new RangeError(`invalid content of ${node.type.name}`);
  }
  const marks = node.marks.reduce((set, mark) => mark.addToSet(set), Mark.none);
  if (!Mark.sameSet(marks, node.marks)) throw new RangeError(`invalid marks of ${node.type.name}`);
}
