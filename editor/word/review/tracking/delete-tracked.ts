import type { Node } from 'prosemirror-model';
import type { Transform } from 'prosemirror-transform';
import { wordSchema } from '../../../../model/word/schema.ts';
import { removeBreak } from './paragraph-break.ts';
import { deletionOf, isBesideText, isOwnInsertion, markOf, type Revision } from './revision.ts';

const { nodes } = wordSchema;

/**
 * Deletes a range as a tracked change: text gets the mark of a deletion, and so do the breaks of paragraphs that end
 * in it. What the author inserted is really deleted. What can have no mark (tables, blocks that are opaque) stays.
 */
export function deleteTracked(tr: Transform, from: number, to: number, revision: Revision): void {
  if (from >= to) return;
  const begun = tr.mapping.maps.length;
  const breaks = breaksIn(tr.doc, from, to);
  for (const { start, end, node } of leavesIn(tr.doc, from, to).reverse()) {
    if (isOwnInsertion(node, revision)) tr.delete(start, end);
    else if (!deletionOf(node)) {
      const $start = tr.doc.resolve(start);
      const $end = tr.doc.resolve(end);
      tr.addMark(start, end, markOf('del', revision, [$start.nodeBefore, $end.nodeAfter]));
    }
  }
  for (const position of breaks.reverse()) {
    const at = tr.mapping.slice(begun).map(position);
    const { markInserted, markDeleted } = tr.doc.nodeAt(at)!.attrs;
    if (markInserted?.author === revision.author) removeBreak(tr, at);
    else if (!markDeleted) tr.setNodeAttribute(at, 'markDeleted', { ...revision });
  }
}

interface Leaf {
  readonly start: number;
  readonly end: number;
  readonly node: Node;
}

/** Text and inline nodes of a range, cut at its ends. */
function leavesIn(doc: Node, from: number, to: number): Leaf[] {
  const leaves: Leaf[] = [];
  doc.nodesBetween(from, to, (node, position) => {
    if (!node.isInline) return true;
    if (!isBesideText(node)) {
      leaves.push({ start: Math.max(from, position), end: Math.min(to, position + node.nodeSize), node });
    }
    return false;
  });
  return leaves;
}

/** Positions of the paragraphs whose break goes with a range, in ascending order. */
function breaksIn(doc: Node, from: number, to: number): number[] {
  const breaks = new Set<number>();
  doc.nodesBetween(from, to, (node, position, parent, index) => {
    if (node.type !== nodes.paragraph || !parent) return node.isBlock;
    const end = position + node.nodeSize - 1;
    if (end < from || end >= to) return false;
    if (parent.maybeChild(index + 1)?.type === nodes.paragraph) breaks.add(position);
    else if (position >= from) {
      const instead = breakInstead(doc, position, from);
      if (instead !== null) breaks.add(instead);
    }
    return false;
  });
  return [...breaks].sort((a, b) => a - b);
}

/**
 * A paragraph goes as a whole that has no other after it to join. Instead of its own break, the one before the
 * paragraphs that go with it goes. Without such a break its own does, unless it is what must end its container.
 */
function breakInstead(doc: Node, position: number, from: number): number | null {
  const isLast = doc.resolve(position + doc.nodeAt(position)!.nodeSize).nodeAfter === null;
  let at = position;
  for (;;) {
    const before = doc.resolve(at).nodeBefore;
    if (before?.type !== nodes.paragraph) return isLast ? null : position;
    at -= before.nodeSize;
    if (at < from) return at;
  }
}
