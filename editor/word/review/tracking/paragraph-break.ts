import { type Attrs, Fragment, type Node, type ResolvedPos, Slice } from 'prosemirror-model';
import { ReplaceAroundStep, type Transform } from 'prosemirror-transform';
import { wordSchema } from '../../../../model/word/schema.ts';
import { insertionOf, isBesideText } from './revision.ts';

const { nodes } = wordSchema;

const isParagraph = (node: Node | null): node is Node => node?.type === nodes.paragraph;

/** The revisions of the break at a paragraph's end. */
export interface BreakRevisions {
  readonly markInserted: Attrs | null;
  readonly markDeleted: Attrs | null;
}

/** The revisions of the break at the end of a paragraph. */
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
 * those of the paragraph, unless nothing of its text is left, or it is all new and the next was there before, and the next
 * is not its own second half. One step.
 */
export function removeBreak(tr: Transform, position: number): void {
  const paragraph = tr.doc.nodeAt(position)!;
  const end = position + paragraph.nodeSize;
  const next = tr.doc.nodeAt(end);
  if (!isParagraph(next) || tr.doc.resolve(end).nodeAfter !== next) {
    removeAlone(tr, position, paragraph);
    return;
  }
  const goesWhole = (isWithoutText(paragraph) || givesWay(paragraph, next)) && !isHalfOf(next, paragraph);
  if (goesWhole && paragraph.content.size === 0) {
    tr.delete(position, end);
    return;
  }
  const attrs = goesWhole ? next.attrs : { ...paragraph.attrs, ...breakRevisions(next) };
  const opened = new Slice(Fragment.from(paragraph.type.create(attrs, null, paragraph.marks)), 0, 1);
  tr.step(new ReplaceAroundStep(position, end + 1, position + 1, end - 1, opened, 1));
}

/**
 * The step that puts the content of a slice, open on both sides in a paragraph, into one: its beginning ends with the
 * first paragraph of the slice and a new break, the last one is its second half. One step, since between two the document would be another than before
 * with this change rejected.
 */
export function insertedBreak($at: ResolvedPos, { content }: Slice, revision: Attrs): ReplaceAroundStep {
  const { parent, pos } = $at;
  const attrs = { ...parent.attrs, markInserted: { ...revision }, markDeleted: null };
  const first = parent.type.create(attrs, content.firstChild!.content, parent.marks);
  const last = content.lastChild!;
  const rest = isHalfOf(last, parent)
    ? last
    : last.type.create({ ...last.attrs, origin: sourceOf(parent) }, last.content, last.marks);
  const opened = new Slice(content.replaceChild(0, first).replaceChild(content.childCount - 1, rest), 0, 1);
  return new ReplaceAroundStep($at.before(), pos, $at.start(), pos, opened, 1);
}

/** A paragraph with no other after it: it goes if nothing of its text is left and it is not the one that must end its container. */
function removeAlone(tr: Transform, position: number, paragraph: Node): void {
  const end = position + paragraph.nodeSize;
  const before = tr.doc.resolve(position).nodeBefore;
  const mayGo = tr.doc.resolve(end).nodeAfter !== null || isParagraph(before);
  if (isWithoutText(paragraph) && mayGo) tr.delete(position, end);
  else setBreakRevisions(tr, position, { markInserted: null, markDeleted: null });
}

function isWithoutText(paragraph: Node): boolean {
  return paragraph.children.every(isBesideText);
}

/** Whether a paragraph is new with all its text, and the next is not. */
function givesWay({ attrs, children }: Node, next: Node): boolean {
  const author = attrs.markInserted?.author;
  if (author === undefined || next.attrs.markInserted) return false;
  return children.every((node) => isBesideText(node) || insertionOf(node)?.attrs.author === author);
}

function isHalfOf(second: Node, first: Node): boolean {
  const { origin } = second.attrs;
  return origin !== null && (origin === first.attrs.id || origin === first.attrs.origin);
}

/** The block from which halves of one take what the model does not hold. */
const sourceOf = ({ attrs }: Node): string | null => attrs.origin ?? attrs.id;

function sameRevision(one: Attrs | null, other: Attrs | null): boolean {
  return one === other || (one?.author === other?.author && one?.date === other?.date && !!one && !!other);
}
