import type { Node } from 'prosemirror-model';
import { AttrStep, type Step, StepMap } from 'prosemirror-transform';
import type { ChangeAuthor, LimitedAct } from '../../log/change-author.ts';
import { changedNodes } from '../changed-nodes.ts';
import { actsUnder, type DocumentRights, noRights } from './document-rights.ts';
import { controlInTheWay } from './held-controls.ts';
import { HeldSignatures, type Signature, type SignatureParts, signaturesOf } from './signatures.ts';
import { FormView, OthersView, RevisionsView, sameInView } from './views.ts';

/** An author whose acts are counted. */
type Limited = Required<Pick<ChangeAuthor, 'name' | 'may'>> & { readonly may: readonly LimitedAct[] };

type Signatures = ReadonlyMap<string, Signature>;

/** The signatures on what a change took out of a document, and on what it put in; null where there are none. */
interface Signed {
  readonly gone: Signatures;
  readonly come: Signatures;
}

/**
 * Which changes of one log apply, by who made them:
 * - A reviewer makes tracked changes of their own, and a commentator comments of their own.
 * - People who fill in forms change what is in the controls of the form.
 * - Nobody signs with another name than their own, unless that signature has stood in this document before.
 * - While a document is protected, nobody does more than its protection allows; who may not protect does not lift it.
 * - Nobody changes the content of a control that is held.
 *
 * The rules remember what they need for this, so they have to see every change that applies, in order. They depend on the
 * documents before and after a change, on the file, and on the log with its stamps, and on nothing else: so every replica
 * decides alike.
 */
export class AuthorRules {
  readonly #rights: DocumentRights;
  readonly #held: HeldSignatures;

  constructor(rights: DocumentRights = noRights, held = new HeldSignatures()) {
    this.#rights = rights;
    this.#held = held;
  }

  /** Rules to try changes by that may not come into the log. */
  fork(): AuthorRules {
    return new AuthorRules(this.#rights, this.#held.fork());
  }

  /**
   * Whether the author may make of a document another one by this step; if so, that is noted.
   * @param author null for a change of before there were stamps, which may be anything
   */
  take(before: Node, after: Node, step: Step, author: ChangeAuthor | null): boolean {
    const signed = signedBy(before, after);
    if (author) {
      if (signed && !this.#maySign(before, signed, author.name)) return false;
      if (before.attrs.lifted !== after.attrs.lifted)
        return author.may === undefined && !author.mayNot?.includes('protect');
      if (controlInTheWay(before, after, this.#rights) !== null) return false;
      const may = actsUnder(before.attrs.lifted ? null : this.#rights.protection, author.may);
      if (may && !this.#mayChange(before, after, step, { name: author.name, may }, signed)) return false;
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

  #mayChange(before: Node, after: Node, step: Step, { name, may }: Limited, signed: Signed | null): boolean {
    if (!before.sameMarkup(after)) return false;
    if (may.includes('fill') && sameInView(before, after, new FormView(this.#rights.fillable))) return true;
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
