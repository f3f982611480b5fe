import type { Mark, Node, ResolvedPos } from 'prosemirror-model';
import { AllSelection, type EditorState, Selection, type Transaction } from 'prosemirror-state';
import { wordSchema } from '../../../../model/word/schema.ts';
import { isXmlText } from '../../../../model/xml-text.ts';
import { splitUserName } from '../../../frame/user-name.ts';
import { initialsOf } from '../../../shell/people/people.ts';
import { exemptFromTracking, type Revision } from '../tracking/revision.ts';
import { itemsIn, type Range, threadsOf } from './threads.ts';

const { nodes } = wordSchema;

/** As many characters as the model lets a comment have. */
export const longestCommentChars = 32_000;

/** Text as a comment can hold it. */
export function commentText(typed: string): string {
  const text = typed.replaceAll('\r', '').trim().slice(0, longestCommentChars).toWellFormed();
  return isXmlText(text) ? text : [...text].filter(isXmlText).join('');
}

/** A name for a new comment; its number is made when the file is written. */
export function newRef(): string {
  const parts = crypto.getRandomValues(new Uint32Array(2));
  return `c${Array.from(parts, (part) => part.toString(36)).join('')}`;
}

interface NewComment {
  readonly ref: string;
  readonly text: string;
  readonly revision: Revision;
}

function commentNode(
  { ref, text, revision }: NewComment,
  parent: string | null,
  marks: readonly Mark[],
): Node {
  const { author, date } = revision;
  const initials = initialsOf(splitUserName(author).name).slice(0, 9);
  return nodes.comment.create({ ref, parent, author, initials, date, text }, null, marks);
}

/** Comments on a range of the text; on a place of it when the range is empty. */
export function addComment(state: EditorState, { from, to }: Range, comment: NewComment): Transaction {
  const { tr, doc } = state;
  const anchor = (kind: string, at: number) =>
    nodes.anchor.create({ kind, ref: comment.ref }, null, marksAround(doc.resolve(at)));
  const node = commentNode(comment, null, marksAround(doc.resolve(to)));
  if (from === to) return exemptFromTracking(keepingSelection(state, tr.insert(to, node)));
  tr.insert(to, [anchor('commentRangeEnd', to), node]);
  tr.insert(from, anchor('commentRangeStart', from));
  return exemptFromTracking(keepingSelection(state, tr));
}

/** Answers at the end of a thread. Null if the thread is gone. */
export function answer(state: EditorState, thread: string, comment: NewComment): Transaction | null {
  const items = itemsIn(state.doc);
  const refs = refsOf(state, thread);
  const last = items.findLast(({ node }) => node.type === nodes.comment && refs.has(node.attrs.ref));
  if (!last) return null;
  const node = commentNode(comment, thread, last.node.marks);
  return exemptFromTracking(keepingSelection(state, state.tr.insert(last.position + 1, node)));
}

/** Changes attributes of a comment. Null if it is gone. */
export function changeComment(
  state: EditorState,
  ref: string,
  changes: { readonly text?: string; readonly done?: boolean },
): Transaction | null {
  const found = itemsIn(state.doc).find(({ node }) => node.type === nodes.comment && node.attrs.ref === ref);
  if (!found) return null;
  const { tr } = state;
  for (const [name, value] of Object.entries(changes)) {
    if (found.node.attrs[name] !== value) tr.setNodeAttribute(found.position, name, value);
  }
  return tr.docChanged ? exemptFromTracking(tr) : null;
}

/** Takes a comment away, and with the first of a thread its answers. */
export function removeComment(state: EditorState, ref: string): Transaction | null {
  const refs = refsOf(state, ref);
  const { tr } = state;
  for (const { node, position } of itemsIn(state.doc).toReversed()) {
    if (node.isInline && refs.has(node.attrs.ref)) tr.delete(position, position + node.nodeSize);
  }
  return tr.docChanged ? exemptFromTracking(tr) : null;
}

/** A comment and, if it is the first of a thread, the answers to it. */
function refsOf(state: EditorState, ref: string): Set<string> {
  const thread = threadsOf(itemsIn(state.doc)).find((one) => one.ref === ref);
  return new Set([ref, ...(thread?.answers ?? []).map((attrs) => String(attrs.ref))]);
}

/** What a comment on the selection is about: the selected text, or the word at the cursor. Null outside of text. */
export function rangeToComment({ doc, selection }: EditorState): Range | null {
  const { empty } = selection;
  const isAll = selection instanceof AllSelection;
  const { $from } = isAll ? Selection.atStart(doc) : selection;
  const { $to } = isAll ? Selection.atEnd(doc) : selection;
  if (!$from.parent.inlineContent || !$to.parent.inlineContent) return null;
  return empty ? wordAt($from) : { from: $from.pos, to: $to.pos };
  function wordAt($at: ResolvedPos): Range {
    const text = doc.textBetween($at.start(), $at.end(), ' ', ' ');
    const before = /[\p{L}\p{N}_]*$/u.exec(text.slice(0, $at.parentOffset))![0];
    const after = /^[\p{L}\p{N}_]*/u.exec(text.slice($at.parentOffset))![0];
    const from = $at.pos - before.length;
    const to = $at.pos + after.length;
    // Content whose text is longer or shorter than its place makes letters and places differ.
    const agrees = doc.textBetween(from, to, ' ', ' ') === before + after;
    return agrees ? { from, to } : { from: $at.pos, to: $at.pos };
  }
}

/** The link or content control that goes on over a place: what is put there must not cut it in two. */
function marksAround({ nodeBefore, nodeAfter }: ResolvedPos): Mark[] {
  if (!nodeBefore?.isInline || !nodeAfter?.isInline) return [];
  return nodeBefore.marks.filter(
    (mark) => ['link', 'within'].includes(mark.type.name) && mark.isInSet(nodeAfter.marks),
  );
}

/** The selection stays around what it was around, and does not grow. */
function keepingSelection(state: EditorState, tr: Transaction): Transaction {
  return tr.setSelection(state.selection.map(tr.doc, tr.mapping));
}

/** The comment that a link names: by its name here, or, as files number comments anew, by the time it was made. */
export function commentOfLink(state: EditorState, link: string): string | null {
  const [ref, date] = link.split(' ');
  const threads = threadsOf(itemsIn(state.doc));
  const matches = (test: (ref: string, date: string | null) => boolean) =>
    threads.find(({ comment, answers }) => [comment, ...answers].some((one) => test(one.ref, one.date)))?.ref;
  return (
    matches((one, made) => one === ref && (!date || made === date)) ??
    matches((_one, made) => date !== undefined && made === date) ??
    matches((one) => one === ref) ??
    null
  );
}

export const linkToComment = ({ ref, revision }: { ref: string; revision: Revision }): string =>
  `${ref} ${revision.date}`;
