import { DocumentClientError } from './client-error.ts';
import type { Clock } from './clock.ts';
import {
  type Block,
  type Lock,
  type LockMap,
  lockKey,
  lockReplyTimeoutMs,
  type ReleasedLock,
} from './protocol/index.ts';

/** Outcome of a lock request: granted as a whole, or who is in the way. */
export type LockResult = { granted: true } | { granted: false; holder: Lock };

interface LockRequest {
  blocks: readonly Block[];
  resolve: (result: LockResult) => void;
  reject: (error: Error) => void;
  cancelTimeout: (() => void) | null;
}

export interface LockRequestSender {
  /** False if there is no session to send in. */
  sendGetLock(blocks: Block[]): boolean;
  /** Unique id of this user. */
  userId(): string;
}

const maxWaitingRequests = 1_000;

/**
 * The element locks of the document as last reported, and this client's requests for more. Replies name no
 * request, so one is in flight at a time; those made while there is no session wait for the next one.
 */
export class ElementLocks {
  readonly #sender: LockRequestSender;
  readonly #clock: Clock;
  #locks = new Map<string, Lock>();
  #waiting: LockRequest[] = [];
  #online = false;
  /** All own locks are being given back: until the server says that they are free, lists name old ones. */
  #givingBack: { overtaken: LockRequest | null } | null = null;

  constructor(sender: LockRequestSender, clock: Clock) {
    this.#sender = sender;
    this.#clock = clock;
  }

  get all(): ReadonlyMap<string, Lock> {
    return this.#locks;
  }

  /** The blocks this user holds, as a restore names them. */
  own(userId: string): Block[] {
    return [...this.#locks.values()].filter((lock) => lock.user === userId).map((lock) => lock.block);
  }

  acquire(blocks: readonly Block[]): Promise<LockResult> {
    if (blocks.length === 0) return Promise.resolve({ granted: true });
    if (this.#waiting.length >= maxWaitingRequests) {
      return Promise.reject(new DocumentClientError('timeout', 'too many lock requests are waiting'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ blocks, resolve, reject, cancelTimeout: null });
      if (this.#waiting.length === 1) this.#sendFirst();
    });
  }

  /** Locks of a `getLock`: those that were granted now, or all there are. What ends is always told. */
  put(locks: LockMap): void {
    for (const lock of Object.values(locks)) {
      if (!this.#givingBack || !this.#isOwn(lock)) this.#locks.set(lockKey(lock.block), lock);
    }
    this.#settleFirst();
  }

  /**
   * This user's locks are no longer its own from now on, while the server has yet to come to that. It answers with a
   * `releaseLock` if there are any. A request that it comes to before is granted for nothing, and made again.
   */
  giveBack(): void {
    const own = [...this.#locks].filter(([, lock]) => this.#isOwn(lock));
    if (own.length === 0) return;
    for (const [key] of own) this.#locks.delete(key);
    const first = this.#waiting[0];
    this.#givingBack = { overtaken: first?.cancelTimeout ? first : null };
  }

  /** The full list from `auth` (object or array). */
  replace(locks: LockMap | readonly Lock[]): void {
    const list = Array.isArray(locks) ? locks : Object.values(locks);
    this.#locks = new Map(list.map((lock) => [lockKey(lock.block), lock]));
    this.#givingBack = null;
    this.#settleFirst();
  }

  release(released: readonly ReleasedLock[]): void {
    for (const { block, user } of released) {
      const key = lockKey(block);
      if (this.#locks.get(key)?.user === user) this.#locks.delete(key);
    }
    if (this.#givingBack && released.some((lock) => this.#isOwn(lock))) this.#gaveBack();
  }

  online(): void {
    this.#online = true;
    this.#sendFirst();
  }

  /** Requests without an answer are sent again in the next session. */
  offline(): void {
    this.#online = false;
    const request = this.#waiting[0];
    request?.cancelTimeout?.();
    if (request) request.cancelTimeout = null;
  }

  fail(error: Error): void {
    this.offline();
    for (const request of this.#waiting.splice(0)) request.reject(error);
  }

  #isOwn({ user }: { user: string }): boolean {
    return user === this.#sender.userId();
  }

  #gaveBack(): void {
    const { overtaken } = this.#givingBack!;
    this.#givingBack = null;
    if (!overtaken || overtaken !== this.#waiting[0]) return;
    overtaken.cancelTimeout?.();
    this.#sendFirst();
  }

  #sendFirst(): void {
    const request = this.#waiting[0];
    if (!request || !this.#online || !this.#sender.sendGetLock([...request.blocks])) return;
    request.cancelTimeout = this.#clock.after(lockReplyTimeoutMs, () => {
      this.#waiting.shift();
      // Nor has it said that locks are free: what it lists counts again.
      this.#givingBack = null;
      request.reject(new DocumentClientError('timeout', 'no answer to a lock request'));
      this.#sendFirst();
    });
  }

  /**
   * A list that was sent for somebody else's request says nothing about ours unless it already names a
   * foreign holder: until every block is listed, the answer is still to come.
   */
  #settleFirst(): void {
    const request = this.#waiting[0];
    if (!request?.cancelTimeout) return;
    const held = request.blocks.map((block) => this.#locks.get(lockKey(block)));
    const foreign = held.find((lock) => lock && !this.#isOwn(lock));
    if (!foreign && held.includes(undefined)) return;
    request.cancelTimeout();
    this.#waiting.shift();
    request.resolve(foreign ? { granted: false, holder: foreign } : { granted: true });
    this.#sendFirst();
  }
}
