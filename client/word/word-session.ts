import type { EditorState, Transaction } from 'prosemirror-state';
import type { StepMap } from 'prosemirror-transform';
import type { WordDocumentJson } from '../../model/word/document.ts';
import { DocumentSession, type SessionOptions } from '../replica/document-session.ts';
import type { WordTypes } from './local-steps.ts';
import { versionOf } from './local-steps.ts';
import { textOfSteps } from './placed-steps.ts';
import { WordKind, type WordKindOptions } from './word-kind.ts';
import type { WordReplica } from './word-replica.ts';

export type { EditingMode } from '../replica/session-options.ts';

/** Options of a session in a text document. */
export interface WordSessionOptions extends SessionOptions, WordKindOptions {}

/** A text document edited together: an editor state kept in step with the change log. */
export class WordSession extends DocumentSession<WordTypes, WordReplica> {
  readonly #options: WordSessionOptions;

  /** @throws TypeError for a client id that cannot be one */
  constructor(options: WordSessionOptions) {
    super(new WordKind(options), options);
    this.#options = options;
  }

  /** The state now. @throws Error before the document is loaded */
  get state(): EditorState {
    return this.shown.state;
  }

  /** What came with the document besides its content: styles, lists, sections. */
  get document(): WordDocumentJson {
    return this.shown.json;
  }

  /** How many changes of the log the state shows. */
  get version(): number {
    return versionOf(this.state);
  }

  /** How the changes from a version on moved positions; null for a version that is too old or has not come yet. */
  mapsSince(version: number): readonly StepMap[] | null {
    return this.shown.mapsSince(version);
  }

  /** How the changes that are not stored yet moved positions. */
  unsentMaps(): readonly StepMap[] {
    return this.shown.local.map(({ operation }) => operation.getMap());
  }

  /** The text that the changes put in which are not stored yet. */
  unsentText(): string {
    const steps = this.shown.local.map(({ operation }) => operation);
    return textOfSteps(this.state.doc, steps, new Set(steps.keys()));
  }

  /** Whether this user may make a change: one that is made all the same is taken back before it is sent. */
  mayMake(transaction: Transaction): boolean {
    const { shown, place } = this.replica;
    return shown.mayMake(transaction, this.author, place.document);
  }

  override reopen(changes: Partial<WordSessionOptions> = {}): WordSession {
    return this.succeededBy((own) => new WordSession({ ...this.#options, ...own, ...changes }));
  }
}
