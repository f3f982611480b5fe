/**
 * Who may append to a document's log now, and who comes next: first come, first served. The lock is a lease, so that a
 * holder who falls silent does not stop the others.
 */

export interface SaveLockRequester {
  connectionId: string;
  /** Unique user id. A user who already holds the lock is granted it again: a reconnect must not wait for itself. */
  userId: string;
  /** The node of the connection, where there are several. */
  nodeId?: string;
}

export interface SaveLockQueue {
  readonly holder: (SaveLockRequester & { expiresAtMs: number }) | null;
  readonly waiting: readonly SaveLockRequester[];
}

export const emptySaveLockQueue: SaveLockQueue = { holder: null, waiting: [] };

/** `granted` names who holds the lock because of this step, if that changed. */
export interface SaveLockStep {
  queue: SaveLockQueue;
  granted: SaveLockRequester | null;
}

/** Asks for the lock: granted at once when it is free, expired or held by the same user, else queued in order. */
export function requestSaveLock(
  queue: SaveLockQueue,
  requester: SaveLockRequester,
  nowMs: number,
  leaseMs: number,
): SaveLockStep {
  const holder = holderAt(queue, nowMs);
  const position = queue.waiting.findIndex(({ connectionId }) => connectionId === requester.connectionId);
  const queued = position < 0 ? [...queue.waiting, requester] : queue.waiting.with(position, requester);
  if (!holder) return grantNext(queued, nowMs, leaseMs);
  if (holder.userId !== requester.userId) return { queue: { holder, waiting: queued }, granted: null };
  const waiting = queued.filter((one) => one !== requester);
  return { queue: { holder: { expiresAtMs: nowMs + leaseMs, ...requester }, waiting }, granted: requester };
}

/** Takes the lock only if nobody waits for it and nobody holds it: for a batch that came without asking. */
export function takeIfFree(
  queue: SaveLockQueue,
  requester: SaveLockRequester,
  nowMs: number,
  leaseMs: number,
): SaveLockStep {
  const holder = holderAt(queue, nowMs);
  if (holder ? holder.userId === requester.userId : queue.waiting.length === 0) {
    return requestSaveLock(queue, requester, nowMs, leaseMs);
  }
  return { queue, granted: null };
}

/** Releases the lock and grants it to the next in the queue. A lock of somebody else stays as it is. */
export function releaseSaveLock(
  queue: SaveLockQueue,
  userId: string,
  nowMs: number,
  leaseMs: number,
): SaveLockStep {
  const holder = holderAt(queue, nowMs);
  if (holder && holder.userId !== userId) return { queue, granted: null };
  return grantNext(queue.waiting, nowMs, leaseMs);
}

/** Hands an expired lock to the next in the queue. */
export function expireSaveLock(queue: SaveLockQueue, nowMs: number, leaseMs: number): SaveLockStep {
  if (!queue.holder || holderAt(queue, nowMs)) return { queue, granted: null };
  return grantNext(queue.waiting, nowMs, leaseMs);
}

/** A connection is gone or was answered otherwise: it no longer waits. Its lock, if it holds one, is not touched. */
export function stopWaiting(queue: SaveLockQueue, connectionId: string): SaveLockQueue {
  const waiting = queue.waiting.filter((requester) => requester.connectionId !== connectionId);
  return waiting.length === queue.waiting.length ? queue : { holder: queue.holder, waiting };
}

/** Many are gone at once, and a lock that one of them held goes to the next in the queue. */
export function forgetRequesters(
  queue: SaveLockQueue,
  isGone: (requester: SaveLockRequester) => boolean,
  nowMs: number,
  leaseMs: number,
): SaveLockStep {
  const waiting = queue.waiting.filter((requester) => !isGone(requester));
  if (queue.holder && isGone(queue.holder)) return grantNext(waiting, nowMs, leaseMs);
  if (waiting.length === queue.waiting.length) return { queue, granted: null };
  return { queue: { holder: queue.holder, waiting }, granted: null };
}

/** Who holds the lock now: nobody any more, once the lease has run out. */
const holderAt = ({ holder }: SaveLockQueue, nowMs: number) =>
  holder && holder.expiresAtMs > nowMs ? holder : null;

/** The time stands before the spread: in the other order V8 11 makes a hidden class for each object. */
function grantNext(waiting: readonly SaveLockRequester[], nowMs: number, leaseMs: number): SaveLockStep {
  const [next, ...rest] = waiting;
  if (!next) return { queue: emptySaveLockQueue, granted: null };
  return { queue: { holder: { expiresAtMs: nowMs + leaseMs, ...next }, waiting: rest }, granted: next };
}
