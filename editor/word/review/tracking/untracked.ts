import type { Node } from 'prosemirror-model';
import type { EditorState, Transaction } from 'prosemirror-state';
import { ReplaceStep, type Step } from 'prosemirror-transform';
import { wordSchema } from '../../../../model/word/schema.ts';
import { deletesOfComments, keepComments } from '../comments/keep-comments.ts';
import { breakRevisions, setBreakRevisions } from './paragraph-break.ts';
import { deletionOf, insertionOf } from './revision.ts';
import { withMetaOf } from './track.ts';

const { marks, nodes } = wordSchema;
const unchanged = { markInserted: null, markDeleted: null };

/**
 * The transaction of somebody whose changes are not tracked, near changes that are and near comments: what is typed
 * inside of a change is no part of it, the revisions of a paragraph's break stay with the break, and comments stay of
 * which only a part was deleted.
 */
export function untracked(state: EditorState, given: Transaction): Transaction {
  const isNear = (step: Step, doc: Node) => isNearChange(step, doc) || deletesOfComments(step, doc);
  if (!given.steps.some((step, index) => isNear(step, given.docs[index]!))) return given;
  const { tr } = state;
  for (const step of given.steps) {
    const before = tr.doc;
    tr.step(step);
    if (step instanceof ReplaceStep) keepChanges(tr, step, before);
  }
  tr.setSelection(given.selection.getBookmark().resolve(tr.doc));
  keepComments(tr, given);
  return withMetaOf(tr, given);
}

function isNearChange(step: Step, doc: Node): boolean {
  if (!(step instanceof ReplaceStep)) return false;
  return [doc.resolve(step.from), doc.resolve(step.to)].some(
    ({ parent, nodeBefore, nodeAfter }) =>
      parent.attrs.markInserted || parent.attrs.markDeleted || isChanged(nodeBefore) || isChanged(nodeAfter),
  );
}

const isChanged = (node: Node | null): boolean =>
  node?.isInline === true && (insertionOf(node) !== undefined || deletionOf(node) !== undefined);

function keepChanges(tr: Transaction, { from, to, slice }: ReplaceStep, before: Node): void {
  const end = from + slice.size;
  const $from = before.resolve(from);
  const isTyped = slice.content.content.every(({ isText }) => isText);
  if (isTyped && slice.size > 0) {
    const around = [$from.nodeBefore, before.resolve(to).nodeAfter].filter((node) => node?.isInline);
    for (const type of [marks.ins, marks.del]) {
      for (const node of around) {
        const mark = type.isInSet(node!.marks);
        if (mark) tr.removeMark(from, end, mark);
      }
    }
  }
  const $right = tr.doc.resolve(end);
  const old = before.resolve(to).parent;
  const hasRight = $right.parent.type === nodes.paragraph && old.type === nodes.paragraph;
  const right = hasRight ? $right.before() : null;
  if (right !== null) setBreakRevisions(tr, right, breakRevisions(old));
  const $left = tr.doc.resolve(from);
  if ($left.parent.type !== nodes.paragraph || $left.before() === right) return;
  if (slice.openStart > 0) setBreakRevisions(tr, $left.before(), unchanged);
}
