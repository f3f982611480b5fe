import type { Attrs, Node } from 'prosemirror-model';
import type { Transform } from 'prosemirror-transform';
import { wordSchema } from '../../../../model/word/schema.ts';
import { isBesideText } from './revision.ts';

const { nodes } = wordSchema;

const isParagraph = (node: Node | null): node is Node => node?.type === nodes.paragraph;

/** The revisions of the break at a paragraph's end. */
export interface BreakRevisions {
  readonly markInserted: Attrs | null;
  readonly markDeleted: Attrs | null;
}

export function breakRevisions({ attrs }: Node): BreakRevisions {
  return { markInserted: attrs.markInserted, markDeleted: attrs.markDeleted };
}

/** Says how the break of the paragraph at a position was changed. */
export function setBreakRevisions(tr: Transform, position: number, wanted: BreakRevisions): void {
  const { attrs } = tr.doc.nodeAt(position)!;
  for (const name of ['markInserted', 'markDeleted'] as const) {
    if (!sameRevision(attrs[name], wanted[name])) tr.setNodeAttribute(position, name, wanted[name]);
  }
}

/**
 * Joins the paragraph at a position with the next. What is left of the break is that of the next. Properties are
 * those of the paragraph, unless nothing of its text is left and the next is not its own second half.
 */
export function removeBreak(tr: Transform, position: number): void {
  const paragraph = tr.doc.nodeAt(position)!;
  const end = position + paragraph.nodeSize;
  const next = tr.doc.nodeAt(end);
  if (!isParagraph(next) || tr.doc.resolve(end).nodeAfter !== next) {
    removeAlone(tr, position, paragraph);
    return;
  }
  const goesWhole = isWithoutText(paragraph) && !isHalfOf(next, paragraph);
  if (goesWhole && paragraph.content.size === 0) {
    tr.delete(position, end);
    return;
  }
  tr.join(end);
  if (goesWhole) tr.setNodeMarkup(position, null, next.attrs);
  else setBreakRevisions(tr, position, breakRevisions(next));
}

/** A paragraph with no other after it: it goes if it is empty and not the one that must end its container. */
function removeAlone(tr: Transform, position: number, paragraph: Node): void {
  const end = position + paragraph.nodeSize;
  const before = tr.doc.resolve(position).nodeBefore;
  const mayGo = tr.doc.resolve(end).nodeAfter !== null || isParagraph(before);
  if (paragraph.content.size === 0 && mayGo) tr.delete(position, end);
  else setBreakRevisions(tr, position, { markInserted: null, markDeleted: null });
}

export function isWithoutText(paragraph: Node): boolean {
  return paragraph.children.every(isBesideText);
}

function isHalfOf(second: Node, first: Node): boolean {
  const { origin } = second.attrs;
  return origin !== null && (origin === first.attrs.id || origin === first.attrs.origin);
}

function sameRevision(one: Attrs | null, other: Attrs | null): boolean {
  return one === other || (one?.author === other?.author && one?.date === other?.date && !!one && !!other);
}
