import type { ClientMessage } from '../client/protocol/index.ts';
import type { Prepared } from './wire/frames.ts';
import type { LeanClient } from './wire/lean-client.ts';

/** Digits of the place that is kept for an index in a prepared message. */
const indexPlace = 9_999_999_999;
/** Who was refused the save lock asks again after this long, milliseconds. */
const askAgainMs = 500;

/** What one save took, milliseconds. */
export interface SaveTimes {
  /** From `saveChanges` to its acknowledgement. */
  savedMs: number;
  /** From when the save was due, with the save lock, to the acknowledgement. */
  totalMs: number;
}

/** The changes that a saver sends. */
export interface Batches {
  readonly changesPerSave: number;
  /** The message of one save, ready to be sent once. Saves are numbered from 0. */
  frameOf(serial: number): Prepared;
}

/** A whole save in one part. */
export const saveMessage = (changes: readonly string[]): ClientMessage => ({
  type: 'saveChanges',
  changes: JSON.stringify(changes),
  startSaveChanges: true,
  endSaveChanges: true,
  isCoAuthoring: false,
  isExcel: false,
  deleteIndex: null,
  unlock: false,
  releaseLocks: false,
});

const changesIndexMark = '"changesIndex":';

/**
 * Saves as one editor of a document: asks for the save lock, sends a batch, waits for the acknowledgement. A save that is
 * due while another one is under way follows right after it.
 */
export class Saver {
  /** Saves that the server has acknowledged. */
  acknowledged = 0;
  /** Saves that were sent. */
  sent = 0;
  onSaved: (times: SaveTimes) => void = () => undefined;
  /** Called when somebody else's save arrives, before anything else is done with it. */
  onOthers: (data: Buffer) => void = () => undefined;
  readonly key: string;
  readonly #client: LeanClient;
  readonly #batches: Batches;
  readonly #ask: Prepared;
  readonly #askIndexAt: number;
  /** When each save that was asked for was due; the first is under way. */
  readonly #due: number[] = [];
  /** Changes of the log that this editor has. */
  #endIndex: number;
  #sentAt = 0;
  /** When what is waited for was asked for. */
  #waitingSinceMs = 0;

  /** @param endIndex changes of the log that the editor has been given */
  constructor(client: LeanClient, key: string, batches: Batches, endIndex = 0) {
    this.#client = client;
    this.key = key;
    this.#batches = batches;
    this.#endIndex = endIndex;
    this.#ask = client.prepare({ type: 'isSaveLock', syncChangesIndex: indexPlace });
    this.#askIndexAt = this.#ask.indexOf(String(indexPlace));
    client.onMessage = (type, data) => this.take(type, data);
  }

  /** Takes a message of its connection. */
  take(type: string, data: Buffer): void {
    if (type === 'saveLock') this.#onLock(data);
    else if (type === 'unSaveLock') this.#onAcknowledged();
    else if (type === 'saveChanges') this.#onOthersSave(data);
  }

  get busy(): boolean {
    return this.#due.length > 0;
  }

  /** How long an answer has been waited for, milliseconds; 0 when none is. */
  waitingMs(nowMs: number): number {
    return this.busy ? nowMs - this.#waitingSinceMs : 0;
  }

  /** Saves now, or, while another save is under way, right after it. The save's time counts from `dueAt`. */
  save(dueAt: number): void {
    this.#due.push(dueAt);
    if (this.#due.length === 1) this.#start();
  }

  #start(): void {
    this.#waitingSinceMs = performance.now();
    if (!this.#client.isOpen) return;
    this.#ask.write(String(this.#endIndex).padStart(String(indexPlace).length), this.#askIndexAt, 'latin1');
    this.#client.send(this.#ask);
  }

  #onLock(data: Buffer): void {
    if (!this.busy) return;
    if (data.includes('"saveLock":true')) {
      setTimeout(() => this.#start(), askAgainMs);
      return;
    }
    const frame = this.#batches.frameOf(this.sent);
    this.sent += 1;
    this.#sentAt = performance.now();
    this.#waitingSinceMs = this.#sentAt;
    this.#client.send(frame);
  }

  #onAcknowledged(): void {
    // An answer to a lock that was given back is no acknowledgement; this client gives none back.
    if (!this.busy) return;
    const now = performance.now();
    this.acknowledged += 1;
    this.#endIndex += this.#batches.changesPerSave;
    const dueAt = this.#due.shift()!;
    if (this.busy) this.#start();
    this.onSaved({ savedMs: now - this.#sentAt, totalMs: now - dueAt });
  }

  #onOthersSave(data: Buffer): void {
    const at = data.lastIndexOf(changesIndexMark) + changesIndexMark.length;
    this.#endIndex = Number.parseInt(data.toString('latin1', at, at + 12), 10);
    this.onOthers(data);
  }
}
