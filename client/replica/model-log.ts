import { decodeEnvelope } from '../../model/log/change.ts';
import { type LogEntry, textOf } from '../../model/log/change-author.ts';
import type { KindModel, OpenedDocument } from '../../model/log/kind-model.ts';
import { TextDigest } from '../../model/log/text-digest.ts';
import { CheckpointUnreadable } from '../client-error.ts';
import type { AppliedChange, CheckpointText, KindLog } from './kind-replica.ts';

/** The types of a log, to which what users do at once is nothing. */
interface LogTypes<Doc, Step> {
  readonly document: Doc;
  readonly operation: Step;
  readonly change: never;
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
    const change = decodeEnvelope(textOf(entry));
    const after = this.#model.apply(this.#doc, entry, this.rules);
    if (typeof change === 'string') return { operation: this.#nothing, name: null, skipped: change };
    const { clientId, number } = change;
    const name = number === undefined ? null : { clientId, number };
    if (typeof after === 'string') return { operation: this.#nothing, name, skipped: after };
    this.#doc = after;
    return { operation: this.#model.readStep(change.step), name, skipped: null };
  }

  trial(): (entry: LogEntry) => string | null {
    const rules = this.rules.fork();
    let doc = this.#doc;
    return (entry) => {
      const after = this.#model.apply(doc, entry, rules);
      if (typeof after === 'string') return after;
      doc = after;
      return null;
    };
  }
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
