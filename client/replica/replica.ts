import type { ChangeAuthor, LogEntry } from '../../model/log/change-author.ts';
import type { OwnNames } from './change-names.ts';
import { ConfirmedLog, type LogPlace } from './confirmed-log.ts';
import type {
  AppliedChange,
  KindReplica,
  KindTypes,
  LoadedDocument,
  LoggedOperation,
  NamedOperation,
  UnsentKind,
} from './kind-replica.ts';

export interface ReplicaOptions<Kind extends KindTypes, Shown extends KindReplica<Kind>> {
  readonly kind: Pick<UnsentKind<Kind>, 'encode' | 'textOf'>;
  readonly loaded: LoadedDocument<Kind, Shown>;
  /** The text of the document that the log began with. */
  readonly baseText: string;
  readonly names: OwnNames;
  /** What the server stamps the changes of this session with; null, or absent: nothing. */
  readonly author?: () => ChangeAuthor | null;
  /** A change of the log was received, and this is the place after it. */
  onLogged(change: AppliedChange<Kind>, place: LogPlace<Kind>): void;
  /** Runs something once, a moment later. */
  readonly soon: (run: () => void) => void;
}

/** Placing so many local operations anew costs more than a screen's frame: it is done for several changes at once. */
const manyLocalOperations = 200;

/** Changes that may be sent now, or none, and what was taken back because no replica would apply it. */
export interface Taken {
  readonly changes: readonly string[];
  readonly refused: readonly { readonly reason: string; readonly text: string }[];
}

/**
 * One copy of a document: the log, and what is shown of it with the local operations on it. Changes of others may be held
 * back: then the log is ahead of what is shown, and what is local keeps standing where it was made.
 *
 * Invariant: `confirm` is about the changes taken last, and nothing of others came between.
 */
export class Replica<Kind extends KindTypes, Shown extends KindReplica<Kind> = KindReplica<Kind>> {
  /** The document as it is shown. */
  readonly shown: Shown;
  readonly #options: ReplicaOptions<Kind, Shown>;
  readonly #log: ConfirmedLog<Kind>;
  readonly #author: () => ChangeAuthor | null;
  #place: LogPlace<Kind>;
  #held: LoggedOperation<Kind>[] = [];
  #taken: readonly string[] = [];
  #holding = false;
  #showing = false;

  constructor(options: ReplicaOptions<Kind, Shown>) {
    const { loaded, baseText, author = () => null } = options;
    this.#options = options;
    this.#author = author;
    this.#log = new ConfirmedLog(loaded, baseText);
    this.#place = this.#log.place;
    this.shown = loaded.replica;
  }

  /** What the local operations stand on. */
  get place(): LogPlace<Kind> {
    return this.#place;
  }

  /** How many local operations, from the first, were taken to be sent. */
  get takenCount(): number {
    return this.#taken.length;
  }

  /** Whether changes of others are held back. */
  hold(holding: boolean): void {
    this.#holding = holding;
    if (!holding) this.showHeld();
  }

  /** Changes of the log, of others or of this user's earlier sessions. */
  receive(changes: readonly LogEntry[]): void {
    this.#taken = [];
    for (const entry of changes) {
      const change = this.#log.append(entry);
      const { operation, name, skipped } = change;
      if (name) this.#options.names.seen(name);
      this.#held.push({ operation, name: skipped === null ? name : null });
      this.#options.onLogged(change, this.#log.place);
    }
    if (this.#holding || this.#showing) return;
    if (this.shown.local.length < manyLocalOperations) this.showHeld();
    else this.#showSoon();
  }

  showHeld(): void {
    if (this.#held.length === 0) return;
    const over = this.#held.splice(0);
    this.#place = this.#log.place;
    this.shown.rebase(over);
  }

  /** The local operations up to the first that may not go yet, as changes at the end of the log. */
  take(mayGo: (operation: NamedOperation<Kind>) => boolean): Taken {
    this.showHeld();
    this.#taken = [];
    const refused: { reason: string; text: string }[] = [];
    for (;;) {
      const { local } = this.shown;
      const end = local.findIndex((operation) => !mayGo(operation));
      const ready = end < 0 ? local : local.slice(0, end);
      const changes = ready.map((operation) => this.#options.kind.encode(operation));
      const bad = this.#firstRefused(changes);
      if (!bad) {
        this.#taken = changes;
        return { changes, refused };
      }
      const text = this.takeBack((operation) => operation === ready[bad.at]);
      refused.push({ reason: bad.reason, text });
    }
  }

  /** The first `count` changes taken last are stored. */
  confirm(count: number): void {
    const author = this.#author();
    for (const change of this.#taken.slice(0, count)) this.#log.append({ change, author });
    this.#taken = this.#taken.slice(count);
    this.#place = this.#log.place;
    this.shown.acknowledge(count);
  }

  /**
   * Takes back local operations that were not taken to be sent, and those that cannot be without them. Returns the text
   * that went with the former.
   */
  takeBack(refuses: (operation: NamedOperation<Kind>) => boolean): string {
    const { local, document } = this.shown;
    const sent = this.#taken.length;
    const refused = new Set(local.flatMap((one, at) => (at >= sent && refuses(one) ? [at] : [])));
    if (refused.size === 0) return '';
    const operations = new Set([...refused].map((at) => local[at]!));
    const text = this.#options.kind.textOf(local, document, refused);
    this.shown.rebase([], (one) => !operations.has(one));
    return text;
  }

  #showSoon(): void {
    this.#showing = true;
    this.#options.soon(() => {
      this.#showing = false;
      if (!this.#holding) this.showHeld();
    });
  }

  #firstRefused(changes: readonly string[]): { at: number; reason: string } | null {
    const author = this.#author();
    const refuse = this.#log.trial();
    for (const [at, change] of changes.entries()) {
      const reason = refuse({ change, author });
      if (reason !== null) return { at, reason };
    }
    return null;
  }
}
