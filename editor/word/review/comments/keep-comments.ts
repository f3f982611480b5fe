import type { Node } from 'prosemirror-model';
import { Selection, type Transaction } from 'prosemirror-state';
import { ReplaceStep, type Step } from 'prosemirror-transform';
import { partOf } from './comment-parts.ts';
import { itemsIn, rootsIn, threadsOf } from './threads.ts';

interface Lost {
  /** In the document after all steps. */
  readonly position: number;
  readonly nodes: readonly Node[];
}

/**
 * Puts back what a deletion took of comments of which something is left: with one end of its range a comment would
 * lose the other, and with the place where it stands all that was said. A comment that is deleted with everything
 * that it is about goes.
 */
export function keepComments(tr: Transaction, given: Transaction): void {
  const lost = given.steps.flatMap((step, index) => lostBy(step, given.docs[index]!, given, index));
  for (const { position, nodes } of lost.sort((one, other) => other.position - one.position)) {
    const $at = tr.doc.resolve(position);
    const at = $at.parent.inlineContent ? position : Selection.near($at, -1).from;
    if (tr.doc.resolve(at).parent.inlineContent) tr.insert(at, nodes);
  }
}

/** Whether a step deletes anything of a comment. */
export function deletesOfComments(step: Step, doc: Node): step is ReplaceStep {
  if (!(step instanceof ReplaceStep) || step.from === step.to) return false;
  let found = false;
  doc.nodesBetween(step.from, step.to, (node) => {
    if (node.isInline && partOf(node)) found = true;
    return !found;
  });
  return found;
}

function lostBy(step: Step, doc: Node, { mapping }: Transaction, index: number): Lost[] {
  if (!deletesOfComments(step, doc)) return [];
  const { from, to, slice } = step;
  const items = itemsIn(doc);
  const roots = rootsIn(threadsOf(items));
  const rootOf = ({ attrs }: Node): string => roots.get(attrs.ref) ?? attrs.ref;
  const isDeleted = (position: number) => position >= from && position < to;
  const left = new Set(items.filter(({ position }) => !isDeleted(position)).map(({ node }) => rootOf(node)));
  const moved = new Set<string>();
  slice.content.descendants((node) => {
    if (partOf(node)) moved.add(rootOf(node));
  });
  const lost = items
    .filter(({ node, position }) => isDeleted(position) && node.isInline)
    .map(({ node }) => node)
    .filter((node) => left.has(rootOf(node)) && !moved.has(rootOf(node)));
  const place = (position: number, nodes: readonly Node[]): Lost[] =>
    nodes.length === 0 ? [] : [{ position: mapping.slice(index + 1).map(position), nodes }];
  return [
    ...place(
      from + slice.size,
      lost.filter((node) => partOf(node) === 'start'),
    ),
    ...place(
      from,
      lost.filter((node) => partOf(node) !== 'start'),
    ),
  ];
}
