import type { Node } from 'prosemirror-model';
import { wordSchema } from '../../model/word/schema.ts';

const { nodes } = wordSchema;

/** What a review left in a document: comments without the ids that writing changes, and tracked breaks. */
export interface Review {
  /** In document order, with the index of the comment that each answers. */
  readonly comments: readonly Record<string, unknown>[];
  /** Paragraphs with text: it, and the tracked changes of the break after it. */
  readonly breaks: readonly unknown[];
}

export function reviewOf(doc: Node): Review {
  const comments = new Map<string, Node>();
  const breaks: unknown[] = [];
  doc.descendants((node) => {
    if (node.type === nodes.comment && !comments.has(node.attrs.ref)) comments.set(node.attrs.ref, node);
    if (!node.isTextblock) return;
    const text = node.textBetween(0, node.content.size);
    if (text !== '') breaks.push([text, node.attrs.markInserted, node.attrs.markDeleted]);
  });
  const refs = [...comments.keys()];
  const parents = parentsOf(comments);
  return {
    comments: [...comments.values()].map(({ attrs: { id: _id, ref, parent: _parent, ...others } }) => ({
      ...others,
      parent: refs.indexOf(parents.get(ref) ?? ''),
    })),
    breaks,
  };
}

/** What each comment answers, by `ref`: the last one of a circle, also of itself alone, answers nothing. */
function parentsOf(comments: ReadonlyMap<string, Node>): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const [ref, { attrs }] of comments) {
    let ancestor: string | undefined = attrs.parent;
    while (ancestor !== undefined && ancestor !== ref) ancestor = parents.get(ancestor);
    if (ancestor === undefined && comments.has(attrs.parent)) parents.set(ref, attrs.parent);
  }
  return parents;
}

/** Refs of anchors around comments that are not one start and one end in this order, or of no comment. */
export function brokenRanges(doc: Node): string[] {
  const kinds = new Map<string, string>();
  const comments = new Set<string>();
  doc.descendants(({ type, attrs }) => {
    if (type === nodes.comment) comments.add(attrs.ref);
    if (type !== nodes.anchor || !attrs.kind.startsWith('commentRange')) return;
    kinds.set(attrs.ref, (kinds.get(attrs.ref) ?? '') + attrs.kind.slice('commentRange'.length));
  });
  return [...kinds.keys()].filter((ref) => kinds.get(ref) !== 'StartEnd' || !comments.has(ref));
}
