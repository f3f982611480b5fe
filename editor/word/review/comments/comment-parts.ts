import type { Node } from 'prosemirror-model';
import { wordSchema } from '../../../../model/word/schema.ts';

const { nodes } = wordSchema;

/** What belongs to a comment: itself, where it stands, and the ends of the range that it is about. */
export type CommentPart = 'comment' | 'start' | 'end';

const ends: Readonly<Record<string, CommentPart>> = {
  commentRangeStart: 'start',
  commentRangeEnd: 'end',
  // Between blocks they are opaque, with the name of their element.
  'w:commentRangeStart': 'start',
  'w:commentRangeEnd': 'end',
};

/** Which part of a comment a node is, or null. */
export function partOf({ type, attrs }: Node): CommentPart | null {
  if (type === nodes.comment) return 'comment';
  return type === nodes.anchor || type === nodes.opaque_block ? (ends[attrs.kind] ?? null) : null;
}

/** Whether a node in the text is a part of a comment. */
export const isOfComment = (node: Node): boolean => node.isInline && partOf(node) !== null;
