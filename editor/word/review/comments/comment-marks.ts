import type { Node } from 'prosemirror-model';
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { wordSchema } from '../../../../model/word/schema.ts';
import type { CommentThread } from '../../../shell/comments/document-comments.ts';
import { changedBlocks } from '../../view/sequence-decorations.ts';
import { type CommentItem, hasText, itemsIn, type Range, rangeOf, threadsOf } from './threads.ts';
import './comment-marks.css';

/** The comments of a state and how they are shown. `threads` is another list only when a comment came, went or changed. */
export interface CommentMarks {
  readonly threads: readonly CommentThread[];
  readonly decorations: DecorationSet;
  /** Threads that are about no text: they may get some. */
  readonly points: ReadonlySet<string>;
  readonly active: string | null;
  /** What a comment that is being written is about. */
  readonly draft: Range | null;
}

type Meta = Partial<Pick<CommentMarks, 'active' | 'draft'>>;

const key = new PluginKey<CommentMarks>('comment-marks');

export const commentsIn = (state: EditorState): CommentMarks | undefined => key.getState(state);

/** Says which thread is looked at, or what a new comment is about. */
export const markComments = (tr: Transaction, meta: Meta): Transaction =>
  tr.setMeta(key, meta).setMeta('addToHistory', false);

/**
 * Marks what comments are about. The marks move with the text; they are made again only when a change touches a
 * comment or an end of its range.
 */
export function commentMarks(sees: (author: string) => boolean): Plugin<CommentMarks> {
  return new Plugin<CommentMarks>({
    key,
    state: {
      init: (_config, { doc }) => made(doc, sees, null, null),
      apply: (tr, current, { doc: before }, { doc: after }) => {
        const meta = tr.getMeta(key) as Meta | undefined;
        const active = meta?.active !== undefined ? meta.active : current.active;
        const draft = meta?.draft !== undefined ? meta.draft : mapped(current.draft, tr);
        const decorations = current.decorations.map(tr.mapping, after);
        if (meta || (tr.docChanged && areTouched(before, after, current.points, decorations))) {
          const next = made(after, sees, active, draft);
          return sameThreads(current.threads, next.threads) ? { ...next, threads: current.threads } : next;
        }
        if (!tr.docChanged) return current;
        return { ...current, draft, decorations };
      },
    },
    props: { decorations: (state) => key.getState(state)?.decorations },
  });
}

function mapped(draft: Range | null, { docChanged, mapping }: Transaction): Range | null {
  if (!draft || !docChanged) return draft;
  const from = mapping.map(draft.from, 1);
  return { from, to: Math.max(from, mapping.map(draft.to, -1)) };
}

/** Whether a change concerns comments: those in the blocks that it changed are others, or have no text or none any more. */
function areTouched(
  before: Node,
  after: Node,
  points: ReadonlySet<string>,
  decorations: DecorationSet,
): boolean {
  const changed = changedBlocks(before, after);
  const old = changed.before.flatMap(itemsIn);
  const now = changed.after.flatMap(itemsIn);
  const isSame = old.length === now.length && old.every(({ node }, index) => node.eq(now[index]!.node));
  if (!isSame) return true;
  return now.some(({ node }) => {
    const { ref } = node.attrs;
    return points.has(ref) || decorations.find(undefined, undefined, (spec) => spec.ref === ref).length === 0;
  });
}

function made(
  doc: Node,
  sees: (author: string) => boolean,
  active: string | null,
  draft: Range | null,
): CommentMarks {
  const items = itemsIn(doc);
  const threads = threadsOf(items).filter(({ comment }) => sees(comment.author));
  const points = new Set<string>();
  const decorations = threads.flatMap(({ ref, comment }) => {
    const range = rangeOf(items, ref);
    if (!range) return [];
    const look = `${comment.done ? ' commented-done' : ''}${ref === active ? ' commented-active' : ''}`;
    if (hasText(doc, range)) return [textMark(range, `commented${look}`, ref)];
    points.add(ref);
    const place = placeOf(items, ref);
    return place === null ? [] : [pointMark(place, `comment-point${look}`, ref)];
  });
  if (draft && draft.from < draft.to) decorations.push(textMark(draft, 'commented commented-active', null));
  return { threads, points, active, draft, decorations: DecorationSet.create(doc, decorations) };
}

const textMark = ({ from, to }: Range, name: string, ref: string | null): Decoration =>
  Decoration.inline(from, to, { class: name }, { ref, inclusiveStart: true, inclusiveEnd: true });

const pointMark = (position: number, name: string, ref: string): Decoration =>
  Decoration.node(position, position + 1, { class: name }, { ref });

function placeOf(items: readonly CommentItem[], ref: string): number | null {
  const found = items.find(({ node }) => node.type === wordSchema.nodes.comment && node.attrs.ref === ref);
  return found?.position ?? null;
}

function sameThreads(one: readonly CommentThread[], other: readonly CommentThread[]): boolean {
  return (
    one.length === other.length &&
    one.every((thread, index) => {
      const { ref, comment, answers } = other[index]!;
      const isSame = thread.ref === ref && thread.comment === comment;
      return (
        isSame &&
        thread.answers.length === answers.length &&
        answers.every((a, at) => a === thread.answers[at])
      );
    })
  );
}

/** The threads whose text is at a position, the shortest range first. */
export function threadsAt(state: EditorState, position: number): string[] {
  const found = commentsIn(state)?.decorations.find(position, position, (spec) => spec.ref !== null) ?? [];
  return found
    .sort((one, other) => one.to - one.from - (other.to - other.from))
    .map(({ spec }) => String(spec.ref));
}

/** What a thread is about as it is now, and the text of that. */
export function placeOfThread(state: EditorState, ref: string): (Range & { readonly text: string }) | null {
  const range = rangeOf(itemsIn(state.doc), ref);
  return range && { ...range, text: state.doc.textBetween(range.from, range.to, ' ', ' ') };
}
