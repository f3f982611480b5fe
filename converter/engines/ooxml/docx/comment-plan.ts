import type { Attrs, Node } from 'prosemirror-model';
import { type CommentEntry, leadsTo } from './comment-catalog.ts';
import { brokenAnchors, findRanges } from './comment-ranges.ts';
import type { DocxSource } from './docx-source.ts';
import { withReplaced } from './replaced-nodes.ts';

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

/** What becomes of the comments of a document: numbers for new ones, and the document without what cannot be written. */
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
