import { Fragment, type Mark, type Node, Slice } from 'prosemirror-model';
import { ReplaceStep, type Transform } from 'prosemirror-transform';
import { wordSchema } from '../../../../model/word/schema.ts';
import { type BreakRevisions, breakRevisions, insertedBreak, setBreakRevisions } from './paragraph-break.ts';
import { deletionOf, insertionOf, isBesideText, markOf, type Revision } from './revision.ts';

const { marks, nodes } = wordSchema;
const unchanged: BreakRevisions = { markInserted: null, markDeleted: null };

/**
 * Inserts content as a tracked change. The break of the paragraph in which it lands stays at its end, new ones are
 * marked. Returns the index of the step that put it in, or null when that took several steps or none.
 */
export function insertTracked(
  tr: Transform,
  position: number,
  given: Slice,
  revision: Revision,
): number | null {
  const slice = withoutSharedWraps(given);
  const at = afterDeleted(tr.doc, position);
  const $at = tr.doc.resolve(at);
  const { parent } = $at;
  const mark = markOf('ins', revision, [$at.nodeBefore, $at.nodeAfter]);
  const old = parent.type === nodes.paragraph ? breakRevisions(parent) : unchanged;
  const marked = new Slice(
    markedFragment(slice.content, slice.openEnd, mark, revision, old),
    slice.openStart,
    slice.openEnd,
  );
  const before = tr.steps.length;
  const isBroken =
    slice.openStart === 1 &&
    slice.openEnd === 1 &&
    parent.type === nodes.paragraph &&
    [slice.content.firstChild, slice.content.lastChild].every((node) => node?.type === nodes.paragraph);
  if (isBroken) {
    tr.step(insertedBreak($at, marked, { ...revision }));
    return before;
  }
  const sizeBefore = tr.doc.content.size;
  // What fitted where it was given may not where that has come to be, behind text that is marked as deleted.
  const isAsGiven =
    slice.openStart === slice.openEnd && !tr.maybeStep(new ReplaceStep(at, at, marked)).failed;
  if (!isAsGiven) tr.replace(at, at, marked);
  if (tr.steps.length === before) return null;
  const isOneStep = tr.steps.length === before + 1 && tr.doc.content.size === sizeBefore + marked.size;
  if (slice.openStart > 0 && parent.type === nodes.paragraph) {
    setBreakRevisions(tr, $at.before(), { markInserted: { ...revision }, markDeleted: null });
  } else if (!parent.inlineContent) {
    // An empty paragraph at an open end is left out when it has no place.
    passBreakOn(tr, at, at + tr.doc.content.size - sizeBefore, revision);
  }
  return isOneStep ? before : null;
}

/** Paragraphs around the whole slice that are open on both sides are not inserted at all. */
function withoutSharedWraps(slice: Slice): Slice {
  let { content, openStart, openEnd } = slice;
  while (openStart > 0 && openEnd > 0 && content.childCount === 1) {
    content = content.firstChild!.content;
    openStart -= 1;
    openEnd -= 1;
  }
  return new Slice(content, openStart, openEnd);
}

/** What is typed inside of deleted text goes behind it. */
export function afterDeleted(doc: Node, position: number): number {
  let at = position;
  for (;;) {
    const { nodeBefore, nodeAfter } = doc.resolve(at);
    if (!nodeBefore?.isInline || !nodeAfter || !deletionOf(nodeBefore) || !deletionOf(nodeAfter)) return at;
    at += nodeAfter.nodeSize;
  }
}

/** @param openEnd how deep the content is open at its end, where a paragraph takes the break of the one it lands in */
function markedFragment(
  content: Fragment,
  openEnd: number,
  mark: Mark,
  revision: Revision,
  old: BreakRevisions,
): Fragment {
  const last = content.childCount - 1;
  return Fragment.fromArray(
    content.content.map((node, index) => {
      if (node.isInline) {
        return isBesideText(node) ? node : node.mark(mark.addToSet(marks.del.removeFromSet(node.marks)));
      }
      const isOpen = openEnd > 0 && index === last;
      const inner = markedFragment(node.content, isOpen ? openEnd - 1 : 0, mark, revision, old);
      if (node.type === nodes.table_cell) return node.copy(withPlainLastBreak(inner));
      if (node.type !== nodes.paragraph) return node.copy(inner);
      const revisions = isOpen ? old : { markInserted: { ...revision }, markDeleted: null };
      return node.type.create({ ...node.attrs, ...revisions }, inner, node.marks);
    }),
  );
}

/** The last paragraph of a cell has nothing to be joined with. */
function withPlainLastBreak(content: Fragment): Fragment {
  const { lastChild } = content;
  if (lastChild?.type !== nodes.paragraph) return content;
  const plain = lastChild.type.create(
    { ...lastChild.attrs, ...unchanged },
    lastChild.content,
    lastChild.marks,
  );
  return content.replaceChild(content.childCount - 1, plain);
}

/**
 * Whole paragraphs that were inserted behind the last one of their container: the new break is that of the paragraph
 * before them, and theirs is the one that was there.
 */
function passBreakOn(tr: Transform, from: number, to: number, revision: Revision): void {
  const $to = tr.doc.resolve(to);
  const last = $to.nodeBefore;
  if (last?.type !== nodes.paragraph || $to.nodeAfter?.type === nodes.paragraph) return;
  let at = to;
  for (;;) {
    const before = tr.doc.resolve(at).nodeBefore;
    if (before?.type !== nodes.paragraph) return;
    at -= before.nodeSize;
    if (at >= from) continue;
    // Without text it would give way to the new ones, which then were there for good.
    if (before.children.every((node) => isBesideText(node) || insertionOf(node))) return;
    // In this order: as long as all of them are new, the last of its container keeps the break that it had.
    setBreakRevisions(tr, at, { markInserted: { ...revision }, markDeleted: null });
    setBreakRevisions(tr, to - last.nodeSize, breakRevisions(before));
    return;
  }
}
