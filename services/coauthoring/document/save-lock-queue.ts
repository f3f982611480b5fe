/**
 * Who may append to a document's log now, and who comes next: first come, first served. The lock is a lease, so that a
 * holder who falls silent does not stop the others, and each person may keep others waiting for so long only: who has used
 * that up has short turns for some minutes, whatever connections they ask by and whatever they ask.
 */

export interface SaveLockRequester {
  connectionId: string;
  /** Unique user id. A user who already holds the lock is granted it again: a reconnect must not wait for itself. */
  userId: string;
  /** The integrator's id of the person, who may have several sessions. */
  person: string;
  /** The node of the connection, where there are several. */
  nodeId?: string;
}

export interface SaveLockHolder extends SaveLockRequester {
  expiresAtMs: number;
  /** Since when others have had to wait for this turn; absent: nobody has. */
  awaitedSinceMs?: number;
}

interface Waiting extends SaveLockRequester {
  /** When somebody came in line who has kept others waiting; absent: others are not let go before them. */
  lateSinceMs?: number;
}

export interface SaveLockQueue {
  readonly holder: SaveLockHolder | null;
  readonly waiting: readonly Waiting[];
  /** Of those who have kept others waiting: when that will be forgotten. */
  readonly debts?: Readonly<Record<string, number>>;
}

export const emptySaveLockQueue: SaveLockQueue = { holder: null, waiting: [] };

/** `granted` names who holds the lock because of this step, if that changed. */
export interface SaveLockStep {
  queue: SaveLockQueue;
  granted: SaveLockRequester | null;
}

/** One person may keep others waiting for this part of a lease in all; it is forgotten over so many times as long. */
const waitShare = 1 / 3;
const forgottenAfter = 30;
/** So long a turn lasts in any case, milliseconds. */
const leastTurnMs = 500;
/** So long others who come later go before somebody who has kept people waiting, milliseconds. */
const lateMs = 4_000;
/** Time in which nothing is held against anybody: from the answer to the save over a slow network, milliseconds. */
const usualTurnMs = 1_000;
/** Who saves more than so many characters in a millisecond keeps nobody waiting: an upload over a slow network. */
const savingRate = 32;

/** Asks for the lock: granted at once when it is free, expired or held by the same user, else queued in order. */
export function requestSaveLock(
  queue: SaveLockQueue,
  requester: SaveLockRequester,
  nowMs: number,
  leaseMs: number,
): SaveLockStep {
  const position = queue.waiting.findIndex(({ connectionId }) => connectionId === requester.connectionId);
  const since =
    queue.waiting[position]?.lateSinceMs ?? (isInDebt(queue, requester, nowMs) ? nowMs : undefined);
  const asks: Waiting = since === undefined ? requester : { ...requester, lateSinceMs: since };
  const queued = position < 0 ? [...queue.waiting, asks] : queue.waiting.with(position, asks);
  const { holder } = queue;
  if (!isHeld(queue, nowMs)) return grantNext(queue, queued, nowMs, leaseMs);
  if (holder?.userId !== requester.userId)
    return { queue: awaited({ ...queue, waiting: queued }, nowMs, leaseMs), granted: null };
  const waiting = queued.filter((one) => one !== asks);
  const expiresAtMs = turnEnd(queue, nowMs, leaseMs);
  return {
    queue: { ...queue, holder: { ...holder, ...requester, expiresAtMs }, waiting },
    granted: requester,
  };
}

/**
 * Takes the lock for a batch of so many characters, or keeps it for longer. One that came without asking takes it only if nobody
 * waits for it and nobody holds it.
 */
export function takeForSaving(
  queue: SaveLockQueue,
  requester: SaveLockRequester,
  { nowMs, leaseMs, characters }: { nowMs: number; leaseMs: number; characters: number },
): SaveLockStep {
  const { holder } = queue;
  if (!isHeld(queue, nowMs)) {
    if (queue.waiting.length > 0) return { queue, granted: null };
    return requestSaveLock(queue, requester, nowMs, leaseMs);
  }
  if (holder?.userId !== requester.userId) return { queue, granted: null };
  const { awaitedSinceMs } = holder;
  const earned = awaitedSinceMs === undefined ? undefined : awaitedSinceMs + characters / savingRate;
  const after = earned === undefined ? holder : { ...holder, awaitedSinceMs: Math.min(nowMs, earned) };
  return requestSaveLock({ ...queue, holder: after }, requester, nowMs, leaseMs);
}

/** Releases the lock and grants it to the next in the queue. A lock of somebody else stays as it is. */
export function releaseSaveLock(
  queue: SaveLockQueue,
  userId: string,
  nowMs: number,
  leaseMs: number,
): SaveLockStep {
  if (isHeld(queue, nowMs) && queue.holder?.userId !== userId) return { queue, granted: null };
  return grantNext(queue, queue.waiting, nowMs, leaseMs);
}

/** Hands an expired lock to the next in the queue. */
export function expireSaveLock(queue: SaveLockQueue, nowMs: number, leaseMs: number): SaveLockStep {
  if (!queue.holder || isHeld(queue, nowMs)) return { queue, granted: null };
  return grantNext(queue, queue.waiting, nowMs, leaseMs);
}

/** A connection is gone or was answered otherwise: it no longer waits. Its lock, if it holds one, is not touched. */
export function stopWaiting(queue: SaveLockQueue, connectionId: string): SaveLockQueue {
  const waiting = queue.waiting.filter((requester) => requester.connectionId !== connectionId);
  return waiting.length === queue.waiting.length ? queue : { ...queue, waiting };
}

/** Many are gone at once, and a lock that one of them held goes to the next in the queue. */
export function forgetRequesters(
  queue: SaveLockQueue,
  isGone: (requester: SaveLockRequester) => boolean,
  nowMs: number,
  leaseMs: number,
): SaveLockStep {
  const waiting = queue.waiting.filter((requester) => !isGone(requester));
  if (queue.holder && isGone(queue.holder)) return grantNext(queue, waiting, nowMs, leaseMs);
  if (waiting.length === queue.waiting.length) return { queue, granted: null };
  return { queue: { ...queue, waiting }, granted: null };
}

/** Whether somebody holds the lock now: nobody any more, once the lease has run out. */
const isHeld = ({ holder }: SaveLockQueue, nowMs: number): boolean =>
  holder !== null && holder.expiresAtMs > nowMs;

/** People are called as their integrators like, also `constructor`. */
const debtOf = (debts: SaveLockQueue['debts'], person: string): number =>
  debts && Object.hasOwn(debts, person) ? debts[person]! : 0;

/** Whether something is held against a person. */
const isInDebt = ({ debts }: SaveLockQueue, { person }: SaveLockRequester, nowMs: number): boolean =>
  debtOf(debts, person) > nowMs;

/** Somebody waits for the holder, whose turn is shorter then. */
function awaited(queue: SaveLockQueue, nowMs: number, leaseMs: number): SaveLockQueue {
  const { holder, waiting } = queue;
  if (!holder || waiting.length === 0) return queue;
  const since = { ...queue, holder: { ...holder, awaitedSinceMs: holder.awaitedSinceMs ?? nowMs } };
  const expiresAtMs = Math.min(holder.expiresAtMs, turnEnd(since, nowMs, leaseMs));
  return { ...since, holder: { ...since.holder, expiresAtMs } };
}

/** When the holder's turn ends that goes on now. */
function turnEnd({ holder, debts }: SaveLockQueue, nowMs: number, leaseMs: number): number {
  const sinceMs = holder?.awaitedSinceMs;
  if (!holder || sinceMs === undefined) return nowMs + leaseMs;
  const owedMs = Math.max(0, debtOf(debts, holder.person) - sinceMs) / forgottenAfter;
  return Math.min(nowMs + leaseMs, sinceMs + Math.max(leastTurnMs, leaseMs * waitShare - owedMs));
}

/** What is held against people when the holder's turn has ended. */
function debtsAfter(
  { holder, debts }: SaveLockQueue,
  nowMs: number,
  leaseMs: number,
): SaveLockQueue['debts'] {
  const waitedMs = holder?.awaitedSinceMs === undefined ? 0 : nowMs - holder.awaitedSinceMs - usualTurnMs;
  const left = Object.entries(debts ?? {}).filter(([, untilMs]) => untilMs > nowMs);
  if (holder && waitedMs > 0) {
    const most = nowMs + leaseMs * waitShare * forgottenAfter;
    const since = Math.max(nowMs, debtOf(debts, holder.person));
    left.push([holder.person, Math.min(most, since + waitedMs * forgottenAfter)]);
  }
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

/** The time stands before the spread: in the other order V8 11 makes a hidden class for each object. */
function grantNext(
  before: SaveLockQueue,
  waiting: readonly Waiting[],
  nowMs: number,
  leaseMs: number,
): SaveLockStep {
  const debts = debtsAfter(before, nowMs, leaseMs);
  const isNext = ({ lateSinceMs }: Waiting) => lateSinceMs === undefined || nowMs - lateSinceMs >= lateMs;
  const place = Math.max(0, waiting.findIndex(isNext));
  const next = waiting[place];
  const rest = waiting.filter((one) => one !== next);
  if (!next) return { queue: debts ? { ...emptySaveLockQueue, debts } : emptySaveLockQueue, granted: null };
  const holder = { expiresAtMs: nowMs + leaseMs, ...next };
  const queue = { holder, waiting: rest, ...(debts && { debts }) };
  return { queue: awaited(queue, nowMs, leaseMs), granted: next };
}
