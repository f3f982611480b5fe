import { type ChangeEnvelope, decodeEnvelope, type SkipReason } from '../../model/log/change.ts';
import { authorOf, type LogEntry, textOf } from '../../model/log/change-author.ts';
import {
  type Applied,
  applyStep,
  type KindModel,
  type OpenedDocument,
  refusalOf,
} from '../../model/log/kind-model.ts';
import { TextDigest } from '../../model/log/text-digest.ts';
import { CheckpointUnreadable } from '../client-error.ts';
import type { AppliedChange, CheckpointText, KindLog } from './kind-replica.ts';

/** The types of a log, to which what users do at once is nothing. */
interface LogTypes<Doc, Step> {
  readonly document: Doc;
  readonly operation: Step;
  readonly change: never;
}

/** A change that was tried on the document before it. */
interface Tried<Doc, Step> {
  readonly entry: LogEntry;
  readonly change: ChangeEnvelope;
  readonly before: Doc;
  readonly applied: Applied<Doc, Step>;
}

/** The log of a document whose kind has a model: the document with exactly the changes of the log. */
export class ModelLog<Doc extends object, Step, Rights, Rules extends { fork(): Rules }>
  implements KindLog<LogTypes<Doc, Step>>
{
  readonly #model: KindModel<Doc, Step, Rights, Rules>;
  readonly #nothing: Step;
  /** By whom which changes apply, with what the log says of that so far. */
  readonly rules: Rules;
  #doc: Doc;
  /** What was tried last, and is expected to come into the log in this order. */
  #tried: Tried<Doc, Step>[] = [];

  /** @param nothing a step that changes no document */
  constructor(model: KindModel<Doc, Step, Rights, Rules>, doc: Doc, rules: Rules, nothing: Step) {
    this.#model = model;
    this.#doc = doc;
    this.rules = rules;
    this.#nothing = nothing;
  }

  get document(): Doc {
    return this.#doc;
  }

  append(entry: LogEntry): AppliedChange<LogTypes<Doc, Step>> {
    const tried = this.#tried.shift();
    // Own changes are tried before they are sent, and mostly come into the log as they were tried.
    const isTried = tried?.before === this.#doc && isSame(tried.entry, entry);
    if (!isTried) this.#tried = [];
    const change = isTried ? tried.change : decodeEnvelope(textOf(entry));
    if (typeof change === 'string') return { operation: this.#nothing, name: null, skipped: change };
    const { clientId, number } = change;
    const name = number === undefined ? null : { clientId, number };
    const applied = isTried ? this.#admit(tried) : this.#apply(this.#doc, change, entry, this.rules);
    if (typeof applied === 'string') return { operation: this.#nothing, name, skipped: applied };
    this.#doc = applied.doc;
    return { operation: applied.step, name, skipped: null };
  }

  trial(): (entry: LogEntry) => string | null {
    const rules = this.rules.fork();
    const tried: Tried<Doc, Step>[] = [];
    this.#tried = tried;
    let doc = this.#doc;
    return (entry) => {
      const change = decodeEnvelope(textOf(entry));
      if (typeof change === 'string') return change;
      const applied = this.#apply(doc, change, entry, rules);
      if (typeof applied === 'string') return applied;
      tried.push({ entry, change, before: doc, applied });
      doc = applied.doc;
      return null;
    };
  }

  #apply(doc: Doc, { step }: ChangeEnvelope, entry: LogEntry, rules: Rules): Applied<Doc, Step> | SkipReason {
    return applyStep(this.#model, doc, step, authorOf(entry), rules);
  }

  /** What a change made when it was tried, by the rules of the log this time, which note it. */
  #admit({ entry, before, applied }: Tried<Doc, Step>): Applied<Doc, Step> | SkipReason {
    const { doc: after, step } = applied;
    const change = { before, after, step, author: authorOf(entry) };
    return refusalOf(this.#model, change, this.rules) ?? applied;
  }
}

/** Whether two entries say the same, of the same author. */
function isSame(one: LogEntry, other: LogEntry): boolean {
  return textOf(one) === textOf(other) && JSON.stringify(authorOf(one)) === JSON.stringify(authorOf(other));
}

/** Where a replica begins: the log up to a place, how many changes that is, and the digest of their texts. */
export interface BegunLog<Log> {
  readonly log: Log;
  readonly index: number;
  readonly changes: TextDigest;
}

/**
 * The log at a checkpoint, or at its beginning.
 * @param nothing a step that changes no document
 * @throws CheckpointUnreadable
 */
export function beginLog<Doc extends object, Step, Rights, Rules extends { fork(): Rules }>(
  model: KindModel<Doc, Step, Rights, Rules>,
  base: OpenedDocument<Doc, Rights>,
  checkpoint: CheckpointText | null,
  nothing: Step,
): BegunLog<ModelLog<Doc, Step, Rights, Rules>> {
  if (!checkpoint) {
    const log = new ModelLog(model, base.doc, model.rules(base.rights), nothing);
    return { log, index: 0, changes: new TextDigest() };
  }
  const { index, text } = checkpoint;
  try {
    const { doc, rules, log: header } = model.documentAt(base, JSON.parse(text));
    if (header.index !== index) throw new RangeError('the checkpoint is of another place');
    const log = new ModelLog(model, doc, rules, nothing);
    return { log, index, changes: TextDigest.of(header.digest) };
  } catch (cause) {
    throw new CheckpointUnreadable(cause);
  }
}
