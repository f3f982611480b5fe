import { EditorState, type Plugin, type Transaction } from 'prosemirror-state';
import type { ChangeAuthor, LogEntry } from '../../model/log/change-author.ts';
import { applyChange } from '../../model/word/change.ts';
import type { AuthorRules } from '../../model/word/rights/author-rules.ts';
import type { DocumentRights } from '../../model/word/rights/document-rights.ts';
import { ConfirmedLog, type LogPlace, nameOf, type SeenChange } from '../replica/confirmed-log.ts';
import {
  acknowledge,
  addNamed,
  encodeLocal,
  type LocalStep,
  type LoggedStep,
  localSteps,
  rebase,
  sharing,
} from './local-steps.ts';
import { textOfSteps } from './lost-text.ts';
import type { NamedStep } from './placed-steps.ts';
import { RecentMaps } from './recent-maps.ts';
import type { StartingPlace } from './starting-place.ts';

export interface WordReplicaOptions {
  readonly start: StartingPlace;
  /** The text that the document was read from which the log began with. */
  readonly baseText: string;
  /** What the file says of who may change what. */
  readonly rights?: DocumentRights | undefined;
  /** What the server stamps the changes of this session with; null, or absent: nothing. */
  readonly author?: () => ChangeAuthor | null;
  readonly clientId: string;
  readonly plugins: readonly Plugin[];
  readonly onState: (state: EditorState) => void;
  /** A change of the log was received, and this is the place after it. */
  readonly onLogged: (change: SeenChange, place: LogPlace) => void;
  /** Runs something once, a moment later. */
  readonly soon: (run: () => void) => void;
}

/** Placing so many local steps anew costs more than a screen's frame: it is done for several changes at once. */
const manyLocalSteps = 200;

/** Changes that may be sent now, or none, and what was taken back because no replica would apply it. */
export interface Taken {
  readonly changes: readonly string[];
  readonly refused: readonly { readonly reason: string; readonly text: string }[];
}

/**
 * One copy of a document: an editor state whose document is the log up to a place, with the local steps on it.
 * Changes of others may be held back: then the log is ahead of what the state shows, and what is local keeps standing
 * where it was made.
 *
 * Invariant: `confirm` is about the changes taken last, and nothing of others came between.
 */
export class WordReplica {
  readonly #onState: (state: EditorState) => void;
  readonly #onLogged: (change: SeenChange, place: LogPlace) => void;
  readonly #soon: (run: () => void) => void;
  readonly #log: ConfirmedLog;
  readonly #author: () => ChangeAuthor | null;
  readonly #clientId: string;
  #nextNumber = 0;
  #state: EditorState;
  #place: LogPlace;
  #held: LoggedStep[] = [];
  #taken: readonly string[] = [];
  #holding = false;
  #showing = false;
  /** Of the changes that the state shows. */
  readonly recent: RecentMaps;

  constructor(options: WordReplicaOptions) {
    const {
      start,
      baseText,
      rights,
      author = () => null,
      clientId,
      plugins,
      onState,
      onLogged,
      soon,
    } = options;
    this.#author = author;
    this.#onState = onState;
    this.#onLogged = onLogged;
    this.#soon = soon;
    this.#clientId = clientId;
    this.#log = new ConfirmedLog(start, baseText, rights);
    this.recent = new RecentMaps(start.index);
    this.#place = this.#log.place;
    const naming = sharing(start.index, () => ({ clientId, number: this.#nextNumber++ }));
    this.#state = EditorState.create({ doc: start.doc, plugins: [...plugins, naming] });
    onState(this.#state);
  }

  get state(): EditorState {
    return this.#state;
  }

  /** What the local steps stand on. */
  get place(): LogPlace {
    return this.#place;
  }

  /** How many local steps, from the first, were taken to be sent. */
  get takenCount(): number {
    return this.#taken.length;
  }

  get holding(): boolean {
    return this.#holding;
  }

  /** Whether changes of others are held back. */
  hold(holding: boolean): void {
    this.#holding = holding;
    if (!holding) this.showHeld();
  }

  /** Whether an author may make a change of what the state shows, as far as that is known before it is sent. */
  mayMake({ steps, docs, doc }: Transaction, author: ChangeAuthor): boolean {
    const isAllowedBy = (rules: AuthorRules) =>
      steps.every((step, at) => rules.take(docs[at]!, docs[at + 1] ?? doc, step, author));
    return isAllowedBy(this.#log.rules.fork()) || isAllowedBy(this.#rulesHere());
  }

  /** Applies a change of the user. Returns the transactions it led to: none if a plugin refused it. */
  dispatch(transaction: Transaction): readonly Transaction[] {
    const { state, transactions } = this.#state.applyTransaction(transaction);
    if (transactions.length > 0) this.#setState(state);
    return transactions;
  }

  /** Adds steps of an earlier session. */
  add(steps: readonly NamedStep[]): void {
    this.#apply(addNamed(this.#state, steps));
  }

  receive(changes: readonly LogEntry[]): void {
    this.#taken = [];
    for (const entry of changes) {
      const change = this.#log.append(entry);
      if (change.clientId === this.#clientId && change.number !== null) {
        this.#nextNumber = Math.max(this.#nextNumber, change.number + 1);
      }
      this.#held.push({ step: change.step, name: nameOf(change) });
      this.#onLogged(change, this.#log.place);
    }
    if (this.#holding || this.#showing) return;
    if (localSteps(this.#state).length < manyLocalSteps) this.showHeld();
    else this.#showSoon();
  }

  showHeld(): void {
    if (this.#held.length === 0) return;
    const over = this.#held.splice(0);
    this.#place = this.#log.place;
    this.recent.add(over.map(({ step }) => step.getMap()));
    this.#apply(rebase(this.#state, over));
  }

  /** The local steps up to the first that may not go yet, as changes at the end of the log. */
  take(mayGo: (step: LocalStep) => boolean): Taken {
    this.showHeld();
    this.#taken = [];
    const refused: { reason: string; text: string }[] = [];
    for (;;) {
      const local = localSteps(this.#state);
      const end = local.findIndex((step) => !mayGo(step));
      const ready = end < 0 ? local : local.slice(0, end);
      const bad = this.#firstRefused(ready);
      if (!bad) {
        this.#taken = ready.map(encodeLocal);
        return { changes: this.#taken, refused };
      }
      refused.push({ reason: bad.reason, text: this.takeBack((step) => step === bad.step) });
    }
  }

  /** The first `count` changes taken last are stored. */
  confirm(count: number): void {
    const author = this.#author();
    for (const change of this.#taken.slice(0, count)) this.#log.append({ change, author });
    this.#taken = this.#taken.slice(count);
    const stored = localSteps(this.#state).slice(0, count);
    this.recent.add(stored.map(({ step }) => step.getMap()));
    this.#place = this.#log.place;
    this.#apply(acknowledge(this.#state, count));
  }

  /**
   * Takes back local steps that were not taken to be sent, and those that cannot be without them. Returns the text that
   * went with the former.
   */
  takeBack(refuses: (step: LocalStep) => boolean): string {
    const local = localSteps(this.#state);
    const sent = this.#taken.length;
    const refused = new Set(local.flatMap((step, at) => (at >= sent && refuses(step) ? [at] : [])));
    if (refused.size === 0) return '';
    const steps = new Set([...refused].map((at) => local[at]!));
    const text = textOfSteps(
      this.#state.doc,
      local.map(({ step }) => step),
      refused,
    );
    this.#apply(rebase(this.#state, [], (step) => !steps.has(step)));
    return text;
  }

  /** With what the local steps have taken out of the document. */
  #rulesHere(): AuthorRules {
    const rules = this.#log.rules.fork();
    let { doc } = this.#place;
    for (const { step } of localSteps(this.#state)) {
      const after = step.apply(doc).doc;
      if (!after) break;
      rules.take(doc, after, step, null);
      doc = after;
    }
    return rules;
  }

  #showSoon(): void {
    this.#showing = true;
    this.#soon(() => {
      this.#showing = false;
      if (!this.#holding) this.showHeld();
    });
  }

  #firstRefused(steps: readonly LocalStep[]): { step: LocalStep; reason: string } | null {
    let { doc } = this.#log.place;
    const author = this.#author();
    const rules = this.#log.rules.fork();
    for (const step of steps) {
      const after = applyChange(doc, { change: encodeLocal(step), author }, rules);
      if (typeof after === 'string') return { step, reason: after };
      doc = after;
    }
    return null;
  }

  #apply(transaction: Transaction): void {
    const { state, transactions } = this.#state.applyTransaction(transaction);
    if (transactions[0] !== transaction) throw new Error('a plugin refused a change that is in the log');
    this.#setState(state);
  }

  #setState(state: EditorState): void {
    this.#state = state;
    this.#onState(state);
  }
}
