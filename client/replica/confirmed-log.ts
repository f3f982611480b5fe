import { type Node, Slice } from 'prosemirror-model';
import { ReplaceStep, type Step } from 'prosemirror-transform';
import { decodeEnvelope } from '../../model/log/change.ts';
import { type LogEntry, textOf } from '../../model/log/change-author.ts';
import { TextDigest } from '../../model/log/text-digest.ts';
import { applyChange } from '../../model/word/change.ts';
import { stepFromJson } from '../../model/word/mark-set.ts';
import { AuthorRules } from '../../model/word/rights/author-rules.ts';
import { type DocumentRights, noRights } from '../../model/word/rights/document-rights.ts';
import { HeldSignatures } from '../../model/word/rights/signatures.ts';
import type { StartingPlace } from '../word/starting-place.ts';
import type { StepName } from './change-names.ts';

/** A change of the log as this replica understood it. */
export interface SeenChange {
  /** What it does; a change that every replica skips has its number in the log and does nothing. */
  readonly step: Step;
  readonly skipped: boolean;
  readonly clientId: string;
  readonly number: number | null;
}

/** The name of a change that does something, if it has one. */
export function nameOf({ skipped, clientId, number }: SeenChange): StepName | null {
  return skipped || number === null ? null : { clientId, number };
}

/** A place in the history of a document: how many changes lie before it, and what they and the base are. */
export interface LogPlace {
  readonly index: number;
  /** Digest of the base and the changes before the place: equal in every replica, different in another history. */
  readonly digest: string;
  readonly doc: Node;
}

const nothing = (): Step => new ReplaceStep(0, 0, Slice.empty);

/** The document with exactly the changes of the log, each judged by the same total rule as on all replicas. */
export class ConfirmedLog {
  /** By whom which changes apply, with what the log says of that so far. */
  readonly rules: AuthorRules;
  readonly #base: TextDigest;
  #doc: Node;
  #changes: TextDigest;
  #index: number;

  /**
   * `baseText` is the text that the document was read from which the log began with, `rights` what it says of who may
   * change what.
   */
  constructor(
    { doc, index, changes, gone }: StartingPlace,
    baseText: string,
    rights: DocumentRights = noRights,
  ) {
    this.rules = new AuthorRules(rights, new HeldSignatures(gone));
    this.#base = new TextDigest().with(baseText);
    this.#doc = doc;
    this.#changes = changes;
    this.#index = index;
  }

  get place(): LogPlace {
    const digest = this.#base.with(this.#changes.toString()).toString();
    return { index: this.#index, digest, doc: this.#doc };
  }

  append(entry: LogEntry): SeenChange {
    const text = textOf(entry);
    const change = decodeEnvelope(text);
    const after = applyChange(this.#doc, entry, this.rules);
    this.#index += 1;
    this.#changes = this.#changes.with(text);
    if (typeof change === 'string') return { step: nothing(), skipped: true, clientId: '', number: null };
    const { clientId, number = null } = change;
    if (typeof after === 'string') return { step: nothing(), skipped: true, clientId, number };
    this.#doc = after;
    return { step: stepFromJson(change.step), skipped: false, clientId, number };
  }
}
