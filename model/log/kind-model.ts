import { decodeEnvelope, type SkipReason } from './change.ts';
import { authorOf, type ChangeAuthor, type LogEntry, notAllowed, textOf } from './change-author.ts';
import type { CheckpointHeader } from './checkpoint.ts';

/** A document as it was opened: what its log begins with. */
export interface OpenedDocument<Doc, Rights> {
  readonly doc: Doc;
  /** What the file itself says of who may change what in it. */
  readonly rights: Rights;
}

/** A document after the first changes of its log. */
export interface DocumentAt<Doc, Rules> {
  readonly doc: Doc;
  /** By whom the changes that follow apply. */
  readonly rules: Rules;
  readonly log: CheckpointHeader;
}

/** What a change of the log makes of a document. */
export interface Applied<Doc, Step> {
  /** The document after it. */
  readonly doc: Doc;
  /** What the change says, read. */
  readonly step: Step;
}

/** A change that was made, for the rules to judge. */
export interface MadeChange<Doc, Step> {
  readonly before: Doc;
  readonly after: Doc;
  readonly step: Step;
  /** Null for a change of before there were stamps, which may be anything. */
  readonly author: ChangeAuthor | null;
}

/**
 * A kind of document that Quire edits: what a document is, what a change is, and the rule by which a change applies.
 * Converter and clients apply the same log and must come to the same document. So everything here is deterministic, and
 * depends on nothing but its arguments.
 *
 * - `Doc`: a document. Immutable; two that are equal count as the same.
 * - `Step`: what one change does to a document.
 * - `Rights`: what a file itself says of who may change what in it.
 * - `Rules`: by whom changes apply. They see every change that applies, in order, and may remember what they saw.
 */
export interface KindModel<Doc extends object, Step, Rights, Rules extends { fork(): Rules }> {
  /** Name of the model on the wire and in the database. */
  readonly name: string;
  /** Version of the JSON of documents and of what positions and ids mean. A log fits only the version it was made on. */
  readonly version: number;

  /**
   * Reads and checks the JSON of an opened document.
   * @throws ModelVersionError for a document of another version
   * @throws TypeError for what is no document of this kind
   */
  parse(value: unknown): OpenedDocument<Doc, Rights>;
  equals(one: Doc, other: Doc): boolean;

  /** The rules at the beginning of the log of a document. */
  rules(rights: Rights): Rules;

  /** The text of a change. @param number rises with every change of a client */
  encode(clientId: string, step: Step, number?: number): string;
  /**
   * Reads the step of a change and applies it, or says why every replica skips it. Total: never throws.
   * @param json the step as the change has it
   */
  apply(doc: Doc, json: unknown, author: ChangeAuthor | null): Applied<Doc, Step> | SkipReason;
  /** Whether the rules let a change apply that can be made; if so, they note it. */
  admit(rules: Rules, change: MadeChange<Doc, Step>): boolean;

  /**
   * A document after changes of its log, as a JSON value: its difference to the document that the log began with. Null when
   * reading it would not give an equal document.
   */
  checkpoint(base: Doc, at: DocumentAt<Doc, Rules>): object | null;
  /** @throws TypeError when the value is no checkpoint, or none of this base */
  documentAt(base: OpenedDocument<Doc, Rights>, value: unknown): DocumentAt<Doc, Rules>;
}

/** A document that another version of this software made; what it means is not known here. */
export class ModelVersionError extends TypeError {
  override readonly name = 'ModelVersionError';
}

/** What a change of the log makes of a document by the rules, which note it when it applies; or why every replica skips it. */
export function applyStep<Doc extends object, Step, Rights, Rules extends { fork(): Rules }>(
  model: KindModel<Doc, Step, Rights, Rules>,
  doc: Doc,
  json: unknown,
  author: ChangeAuthor | null,
  rules: Rules,
): Applied<Doc, Step> | SkipReason {
  const applied = model.apply(doc, json, author);
  if (typeof applied === 'string') return applied;
  const { doc: after, step } = applied;
  return refusalOf(model, { before: doc, after, step, author }, rules) ?? applied;
}

/** Why the rules of a log do not let a change apply that can be made; null where they do, and note it. */
export function refusalOf<Doc extends object, Step, Rights, Rules extends { fork(): Rules }>(
  model: KindModel<Doc, Step, Rights, Rules>,
  change: MadeChange<Doc, Step>,
  rules: Rules,
): SkipReason | null {
  try {
    return model.admit(rules, change) ? null : notAllowed;
  } catch {
    return 'invalid-content';
  }
}

/** The document after a change of the log, of which nothing was read yet, or why every replica skips it. */
export function applyEntry<Doc extends object, Step, Rights, Rules extends { fork(): Rules }>(
  model: KindModel<Doc, Step, Rights, Rules>,
  doc: Doc,
  entry: LogEntry,
  rules: Rules,
): Doc | SkipReason {
  const change = decodeEnvelope(textOf(entry));
  if (typeof change === 'string') return change;
  const applied = applyStep(model, doc, change.step, authorOf(entry), rules);
  return typeof applied === 'string' ? applied : applied.doc;
}
