import { ChangeSequence, type LoggedChange, loggedChange } from './change-sequence.ts';
import { type Change, type ChangesBroadcast, maxChangesSize } from './protocol/index.ts';

export interface LogReceiverHost {
  /** How many of these changes, from the first, were this client's pending ones; they are not applied. */
  recognise(changes: readonly LoggedChange[], fromIndex: number): number;
  apply(changes: LoggedChange[], fromIndex: number): void;
}

/**
 * - `taken`: applied, or held until it may be.
 * - `gap`: changes in between are missing; these were not taken.
 * - `overflow`: more than a client may be asked to hold.
 */
export type Taken = 'taken' | 'gap' | 'overflow';

const maxEarlyBroadcasts = 10_000;

const firstIndex = (broadcast: ChangesBroadcast) => broadcast.changesIndex - broadcast.changes.length;

/**
 * Puts what arrives of the change log into order: the history of a new session, which has no indexes and is
 * counted; broadcasts that overtake the `auth` reply, which wait for it; the replay of a restore; and live
 * broadcasts.
 */
export class LogReceiver {
  readonly #host: LogReceiverHost;
  readonly #inbox: RemoteInbox;
  #sequence = new ChangeSequence();
  #early: ChangesBroadcast[] = [];
  #live = false;

  constructor(host: LogReceiverHost) {
    this.#host = host;
    this.#inbox = new RemoteInbox(maxChangesSize, (changes, fromIndex) => host.apply(changes, fromIndex));
  }

  /** Index of the first change this client does not have. */
  get nextIndex(): number {
    return this.#sequence.next;
  }

  /** The history of a session that is being opened begins there. */
  startAt(index: number): Taken {
    if (this.#sequence.next > 0) return 'gap';
    this.#sequence.reach(index);
    return 'taken';
  }

  /** Part of the history of a session that is being opened. */
  history(changes: readonly Change[]): Taken {
    return this.#take(changes, this.#sequence.next);
  }

  broadcast(broadcast: ChangesBroadcast): Taken {
    if (!this.#live) {
      this.#early.push(broadcast);
      return this.#early.length > maxEarlyBroadcasts ? 'overflow' : 'taken';
    }
    const taken = this.#take(broadcast.changes, firstIndex(broadcast));
    if (broadcast.endSaveChanges) this.#inbox.flush();
    return taken;
  }

  /**
   * The `auth` reply: what was sent before it is complete. All of it is applied in one call, since an application has to
   * rebase all changes of its own at every call.
   */
  sessionBegins(): Taken {
    this.#live = true;
    const early = this.#early.splice(0).sort((a, b) => firstIndex(a) - firstIndex(b));
    let taken: Taken = 'taken';
    for (const broadcast of early) {
      taken = this.#take(broadcast.changes, firstIndex(broadcast));
      if (taken !== 'taken') break;
    }
    this.#inbox.flush();
    return taken;
  }

  connectionLost(): void {
    this.#live = false;
    this.#early = [];
  }

  /** The session never began: its successor sends the history again. */
  startOver(): void {
    this.#sequence = new ChangeSequence();
    this.#inbox.clear();
  }

  /** Own changes are stored up to `index`. */
  reach(index: number): void {
    this.#sequence.reach(index);
  }

  /** Applies what was held because its save had not ended. */
  flush(): void {
    this.#inbox.flush();
  }

  /** The application has loaded the document. */
  release(): void {
    this.#inbox.release();
  }

  #take(changes: readonly Change[], fromIndex: number): Taken {
    const received = this.#sequence.receive(changes.map(loggedChange), fromIndex);
    if (received.kind === 'gap') return 'gap';
    const own = this.#host.recognise(received.changes, received.fromIndex);
    const rest = own === 0 ? received.changes : received.changes.slice(own);
    return this.#inbox.add(rest, received.fromIndex + own) ? 'taken' : 'overflow';
  }
}

/**
 * Changes that are this client's to apply and not applied yet: those of a save that is still arriving, and
 * everything while the application loads the document. Contiguous; bounded in characters.
 */
class RemoteInbox {
  readonly #maxChars: number;
  readonly #apply: (changes: LoggedChange[], fromIndex: number) => void;
  #changes: LoggedChange[] = [];
  #fromIndex = 0;
  #chars = 0;
  #held = true;

  constructor(maxChars: number, apply: (changes: LoggedChange[], fromIndex: number) => void) {
    this.#maxChars = maxChars;
    this.#apply = apply;
  }

  /**
   * False if there is no room while the application loads. Afterwards a save that outgrows the bound is
   * applied in pieces.
   */
  add(changes: readonly LoggedChange[], fromIndex: number): boolean {
    if (changes.length === 0) return true;
    if (this.#changes.length === 0) this.#fromIndex = fromIndex;
    for (const change of changes) {
      this.#changes.push(change);
      this.#chars += change.change.length;
    }
    if (this.#chars > this.#maxChars) this.flush();
    return this.#chars <= this.#maxChars;
  }

  /** Applies what is there, unless the application is still loading. */
  flush(): void {
    if (this.#held || this.#changes.length === 0) return;
    const changes = this.#changes;
    this.clear();
    this.#apply(changes, this.#fromIndex);
  }

  /** The application has loaded the document. */
  release(): void {
    this.#held = false;
    this.flush();
  }

  clear(): void {
    this.#changes = [];
    this.#chars = 0;
  }
}

export interface LogRepairHost {
  /** The server sends what is missing when the session is restored. */
  readonly replays: boolean;
  restart(detail: string): void;
  reload(detail: string): void;
}

const maxAttempts = 3;

/** What to do about a hole in the log: restore the session where that helps, open anew where it does not. */
export class LogRepair {
  readonly #host: LogRepairHost;
  #attempts = 0;

  constructor(host: LogRepairHost) {
    this.#host = host;
  }

  /** The log grew by what was next: earlier attempts worked. */
  succeeded(): void {
    this.#attempts = 0;
  }

  attempt(detail: string): void {
    if (!this.#host.replays || this.#attempts >= maxAttempts) {
      this.#host.reload(detail);
      return;
    }
    this.#attempts += 1;
    this.#host.restart(detail);
  }
}
