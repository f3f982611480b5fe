import type { Node } from 'prosemirror-model';
import { AttrStep, type Step, StepMap } from 'prosemirror-transform';
import type { ChangeAuthor } from '../../log/change-author.ts';
import { changedNodes } from '../changed-nodes.ts';
import { FormView } from './form-view.ts';
import { OthersView } from './others-view.ts';
import { RevisionsView } from './revisions-view.ts';
import { HeldSignatures, type Signature, type SignatureParts, signaturesOf } from './signatures.ts';
import { sameInView } from './stretches.ts';

type Signatures = ReadonlyMap<string, Signature>;

/** The signatures on what a change took out of a document, and on what it put in; null where there are none. */
interface Signed {
  readonly gone: Signatures;
  readonly come: Signatures;
}

/** Content controls that may be filled in: keys of the mark `within`, ids of blocks of type `block_wrap`. */
export type Fillable = ReadonlySet<string>;

/**
 * By whom which changes of one log apply, beside whether they can: a reviewer's are tracked changes of their own, who
 * comments writes comments of their own, who fills in forms changes what is in their controls, and nobody signs with a
 * name that is neither theirs nor has stood there in this document before. It remembers what that takes, so it has to
 * see every change that applies, in order. It goes by the documents before and after a change and by the log with its
 * stamps, and by nothing else: it decides alike on every replica.
 */
export class AuthorRules {
  readonly #fillable: Fillable;
  readonly #held: HeldSignatures;

  constructor(fillable: Fillable = new Set(), held = new HeldSignatures()) {
    this.#fillable = fillable;
    this.#held = held;
  }

  /** Rules to try changes by that may not come into the log. */
  fork(): AuthorRules {
    return new AuthorRules(this.#fillable, this.#held.fork());
  }

  /**
   * Whether the author may make of a document another one by this step; if so, that is noted.
   * @param author null for a change of before there were stamps, which may be anything
   */
  take(before: Node, after: Node, step: Step, author: ChangeAuthor | null): boolean {
    const signed = signedBy(before, after);
    if (author) {
      if (signed && !this.#maySign(before, signed, author.name)) return false;
      if (author.may && !this.#mayChange(before, after, step, author, signed)) return false;
    }
    if (signed) this.#held.note(signed.gone.keys(), signed.come.keys());
    return true;
  }

  /** Signatures that the document has held and has no more: what a checkpoint has to say beside the document. */
  goneFrom(doc: Node): SignatureParts[] {
    return this.#held.goneFrom(doc);
  }

  #maySign(before: Node, { gone, come }: Signed, name: string): boolean {
    for (const [key, { isNew, author }] of come) {
      const isOwn = isNew && author === name;
      if (!isOwn && !gone.has(key) && !this.#held.has(key, before)) return false;
    }
    return true;
  }

  #mayChange(
    before: Node,
    after: Node,
    step: Step,
    { name, may = [] }: ChangeAuthor,
    signed: Signed | null,
  ): boolean {
    if (!before.sameMarkup(after)) return false;
    if (may.includes('fill') && sameInView(before, after, new FormView(this.#fillable))) return true;
    const reviews = may.includes('review');
    if (!reviews && !may.includes('comment')) return false;
    // What stays keeps the changes that others tracked on it, also where it is one's own.
    if (changesMarks(step) && !sameInView(before, after, new RevisionsView(name))) return false;
    if (sameInView(before, after, new OthersView({ name, reviews, ownsComment: null }))) return true;
    if (!may.includes('comment') || this.#takesOthersRef(before, signed, name)) return false;
    const ownsComment = (ref: string) => !this.#held.isOthersComment(ref, name, before);
    return sameInView(before, after, new OthersView({ name, reviews, ownsComment }));
  }

  /** Whether a comment came that is called as one of somebody else is, or was. */
  #takesOthersRef(before: Node, signed: Signed | null, name: string): boolean {
    if (!signed) return false;
    for (const [key, { ref }] of signed.come) {
      if (ref !== null && !signed.gone.has(key) && this.#held.isOthersComment(ref, name, before)) return true;
    }
    return false;
  }
}

function signedBy(before: Node, after: Node): Signed | null {
  let gone: Map<string, Signature> | null = null;
  let come: Map<string, Signature> | null = null;
  changedNodes(
    before,
    after,
    (node) =>
      signaturesOf(node, (one) => {
        gone ??= new Map();
        gone.set(one.key, one);
      }),
    (node) =>
      signaturesOf(node, (one) => {
        come ??= new Map();
        come.set(one.key, one);
      }),
  );
  return gone || come ? { gone: gone ?? new Map(), come: come ?? new Map() } : null;
}

/** Steps that are about marks alone move nothing, and those about attributes are of a type of their own. */
const changesMarks = (step: Step): boolean => step.getMap() === StepMap.empty && !(step instanceof AttrStep);
