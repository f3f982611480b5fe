import type { Node } from 'prosemirror-model';
import { wordSchema } from '../../../../model/word/schema.ts';
import type { CommentThread, DocumentComment } from '../../../shell/comments/document-comments.ts';
import { isOfComment, partOf } from './comment-parts.ts';

const { nodes } = wordSchema;

/** A comment, or an end of the range of one, and where it stands. */
export interface CommentItem {
  readonly node: Node;
  readonly position: number;
}

/** A comment as the model has it; `parent` is the `ref` of the one that it answers. */
type CommentAttrs = DocumentComment & { readonly parent: string | null };

export interface Range {
  readonly from: number;
  readonly to: number;
}

const remembered = new WeakMap<Node, readonly CommentItem[]>();
const none: readonly CommentItem[] = [];

/** Comments and ends of ranges in a node, by their distance from its start. Nodes that were looked at are not again. */
export function itemsIn(node: Node): readonly CommentItem[] {
  if (node.isLeaf) return partOf(node) ? [{ node, position: 0 }] : none;
  const known = remembered.get(node);
  if (known) return known;
  const inside = node.type === nodes.doc ? 0 : 1;
  const found: CommentItem[] = [];
  node.forEach((child, offset) => {
    for (const { node: item, position } of itemsIn(child)) {
      found.push({ node: item, position: inside + offset + position });
    }
  });
  const kept = found.length === 0 ? none : found;
  remembered.set(node, kept);
  return kept;
}

/**
 * The threads of a document in its order. An answer to an answer belongs to the thread of that.
 * Those that answer each other in a circle are threads of their own.
 */
export function threadsOf(items: readonly CommentItem[]): CommentThread[] {
  const comments = new Map<string, CommentAttrs>();
  for (const { node } of items) {
    if (node.type === nodes.comment && !comments.has(node.attrs.ref))
      comments.set(node.attrs.ref, node.attrs as CommentAttrs);
  }
  const answers = new Map<string, CommentAttrs[]>();
  for (const [ref, attrs] of comments) {
    const root = rootOf(comments, ref);
    const known = answers.get(root) ?? [];
    if (root !== ref) known.push(attrs);
    answers.set(root, known);
  }
  return [...answers].map(([ref, given]) => ({ ref, comment: comments.get(ref)!, answers: given }));
}

function rootOf(comments: ReadonlyMap<string, CommentAttrs>, ref: string): string {
  const seen = new Set([ref]);
  let at = ref;
  for (;;) {
    const parent: string | null = comments.get(at)!.parent;
    if (parent === null || !comments.has(parent)) return at;
    if (seen.has(parent)) return ref;
    seen.add(parent);
    at = parent;
  }
}

/** The first comment of the thread that a comment belongs to, by `ref`. */
export function rootsIn(threads: readonly CommentThread[]): ReadonlyMap<string, string> {
  return new Map(
    threads.flatMap(({ ref, answers }) =>
      [ref, ...answers.map((one) => String(one.ref))].map((one) => [one, ref]),
    ),
  );
}

/** What a comment is about, without its anchors. Where it has no range, or one in disorder, the place it stands at. */
export function rangeOf(items: readonly CommentItem[], ref: string): Range | null {
  const own = items.filter(({ node }) => node.attrs.ref === ref);
  const start = own.find(({ node }) => partOf(node) === 'start');
  const end = own.find(({ node }) => partOf(node) === 'end');
  if (start && end && start.position < end.position) return { from: start.position + 1, to: end.position };
  const comment = own.find(({ node }) => partOf(node) === 'comment');
  return comment ? { from: comment.position, to: comment.position } : null;
}

/** Whether anything is left of what a range is about. */
export function hasText(doc: Node, { from, to }: Range): boolean {
  let found = false;
  doc.nodesBetween(from, to, (node) => {
    if (node.isInline && !isOfComment(node)) found = true;
    return !found;
  });
  return found;
}
