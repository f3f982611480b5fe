import type { Node } from 'prosemirror-model';
import { visitAll } from '../changed-nodes.ts';
import { wordSchema } from '../schema.ts';

const { marks, nodes } = wordSchema;

/** A name beside something in a document: a tracked change, of text or of a paragraph's break, or a comment. */
export interface Signature {
  /** Equal for what is signed alike. */
  readonly key: string;
  readonly author: string;
  /** Of a comment. */
  readonly ref: string | null;
  /** Names nothing of the opened file. */
  readonly isNew: boolean;
}

/** The signatures that a node has itself. */
export function signaturesOf({ type, attrs, marks: set }: Node, found: (signature: Signature) => void): void {
  for (const mark of set) {
    if (mark.type !== marks.ins && mark.type !== marks.del) continue;
    const { key, id, author, date } = mark.attrs;
    found(signature([mark.type.name, key, id, date], author, null, key === null));
  }
  if (type === nodes.paragraph) {
    for (const name of ['markInserted', 'markDeleted'] as const) {
      const revision = attrs[name];
      if (revision) found(signature([name, revision.date], revision.author, null, true));
    }
  } else if (type === nodes.comment) {
    found(signature(['comment', attrs.ref, attrs.id], attrs.author, attrs.ref, attrs.id === null));
  }
}

function signature(parts: unknown[], author: string, ref: string | null, isNew: boolean): Signature {
  return { key: JSON.stringify([...parts, author]), author, ref, isNew };
}

/** What {@link Signature.key} says, as a checkpoint holds it. */
export type SignatureParts = readonly (string | number | null)[];

/**
 * Which signatures a document has held, in its base or since: one that returns, by undo or after it was cut, is not
 * forged. What the document has now is looked up in it, once, when somebody signs with a name that is not their own.
 */
export class HeldSignatures {
  readonly #under: HeldSignatures | null;
  readonly #keys: Set<string>;
  readonly #commentators = new Map<string, Set<string>>();
  /** Everything that the document has is among the keys; else only what has gone. */
  #isComplete = false;

  /** @param gone signatures that the document has held and does not have now */
  constructor(gone: readonly SignatureParts[] = [], under: HeldSignatures | null = null) {
    this.#under = under;
    this.#keys = new Set();
    for (const parts of gone) this.#add(JSON.stringify(parts));
  }

  /** What is noted in the other is not noted in this one. */
  fork(): HeldSignatures {
    return new HeldSignatures([], this);
  }

  /** @param doc the document now */
  has(key: string, doc: Node): boolean {
    this.#complete(doc);
    return this.#knows(key);
  }

  /** Whether somebody else has ever had a comment of that name. */
  isOthersComment(ref: string, author: string, doc: Node): boolean {
    this.#complete(doc);
    return this.#hasOtherCommentator(ref, author);
  }

  /** A change took these out of the document and put those in. */
  note(gone: Iterable<string>, come: Iterable<string>): void {
    for (const key of gone) this.#add(key);
    if (this.#knowsAll) for (const key of come) this.#add(key);
  }

  /** What the document has had and has no more, in order. */
  goneFrom(doc: Node): SignatureParts[] {
    const present = new Set<string>();
    visitAll(doc, (node) => signaturesOf(node, ({ key }) => present.add(key)));
    return [...this.#keys]
      .filter((key) => !present.has(key))
      .sort()
      .map((key) => JSON.parse(key));
  }

  get #knowsAll(): boolean {
    if (this.#isComplete) return true;
    return this.#under ? this.#under.#knowsAll : false;
  }

  #complete(doc: Node): void {
    if (this.#knowsAll) return;
    visitAll(doc, (node) => signaturesOf(node, ({ key }) => this.#add(key)));
    this.#isComplete = true;
  }

  #knows(key: string): boolean {
    if (this.#keys.has(key)) return true;
    return this.#under ? this.#under.#knows(key) : false;
  }

  #hasOtherCommentator(ref: string, author: string): boolean {
    for (const one of this.#commentators.get(ref) ?? []) if (one !== author) return true;
    return this.#under ? this.#under.#hasOtherCommentator(ref, author) : false;
  }

  #add(key: string): void {
    if (this.#knows(key)) return;
    this.#keys.add(key);
    this.#noteComment(key);
  }

  #noteComment(key: string): void {
    if (!key.startsWith('["comment"')) return;
    const [, ref, , author] = JSON.parse(key) as string[];
    if (ref === undefined || author === undefined) return;
    const authors = this.#commentators.get(ref) ?? new Set();
    this.#commentators.set(ref, authors.add(author));
  }
}
