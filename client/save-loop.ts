import type { LoggedChange } from './change-sequence.ts';
import { DocumentClientError } from './client-error.ts';
import type { Clock } from './clock.ts';
import type { TakenBatch } from './options.ts';
import { type BatchPart, PendingBatch } from './pending-batches.ts';
import {
  type ClientMessage,
  lockReplyTimeoutMs,
  saveReplyTimeoutMs,
  type UnSaveLock,
} from './protocol/index.ts';

/** What the save loop needs from the client around it. */
export interface SaveLoopHost {
  readonly clock: Clock;
  send(message: ClientMessage): boolean;
  /** Index of the first change this client does not have. */
  nextIndex(): number;
  /** Everything that arrived is handed to the application before this returns. */
  applyRemote(): void;
  takeBatch(baseIndex: number): TakenBatch | null;
  /** Own changes are stored at `firstIndex`: the position in the log is behind them, the application is told. */
  confirm(firstIndex: number, count: number): void;
  maxPartChars(): number;
  isExcel(): boolean;
  hasOtherEditors(): boolean;
  /** The server does not answer: try another connection. */
  reconnect(detail: string): void;
  /** The server contradicts what this client knows: compare, or give up. */
  resynchronise(detail: string): void;
  /** A hook threw: the client cannot go on. */
  fail(error: DocumentClientError): void;
  changed(): void;
}

/**
 * - `idle`: nothing to do, or no session.
 * - `asking`: isSaveLock was sent.
 * - `backing-off`: refused, will ask again.
 * - `sending`: a part was sent and is not acknowledged.
 * - `returning`: the save lock was not needed and is being given back.
 */
export type SaveState = 'idle' | 'asking' | 'backing-off' | 'sending' | 'returning';

const refusedDelayMs = 400;
/** A server that queues requests answers when the lock is free, which may be a whole save later. */
const saveLockReplyTimeoutMs = 6 * lockReplyTimeoutMs;

interface SentPart extends BatchPart {
  /** The log ends here when the part is stored. */
  endIndex: number;
  /** Somebody else's change is stored in its place: it will be refused. */
  isOvertaken: boolean;
  releaseLocks: boolean;
  unlock: boolean;
}

interface Waiter {
  resolve: () => void;
  reject: (error: Error) => void;
}

/**
 * Saves, one batch at a time: ask for the save lock, take what the application has, rebased on everything
 * that is stored, send it in parts, confirm each part.
 *
 * Invariant: a pending batch belongs at exactly `nextIndex()`. It ends by acknowledgement, by turning up in
 * the log, or by somebody else's change taking its place; then the application is asked for it again. A part that was
 * sent is answered in every case: with its acknowledgement, or with `saveLock: true`, by which nothing of it is stored.
 */
export class SaveLoop {
  readonly #host: SaveLoopHost;
  #state: SaveState = 'idle';
  #online = false;
  #wanted = false;
  #releaseLocks = false;
  #unlockWanted = false;
  #pending: PendingBatch | null = null;
  #part: SentPart | null = null;
  #resending = false;
  #cancelTimer: (() => void) | null = null;
  #waiters: Waiter[] = [];
  #failure: Error | null = null;

  constructor(host: SaveLoopHost) {
    this.#host = host;
  }

  get state(): SaveState {
    return this.#state;
  }

  /** Nothing is asked for, nothing is unacknowledged. */
  get settled(): boolean {
    return !this.#wanted && !this.#pending && this.#state === 'idle';
  }

  /** Changes that were taken from the application and are not acknowledged. */
  get unacknowledged(): string[] {
    return this.#pending?.unacknowledged ?? [];
  }

  get unacknowledgedCount(): number {
    return this.#pending?.unacknowledgedCount ?? 0;
  }

  /** There is something to save; `releaseLocks` gives this user's element locks back with it. */
  request(releaseLocks: boolean): void {
    if (this.#failure) return;
    this.#wanted = true;
    this.#releaseLocks ||= releaseLocks;
    this.#proceed();
    this.#host.changed();
  }

  /** Resolves when everything requested so far is stored; rejects when that cannot happen any more. */
  saved(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.settled) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  online(): void {
    this.#online = true;
    this.#proceed();
  }

  offline(): void {
    this.#online = false;
    this.#enter('idle');
    this.#part = null;
    this.#unlockWanted = false;
    if (this.#pending && !this.#pending.untouched) this.#resending = true;
  }

  fail(error: Error): void {
    this.offline();
    this.#failure ??= error;
    this.#wanted = false;
    for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
  }

  /** Somebody waits for this editor to have nothing on its way. */
  admitNewcomer(): void {
    if (this.#state === 'sending') {
      this.#unlockWanted = true;
      return;
    }
    this.#host.send({
      type: 'unLockDocument',
      isSave: false,
      unlock: true,
      deleteIndex: null,
      releaseLocks: false,
    });
  }

  onSaveLock(refused: boolean): void {
    if (refused) {
      if (this.#state === 'asking') this.#backOff();
      else if (this.#state === 'sending') this.#onPartRefused();
      return;
    }
    if (this.#state !== 'asking') return;
    this.#host.applyRemote();
    if (!this.#failure && !this.#pending) this.#take();
    if (this.#failure) return;
    if (this.#pending) this.#sendPart();
    else this.#giveBack();
  }

  onPartSaved(syncChangesIndex: number): void {
    if (this.#state === 'sending' && this.#part && !this.#part.last) this.#acknowledge(syncChangesIndex);
  }

  onSaved(reply: UnSaveLock): void {
    if (this.#state === 'returning') {
      this.#enter('idle');
      this.#proceed();
      this.#host.changed();
    } else if (this.#state === 'sending' && this.#part?.last) {
      this.#acknowledge(reply.syncChangesIndex);
    }
  }

  /**
   * Changes turned up in the log at `fromIndex`. Returns how many of them, from the first, are the pending
   * ones: they are confirmed by this. If any other follows, what is left of the batch will be taken anew.
   */
  recognise(changes: readonly LoggedChange[], fromIndex: number, userId: string): number {
    const pending = this.#pending;
    if (!pending || changes.length === 0) return 0;
    const count = pending.storedCount(changes, fromIndex, userId);
    if (count > 0) this.#confirmPending(count);
    if (count < changes.length && this.#pending) {
      if (this.#part) this.#part.isOvertaken = true;
      this.#pending = null;
      this.#wanted = true;
    }
    if (!this.#pending && this.#releaseLocks) this.#wanted = true;
    return count;
  }

  #proceed(): void {
    if (this.#state !== 'idle') return;
    if (this.#online && (this.#wanted || this.#pending)) this.#ask();
    else if (this.settled) for (const waiter of this.#waiters.splice(0)) waiter.resolve();
  }

  #enter(state: SaveState, timeoutMs?: number, onTimeout?: () => void): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#state = state;
    if (timeoutMs !== undefined && onTimeout) {
      this.#cancelTimer = this.#host.clock.after(timeoutMs, onTimeout);
    }
  }

  #backOff(): void {
    const delayMs = refusedDelayMs * (0.5 + this.#host.clock.random());
    this.#enter('backing-off', delayMs, () => this.#ask());
  }

  /** Somebody else was faster, or has the save lock: what is left of the batch is taken anew, or sent again. */
  #onPartRefused(): void {
    this.#part = null;
    this.#backOff();
    if (this.#unlockWanted) {
      this.#unlockWanted = false;
      this.admitNewcomer();
    }
    this.#host.changed();
  }

  #ask(): void {
    this.#enter('asking', saveLockReplyTimeoutMs, () => this.#host.reconnect('no answer to isSaveLock'));
    this.#host.send({ type: 'isSaveLock', syncChangesIndex: this.#host.nextIndex() });
  }

  #take(): void {
    const baseIndex = this.#host.nextIndex();
    this.#wanted = false;
    try {
      const taken = this.#host.takeBatch(baseIndex) ?? [];
      const { changes, excelAdditionalInfo } = 'changes' in taken ? taken : { changes: taken };
      if (changes.length > 0) this.#pending = new PendingBatch(changes, baseIndex, excelAdditionalInfo);
      this.#resending = false;
    } catch (cause) {
      this.#giveBack();
      this.#host.fail(new DocumentClientError('hook', 'takeBatch threw', { cause }));
    }
  }

  #sendPart(): void {
    const pending = this.#pending!;
    const startSaveChanges = this.#part === null;
    const part = pending.nextPart(this.#host.maxPartChars());
    const releaseLocks = part.last && this.#releaseLocks;
    const unlock = part.last && this.#unlockWanted;
    this.#part = {
      ...part,
      endIndex: pending.baseIndex + part.count,
      isOvertaken: false,
      releaseLocks,
      unlock,
    };
    pending.untouched = false;
    this.#enter('sending', saveReplyTimeoutMs, () => this.#host.reconnect('no answer to saveChanges'));
    this.#host.send({
      type: 'saveChanges',
      changes: part.changes,
      startSaveChanges,
      endSaveChanges: part.last,
      isCoAuthoring: this.#host.hasOtherEditors(),
      isExcel: this.#host.isExcel(),
      deleteIndex: null,
      excelAdditionalInfo: part.last ? pending.excelAdditionalInfo : null,
      unlock,
      releaseLocks,
      ...(this.#resending && { reSave: 2 }),
      quireIndex: pending.baseIndex,
    });
  }

  #acknowledge(syncChangesIndex: number): void {
    const { last, endIndex, isOvertaken, releaseLocks, unlock } = this.#part!;
    if (isOvertaken || syncChangesIndex !== endIndex) {
      this.#host.resynchronise('the log does not end where this save would');
      return;
    }
    if (releaseLocks) this.#releaseLocks = false;
    if (unlock) this.#unlockWanted = false;
    this.#resending = false;
    if (last) {
      this.#part = null;
      this.#enter('idle');
    }
    // A resend may have turned up in the log before its acknowledgement, and is confirmed then.
    const unconfirmed = this.#pending ? endIndex - this.#pending.baseIndex : 0;
    if (unconfirmed > 0) this.#confirmPending(unconfirmed);
    if (this.#failure) return;
    if (last) this.#afterSave();
    else this.#sendPart();
    this.#host.changed();
  }

  #afterSave(): void {
    if (this.#unlockWanted) {
      this.#unlockWanted = false;
      this.admitNewcomer();
    }
    this.#proceed();
  }

  #confirmPending(count: number): void {
    const pending = this.#pending!;
    const firstIndex = pending.baseIndex;
    pending.acknowledge(count);
    if (pending.unacknowledgedCount === 0) this.#pending = null;
    this.#host.confirm(firstIndex, count);
  }

  /** The save lock was granted and there is nothing to save. */
  #giveBack(): void {
    this.#enter('returning', lockReplyTimeoutMs, () => this.#host.reconnect('no answer to unSaveLock'));
    if (this.#releaseLocks) {
      this.#releaseLocks = false;
      this.#host.send({
        type: 'unLockDocument',
        isSave: true,
        unlock: false,
        deleteIndex: null,
        releaseLocks: true,
      });
    } else {
      this.#host.send({ type: 'unSaveLock' });
    }
  }
}
