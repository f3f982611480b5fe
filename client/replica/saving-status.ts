import type { Clock } from '../clock.ts';
import type { ConnectionState } from '../document-events.ts';
import { TypedEvents } from '../typed-events.ts';

/**
 * - `online`: in session.
 * - `reconnecting`: on the way into the session, for the first time or again.
 * - `offline`: that has not worked for a while, or the session ended.
 */
export type Reachability = 'online' | 'reconnecting' | 'offline';

/** Where the changes of this session are. */
export interface SavingStatus {
  /** Changes made here that the server has not acknowledged. */
  readonly unsentCount: number;
  /** Those of them that are on their way. */
  readonly unacknowledgedCount: number;
  readonly connection: Reachability;
  /** Milliseconds since the epoch. */
  readonly connectionSinceMs: number;
  /** Milliseconds since the epoch; null before the first acknowledgement. */
  readonly lastAcknowledgedAtMs: number | null;
  /** Everything unsent is in the journal and outlives this page. */
  readonly journaled: boolean;
}

export interface SavingStatusEvents {
  change: SavingStatus;
}

type Counts = Pick<SavingStatus, 'unsentCount' | 'unacknowledgedCount' | 'journaled'>;

/** A lost connection is taken for none after this time. */
const offlineAfterMs = 10_000;

/** The saving status as it changes. */
export class SavingStatusSource extends TypedEvents<SavingStatusEvents> {
  readonly #clock: Clock;
  #current: SavingStatus;
  #cancelOffline: (() => void) | null = null;

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
    this.#current = {
      unsentCount: 0,
      unacknowledgedCount: 0,
      connection: 'reconnecting',
      connectionSinceMs: clock.now(),
      lastAcknowledgedAtMs: null,
      journaled: true,
    };
  }

  get current(): SavingStatus {
    return this.#current;
  }

  count(counts: Counts): void {
    const { unsentCount, unacknowledgedCount, journaled } = this.#current;
    if (
      counts.unsentCount !== unsentCount ||
      counts.unacknowledgedCount !== unacknowledgedCount ||
      counts.journaled !== journaled
    ) {
      this.#set(counts);
    }
  }

  acknowledged(): void {
    this.#set({ lastAcknowledgedAtMs: this.#clock.now() });
  }

  connection(state: ConnectionState): void {
    const { connection } = this.#current;
    if (state === 'ready') this.#reach('online');
    else if (state === 'ended') this.#reach('offline');
    else if (connection !== 'offline' && !this.#cancelOffline) {
      this.#reach('reconnecting');
      this.#cancelOffline = this.#clock.after(offlineAfterMs, () => this.#reach('offline'));
    }
  }

  #reach(connection: Reachability): void {
    this.#cancelOffline?.();
    this.#cancelOffline = null;
    if (connection !== this.#current.connection) {
      this.#set({ connection, connectionSinceMs: this.#clock.now() });
    }
  }

  #set(changes: Partial<SavingStatus>): void {
    this.#current = { ...this.#current, ...changes };
    this.emit('change', this.#current);
  }
}
