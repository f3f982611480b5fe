import type { Fragment, Mark, Node } from 'prosemirror-model';
import { LIMITS } from '../package/limits.ts';
import type { CommentStyles } from './comment-entry-writer.ts';
import type { CommentPlan } from './comment-plan.ts';
import type { DocxSource } from './docx-source.ts';
import type { PackageAdditions } from './package-additions.ts';
import { RunPropertyWriter } from './run-properties.ts';
import { isWrapping } from './source-map.ts';

const ID_ATTRIBUTE = /\bw:id\s*=\s*["'](\d{1,9})["']/g;
const DRAWING_ID = /<wp:docPr\b[^>]*?\bid\s*=\s*["'](\d{1,9})["']/g;

/** What the writers of a main document part share. */
export class WriteContext {
  readonly source: DocxSource;
  readonly additions: PackageAdditions;
  readonly comments: CommentPlan;
  readonly runProperties: RunPropertyWriter;
  /** Ids of paragraphs, tables and the like that were not copied as they were, in document order. */
  readonly changed: string[] = [];
  readonly #claimed = new Set<string>();
  readonly #repeated: ReadonlySet<string>;
  #revisionPieces: ReadonlyMap<number, number> | undefined;
  #duplicateChars = 0;
  #commentStyles: CommentStyles | undefined;
  #lastRevision: number | undefined;
  #lastDrawing: number | undefined;

  constructor(source: DocxSource, additions: PackageAdditions, comments: CommentPlan) {
    this.source = source;
    this.additions = additions;
    this.runProperties = new RunPropertyWriter(source.runs.extras);
    this.comments = comments;
    this.#repeated = repeatedIds(comments.doc);
  }

  /**
   * True for the first node that asks for an id. Only that one is the node of the opened file; others are copies, as
   * a split or a paste makes them.
   */
  claim(id: string | null): boolean {
    if (id === null || this.#claimed.has(id)) return false;
    this.#claimed.add(id);
    return true;
  }

  /** Claims the ids of content that is copied raw. Costs nothing in a document without repeated ids. */
  claimContent(content: Fragment, from = 0, to = content.size): void {
    if (this.#repeated.size === 0) return;
    content.nodesBetween(from, to, (node) => {
      this.claim(node.attrs.id ?? null);
    });
  }

  /** Whether a copy of opaque XML may be written once more: hostile repetition must not fill the disk. */
  mayDuplicate(chars: number): boolean {
    this.#duplicateChars += chars;
    return this.#duplicateChars <= LIMITS.duplicateChars;
  }

  /** Whether a tracked change of the file stands in several places, as a split or a paste makes it. */
  standsInPieces(mark: Mark): boolean {
    this.#revisionPieces ??= piecesOfRevisions(this.comments.doc);
    return (this.#revisionPieces.get(mark.attrs.key) ?? 0) > 1;
  }

  get commentStyles(): CommentStyles {
    this.#commentStyles ??= {
      paragraph: this.source.styleId('paragraph', 'annotation text'),
      reference: this.source.styleId('character', 'annotation reference'),
    };
    return this.#commentStyles;
  }

  /** An id for a tracked change that no element of the document has. */
  nextRevisionId(): number {
    this.#lastRevision ??= highest(this.source.xml.text, ID_ATTRIBUTE);
    return ++this.#lastRevision;
  }

  /** An id for a drawing that no drawing of the document has. */
  nextDrawingId(): number {
    this.#lastDrawing ??= highest(this.source.xml.text, DRAWING_ID);
    return ++this.#lastDrawing;
  }
}

function repeatedIds(doc: Node): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  doc.descendants((node) => {
    const { id } = node.attrs;
    if (typeof id !== 'string') return;
    if (seen.has(id)) repeated.add(id);
    else seen.add(id);
  });
  return repeated;
}

function highest(text: string, pattern: RegExp): number {
  let found = 0;
  for (const match of text.matchAll(pattern)) found = Math.max(found, Number(match[1]));
  return found;
}

/** In how many pieces the tracked changes of the file stand in a document, by the key of their marks. */
function piecesOfRevisions(doc: Node): Map<number, number> {
  const pieces = new Map<number, number>();
  doc.descendants((block) => {
    if (!block.isTextblock) return true;
    let before: readonly Mark[] = [];
    block.forEach(({ marks }) => {
      const around = marks.filter(isWrapping);
      let shared = 0;
      while (shared < around.length && before[shared]?.eq(around[shared]!)) shared++;
      for (const { type, attrs } of around.slice(shared)) {
        const isRevision = type.name === 'ins' || type.name === 'del';
        if (isRevision && attrs.key !== null) pieces.set(attrs.key, (pieces.get(attrs.key) ?? 0) + 1);
      }
      before = around;
    });
    return false;
  });
  return pieces;
}
