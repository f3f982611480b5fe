import type { Fragment, Node } from 'prosemirror-model';
import type { Transaction } from 'prosemirror-state';
import { AttrStep, ReplaceStep, type Step } from 'prosemirror-transform';
import { wordSchema } from '../../../../model/word/schema.ts';
import { isOfComment } from './comment-parts.ts';

const { nodes } = wordSchema;

/** Whether a transaction leaves everything but comments as it is. */
export function changesOnlyComments({ steps, docs }: Transaction): boolean {
  return steps.every((step, index) => isAboutComments(step, docs[index]!));
}

function isAboutComments(step: Step, doc: Node): boolean {
  if (step instanceof AttrStep) return doc.nodeAt(step.pos)?.type === nodes.comment;
  if (!(step instanceof ReplaceStep)) return false;
  const { openStart, openEnd, content } = step.slice;
  if (openStart > 0 || openEnd > 0 || !doc.resolve(step.from).parent.inlineContent) return false;
  const removed = doc.slice(step.from, step.to);
  return removed.openStart === 0 && removed.openEnd === 0 && holdsOnly(removed.content) && holdsOnly(content);
}

const holdsOnly = ({ content }: Fragment): boolean => content.every(isOfComment);
