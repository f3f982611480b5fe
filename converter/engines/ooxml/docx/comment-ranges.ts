import type { Node } from 'prosemirror-model';
import type { CommentCatalog } from './comment-catalog.ts';
import type { SourceMap } from './source-map.ts';

/** An anchor that begins or ends the range of a comment (17.13.4.3 and 17.13.4.4). */
interface RangeAnchor {
  readonly position: number;
  readonly node: Node;
  readonly isEnd: boolean;
  readonly isOfFile: boolean;
}

/** Comment nodes and the anchors around what they are about, as they stand in a document. */
export interface CommentRanges {
  /** The first node of each `ref`, in document order. */
  readonly comments: ReadonlyMap<string, { readonly node: Node; readonly position: number }>;
  /** Positions of further nodes of a `ref`. */
  readonly repeated: readonly number[];
  /** By comment; those of comments that only the file knows have a key that no `ref` is. */
  readonly anchors: ReadonlyMap<string, readonly RangeAnchor[]>;
}

const UNREAD = 'unread ';
/** Kinds of anchors, and of the same elements between blocks. */
const RANGE = /^(?:w:)?commentRange(Start|End)$/;

export function findRanges(doc: Node, map: SourceMap, catalog: CommentCatalog): CommentRanges {
  const comments = new Map<string, { node: Node; position: number }>();
  const repeated: number[] = [];
  const anchors = new Map<string, RangeAnchor[]>();
  doc.descendants((node, position) => {
    if (node.type.name === 'comment') {
      const { ref } = node.attrs;
      if (comments.has(ref)) repeated.push(position);
      else comments.set(ref, { node, position });
      return;
    }
    const record = recordOf(node, map);
    if (!record && node.type.name !== 'anchor') return;
    const { kind, ref } = (record?.node ?? node).attrs;
    const [, side] = RANGE.exec(kind ?? '') ?? [];
    if (side === undefined || ref === null) return;
    const key = record && !catalog.nodeOf(ref) ? UNREAD + ref : ref;
    const anchor = { position, node, isEnd: side === 'End', isOfFile: record !== undefined };
    const known = anchors.get(key);
    if (known) known.push(anchor);
    else anchors.set(key, [anchor]);
  });
  return { comments, repeated, anchors };
}

/** What the file has of an anchor: one in a paragraph, or one between blocks, which is opaque there. */
function recordOf(node: Node, map: SourceMap): { readonly node: Node } | undefined {
  return node.type.name === 'opaque_block' ? map.block(node.attrs.id, 'opaque') : map.inline(node);
}

/**
 * Positions of the anchors that cannot be written: those of no comment, and those that are not the start and the end
 * of one range. Anchors that the file itself has without their other half stay.
 */
export function brokenAnchors(doc: CommentRanges, source: CommentRanges): number[] {
  const strayIds = new Set<string>();
  for (const anchors of source.anchors.values()) {
    for (const anchor of withoutPair(anchors)) strayIds.add(anchor.node.attrs.id);
  }
  const broken: number[] = [];
  for (const [key, anchors] of doc.anchors) {
    const isStray = ({ node, isOfFile }: RangeAnchor) => isOfFile && strayIds.has(node.attrs.id);
    const isKnown = key.startsWith(UNREAD) || doc.comments.has(key);
    const dropped = isKnown ? withoutPair(anchors.filter((anchor) => !isStray(anchor))) : anchors;
    broken.push(...dropped.map(({ position }) => position));
  }
  return broken;
}

/** The anchors that are left when the first end and the start right before it are taken away. */
function withoutPair(anchors: readonly RangeAnchor[]): readonly RangeAnchor[] {
  const end = anchors.findIndex(({ isEnd }, index) => isEnd && index > 0 && !anchors[index - 1]!.isEnd);
  return end < 0 ? anchors : anchors.filter((_anchor, index) => index !== end && index !== end - 1);
}
