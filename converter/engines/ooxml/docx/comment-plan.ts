import type { Attrs, Node } from 'prosemirror-model';
import { type CommentCatalog, type CommentEntry, leadsTo } from './comment-catalog.ts';
import type { DocxSource } from './docx-source.ts';
import { withReplaced } from './replaced-nodes.ts';
import type { SourceMap } from './source-map.ts';

/** A comment of the document that is written. */
export interface PlannedComment {
  readonly ref: string;
  /** Its `w:id`. */
  readonly number: string;
  readonly attrs: Attrs;
  /** The comment of the file that it is; undefined for a new one. */
  readonly entry: CommentEntry | undefined;
  /** `ref` of the comment that it answers: one that is written, or that the file has outside of the text. */
  readonly parent: string | null;
}

/** Whether a comment of the file has come to answer another one, or to be resolved or open again. */
export function hasNewState({ attrs, entry, parent }: PlannedComment): boolean {
  return entry !== undefined && (parent !== entry.attrs.parent || attrs.done !== entry.attrs.done);
}

const WRITTEN = ['author', 'initials', 'date', 'text'];

/** Whether a comment of the file says something else than it did. */
export function hasNewContent({ attrs, entry }: PlannedComment): boolean {
  return entry !== undefined && WRITTEN.some((name) => attrs[name] !== entry.attrs[name]);
}

/** How the comments of a document are written: numbers for new ones, and the document without what cannot be written. */
export class CommentPlan {
  /**
   * The document to be written. Repeated comments and halves of ranges are not in it, and comments of the file stand
   * as they were opened, as what changed of them is written elsewhere.
   */
  readonly doc: Node;
  /** By `ref`, in document order. */
  readonly comments: ReadonlyMap<string, PlannedComment>;
  /** Comments of the file that nothing in the document refers to any more. */
  readonly removed: readonly CommentEntry[];

  constructor(source: DocxSource, doc: Node) {
    const catalog = source.comments;
    const ranges = findRanges(doc, source.map, catalog);
    const replaced = new Map<number, readonly Node[]>();
    for (const position of ranges.repeated) replaced.set(position, []);
    if (ranges.anchors.size > 0) {
      const sourceRanges = findRanges(source.doc, source.map, catalog);
      for (const position of brokenAnchors(ranges, sourceRanges)) replaced.set(position, []);
    }
    const numbers = new CommentNumbers(source);
    const parents = new Map<string, string>();
    const comments = new Map<string, PlannedComment>();
    for (const [ref, { node, position }] of ranges.comments) {
      const opened = catalog.nodeOf(ref);
      if (opened && !node.hasMarkup(opened.type, opened.attrs, node.marks)) {
        replaced.set(position, [opened.mark(node.marks)]);
      }
      const { parent } = node.attrs;
      const isKnown = ranges.comments.has(parent) || (catalog.entries.has(parent) && !catalog.nodeOf(parent));
      if (isKnown && !leadsTo(parents, parent, ref)) parents.set(ref, parent);
      comments.set(ref, {
        ref,
        number: opened ? ref : numbers.next(),
        attrs: node.attrs,
        entry: opened && catalog.entries.get(ref),
        parent: parents.get(ref) ?? null,
      });
    }
    this.comments = comments;
    this.doc = withReplaced(doc, replaced);
    this.removed = [...catalog.entries.values()].filter(
      ({ ref }) => catalog.nodeOf(ref) && !comments.has(ref),
    );
  }

  numberOf(ref: string | null): string | undefined {
    return ref === null ? undefined : this.comments.get(ref)?.number;
  }
}

const IDS = /<w:comment(?:RangeStart|RangeEnd|Reference)?\b[^>]*?\bw:id\s*=\s*["']\s*[+-]?(\d{1,10})["']/g;
const GREATEST = 2_147_483_647;

/** Numbers that no comment of a package has. */
class CommentNumbers {
  readonly #source: DocxSource;
  #used: Set<number> | undefined;
  #last = -1;

  constructor(source: DocxSource) {
    this.#source = source;
  }

  next(): string {
    if (!this.#used) {
      const { xml, comments } = this.#source;
      const texts = [xml.text, comments.xml?.text ?? ''];
      this.#used = new Set(texts.flatMap((text) => [...text.matchAll(IDS)].map(([, id]) => Number(id))));
      const highest = [...this.#used].reduce((most, number) => Math.max(most, number), -1);
      if (highest < GREATEST / 2) this.#last = highest;
    }
    do this.#last++;
    while (this.#used.has(this.#last));
    return String(this.#last);
  }
}

/** An anchor that begins or ends the range of a comment (17.13.4.3 and 17.13.4.4). */
interface RangeAnchor {
  readonly position: number;
  readonly node: Node;
  readonly isEnd: boolean;
  readonly isOfFile: boolean;
}

/** Comment nodes and the anchors around what they are about, as they stand in a document. */
interface CommentRanges {
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

function findRanges(doc: Node, map: SourceMap, catalog: CommentCatalog): CommentRanges {
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
function brokenAnchors(doc: CommentRanges, source: CommentRanges): number[] {
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
