import { type LogEntry, textOf } from '../../model/log/change-author.ts';
import { TextDigest } from '../../model/log/text-digest.ts';
import type { AppliedChange, KindLog, KindTypes } from './kind-replica.ts';

/** A place in the history of a document: how many changes lie before it, and what they and the base are. */
export interface LogPlace<Kind extends KindTypes> {
  readonly index: number;
  /** Digest of the base and the changes before the place: equal in every replica, different in another history. */
  readonly digest: string;
  readonly document: Kind['document'];
}

/** The log as far as it is known, and the document with exactly its changes. */
export class ConfirmedLog<Kind extends KindTypes> {
  readonly #log: KindLog<Kind>;
  readonly #base: TextDigest;
  #changes: TextDigest;
  #index: number;

  /**
   * @param start the document after the first `index` changes, whose texts have the digest `changes`
   * @param baseText the text of the document that the log began with
   */
  constructor(
    start: { readonly log: KindLog<Kind>; readonly index: number; readonly changes: TextDigest },
    baseText: string,
  ) {
    this.#log = start.log;
    this.#base = new TextDigest().with(baseText);
    this.#changes = start.changes;
    this.#index = start.index;
  }

  get place(): LogPlace<Kind> {
    const digest = this.#base.with(this.#changes.toString()).toString();
    return { index: this.#index, digest, document: this.#log.document };
  }

  append(entry: LogEntry): AppliedChange<Kind> {
    this.#index += 1;
    this.#changes = this.#changes.with(textOf(entry));
    return this.#log.append(entry);
  }

  /** See `KindLog.trial`. */
  trial(): (entry: LogEntry) => string | null {
    return this.#log.trial();
  }
}
