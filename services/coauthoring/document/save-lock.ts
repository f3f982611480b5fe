import { setTimeout as pause } from 'node:timers/promises';
import type { IsSaveLock } from '../../../client/protocol/index.ts';
import type { ChangeFeed } from './change-feed.ts';
import { counted, isAhead, type LogEnd, type SharedLog } from './log-end.ts';
import { type Member, remembered } from './member.ts';
import { type OpenDocument, send } from './open-document.ts';
import {
  expireSaveLock,
  forgetRequesters,
  releaseSaveLock,
  requestSaveLock,
  type SaveLockQueue,
  type SaveLockRequester,
  type SaveLockStep,
  stopWaiting,
  takeForSaving,
} from './save-lock-queue.ts';
import { SavePace } from './save-pace.ts';
import { SharedSaveLock } from './shared-save-lock.ts';

/** While this part of a lease is left, its holder is sure to have it: others may have come to wait, but not for long. */
const certainShare = 0.95;

/** Who has saved very much waits for so much of the time that a client is kept waiting at once, then has to ask again. */
const pacedShare = 1 / 4;

/** How long somebody is kept waiting for the log while changes are taken out of it, milliseconds. */
const rewritingPauseMs = 25;

/**
 * The save lock of one document: its holder may append to the log. `isSaveLock` is answered when the lock is granted, in the
 * order of the requests; a client that would wait longer than it can is refused and asks again. A lock that is not used is
 * lost after its lease. A person who saves more than others can follow comes in line only when they have: the answer comes later.
 *
 * With the lock goes what is known of the log's end: a new holder is sent everything before it learns that it holds the lock.
 */
export class SaveLock {
  readonly #document: OpenDocument;
  readonly #feed: ChangeFeed;
  /** Per waiting connection: refuses it when it has waited long enough. */
  readonly #answerTimers = new Map<string, NodeJS.Timeout>();
  /** Per connection that is not in line yet, since its person has saved very much. */
  readonly #paceTimers = new Map<string, NodeJS.Timeout>();
  readonly #pace = new SavePace();
  readonly shared: SharedSaveLock;
  #lease: NodeJS.Timeout | null = null;
  readonly #run: (task: () => Promise<void>) => void;

  /** `run` puts a timer's work in line with the document's other messages. */
  constructor(document: OpenDocument, feed: ChangeFeed, run: (task: () => Promise<void>) => void) {
    this.#document = document;
    this.#feed = feed;
    this.#run = run;
    this.shared = new SharedSaveLock(document);
  }

  async ask(member: Member, request: IsSaveLock): Promise<void> {
    remembered(member, { claimedIndex: request.syncChangesIndex ?? 0 });
    member.saveLockAskedAtMs ??= member.peer.handlingSinceMs;
    if (!this.#document.isOpen) return this.#answer(member, false);
    // Who holds the lock keeps others waiting.
    const waitMs = member.saveLockUntilMs === null ? this.#owedMs(member) : 0;
    if (waitMs > 0) return this.#askLater(member, request, waitMs);
    const { saveLeaseMs } = this.#document.ports.times;
    const requester = this.#requesterOf(member);
    const granted = await this.#document.bestEffort(() =>
      this.#step((queue) => requestSaveLock(queue, requester, Date.now(), saveLeaseMs)),
    );
    if (granted === undefined) this.#answer(member, false);
    else if (granted?.connectionId !== member.peer.id) this.#answerInTime(member);
  }

  /** Whether the member may store so many characters now: it holds the lock (and keeps it longer), or nobody wants it. */
  async takeOrExtend(member: Member, characters: number): Promise<boolean> {
    const { saveLeaseMs: leaseMs } = this.#document.ports.times;
    // Where this is wrong the log refuses the batch: it takes nothing that does not follow on its end.
    if ((member.saveLockUntilMs ?? 0) - Date.now() > leaseMs * certainShare) return true;
    if (member.saveLockUntilMs === null && this.#owedMs(member) > 0) return false;
    const untilMs = await this.shared.update((queue) => {
      const times = { nowMs: Date.now(), leaseMs, characters };
      const step = takeForSaving(queue, this.#requesterOf(member), times);
      return [step.queue, step.granted && step.queue.holder ? step.queue.holder.expiresAtMs : null];
    });
    if (untilMs !== null) member.saveLockUntilMs = untilMs;
    return untilMs !== null;
  }

  /** A member has saved what is so much work for everybody else. */
  paced(member: Member, work: number): void {
    this.#pace.saved(this.#requesterOf(member).person, work, performance.now());
  }

  #owedMs(member: Member): number {
    return this.#pace.waitMs(this.#requesterOf(member).person, performance.now());
  }

  #askLater(member: Member, request: IsSaveLock, waitMs: number): void {
    const { id } = member.peer;
    const most = this.#document.ports.times.saveLockAnswerMs * pacedShare;
    this.#stopPace(id);
    const ask = async () => {
      if (!this.#paceTimers.delete(id) || this.#document.members.get(id) !== member) return;
      if (waitMs > most) this.#answer(member, false);
      else await this.ask(member, request);
    };
    this.#paceTimers.set(
      id,
      setTimeout(() => this.#run(ask), Math.min(waitMs, most)),
    );
  }

  #stopPace(connectionId: string): void {
    clearTimeout(this.#paceTimers.get(connectionId));
    this.#paceTimers.delete(connectionId);
  }

  /** Releases the lock of a user and stops the waiting of its connection. */
  async release({ connectionId, userId }: Pick<SaveLockRequester, 'connectionId' | 'userId'>): Promise<void> {
    this.#ended(connectionId);
    const { saveLeaseMs } = this.#document.ports.times;
    await this.#document.bestEffort(() =>
      this.#step((queue) =>
        releaseSaveLock(stopWaiting(queue, connectionId), userId, Date.now(), saveLeaseMs),
      ),
    );
  }

  /** The same for a member. */
  releaseOf(member: Member): Promise<void> {
    return this.release(this.#requesterOf(member));
  }

  /** A connection is gone for good: it waits no longer. A lock that its user holds is left to the user's next connection. */
  async withdraw(connectionId: string): Promise<void> {
    this.#ended(connectionId);
    await this.#document.bestEffort(() =>
      this.shared.update((queue) => [stopWaiting(queue, connectionId), undefined]),
    );
  }

  /** Nodes are gone, with everybody on them. */
  async forgetNode(isGone: (nodeId: string) => boolean): Promise<void> {
    const { saveLeaseMs } = this.#document.ports.times;
    await this.#step(
      (queue) => forgetRequesters(queue, ({ nodeId }) => isGone(nodeId ?? ''), Date.now(), saveLeaseMs),
      {
        inDoubt: true,
        share: (shared) => {
          const gone = Object.keys(shared.nodes).filter(isGone);
          const left = gone.reduce((rest, nodeId) => counted(rest, nodeId, null), shared);
          return left.rewriter && isGone(left.rewriter.nodeId) ? { ...left, rewriter: null } : left;
        },
      },
    );
  }

  /**
   * A member is about to be given the log. From now on it is final, if another editor has it too, and everybody else
   * here has all of it. Returns false when this cannot be made sure for an editor now: the editor was asked to come
   * back.
   */
  async share(member: Member): Promise<boolean> {
    const document = this.#document;
    if (!document.ports.nodes) return true;
    const share = async () => {
      while (await this.shared.isRewritten()) await pause(rewritingPauseMs);
      await this.catchUp(member);
    };
    // Viewers join also when the shared values do not answer.
    if (member.view) {
      await document.bestEffort(share);
      // What it is given now is not shown to it again when the others are shown it.
      if (member.live) await this.#feed.show(member);
      return true;
    }
    try {
      await share();
      return true;
    } catch (error) {
      member.peer.interrupt('what the nodes share did not answer', error);
      return false;
    }
  }

  /**
   * Sends everybody here but one what is stored, as the nodes say, and was not sent here yet. Returns whether there was
   * anything.
   */
  async catchUp(except: Member | null = null): Promise<boolean> {
    if (!this.shared.missed) return false;
    const { endIndex, logVersion } = this.#document;
    await this.#feed.catchUp(except);
    await this.shared.caughtUp();
    return this.#document.endIndex !== endIndex || this.#document.logVersion !== logVersion;
  }

  /** Takes the lock from a member, who is to ask for it again. */
  async refuse(member: Member): Promise<void> {
    await this.releaseOf(member);
    this.#answer(member, false);
  }

  /** Another node passed the lock on to a connection here. */
  async heard(connectionId: string, end: LogEnd | null): Promise<void> {
    const member = this.#document.members.get(connectionId);
    if (this.#answerTimers.has(connectionId)) await this.#grant(connectionId, end);
    // It was refused while coordination did not answer, and is in the queue all the same.
    else if (member && member.saveLockUntilMs === null) await this.releaseOf(member);
  }

  /** Makes sure that nobody here holds the lock without knowing, and has been sent everything. */
  async lookAgain(): Promise<void> {
    const holder = await this.shared.update((queue) => [queue, queue.holder]);
    await this.catchUp();
    if (holder && (holder.nodeId ?? '') === this.#document.nodeId)
      await this.heard(holder.connectionId, null);
  }

  /** Who holds the lock and who waits for it. */
  queue(): Promise<SaveLockQueue> {
    return this.shared.update((queue) => [queue, queue]);
  }

  stop(): void {
    for (const connectionId of [...this.#answerTimers.keys()]) this.#stopAnswer(connectionId);
    for (const connectionId of [...this.#paceTimers.keys()]) this.#stopPace(connectionId);
    if (this.#lease) clearTimeout(this.#lease);
    this.#lease = null;
  }

  /**
   * Runs a step of the queue and answers the connection that got the lock by it. `inDoubt`: the one before may have stored something
   * that only the log knows.
   */
  async #step(
    step: (queue: SaveLockQueue) => SaveLockStep,
    { inDoubt = false, share = (shared: SharedLog) => shared } = {},
  ): Promise<SaveLockRequester | null> {
    const { queue, granted, end } = await this.shared.updateAll((before) => {
      const { queue, granted } = step(before.queue);
      const shared = share(before.shared);
      return [
        { queue, shared },
        { queue, granted, end: shared },
      ];
    });
    if (granted) await this.#pass(granted, queue.holder?.expiresAtMs ?? 0, inDoubt ? null : end);
    this.#watchLease(queue);
    return granted;
  }

  /** Answers a request for the lock: it is granted, or the member is to ask again. */
  #answer(member: Member, isGranted: boolean): void {
    const askedAtMs = member.saveLockAskedAtMs;
    member.saveLockAskedAtMs = null;
    send(member, { type: 'saveLock', saveLock: !isGranted });
    if (askedAtMs === null) return;
    this.#document.ports.metrics.saveLockAnswered(isGranted, performance.now() - askedAtMs);
  }

  async #pass(
    { connectionId, nodeId }: SaveLockRequester,
    untilMs: number,
    end: LogEnd | null,
  ): Promise<void> {
    const document = this.#document;
    if (document.members.has(connectionId)) return this.#grant(connectionId, end, untilMs);
    if ((nodeId ?? '') === document.nodeId) return;
    document.publish({ t: 'turn', connectionId, end: end && plainEnd(end) });
  }

  /** Grants a connection here the lock, after everything that was saved before. */
  async #grant(connectionId: string, end: LogEnd | null, untilMs = 0): Promise<void> {
    const document = this.#document;
    this.#stopAnswer(connectionId);
    const member = document.members.get(connectionId);
    if (!member) return;
    if (document.ports.nodes && (end === null || isAhead(end, document.knownEnd))) {
      try {
        await this.#feed.catchUp();
      } catch {
        return this.#answer(member, false);
      }
    }
    member.saveLockUntilMs = untilMs;
    this.#answer(member, true);
  }

  #answerInTime(member: Member): void {
    const { id } = member.peer;
    this.#stopAnswer(id);
    const timer = setTimeout(() => {
      this.#run(async () => {
        if (!this.#answerTimers.has(id)) return;
        this.#answerTimers.delete(id);
        const { holdsLock, stillWaiting } = await this.shared.update((queue) => {
          const after = stopWaiting(queue, id);
          const stillWaiting = after.waiting.length < queue.waiting.length;
          return [after, { stillWaiting, holdsLock: queue.holder?.connectionId === id }];
        });
        if (holdsLock) await this.#grant(id, null);
        else if (stillWaiting) this.#answer(member, false);
      });
    }, this.#document.ports.times.saveLockAnswerMs);
    this.#answerTimers.set(id, timer);
  }

  /** A connection neither holds the lock nor waits for it any more. */
  #ended(connectionId: string): void {
    this.#stopAnswer(connectionId);
    this.#stopPace(connectionId);
    const member = this.#document.members.get(connectionId);
    if (!member) return;
    member.saveLockAskedAtMs = null;
    member.saveLockUntilMs = null;
  }

  #stopAnswer(connectionId: string): void {
    clearTimeout(this.#answerTimers.get(connectionId));
    this.#answerTimers.delete(connectionId);
  }

  /** While somebody waits, the holder's lease is watched. */
  #watchLease(queue: SaveLockQueue): void {
    if (this.#lease) clearTimeout(this.#lease);
    this.#lease = null;
    if (!queue.holder || queue.waiting.length === 0) return;
    this.#lease = setTimeout(
      () => {
        this.#run(async () => {
          const { saveLeaseMs } = this.#document.ports.times;
          await this.#step((before) => expireSaveLock(before, Date.now(), saveLeaseMs), { inDoubt: true });
        });
      },
      Math.max(0, queue.holder.expiresAtMs - Date.now()),
    );
  }

  #requesterOf(member: Member): SaveLockRequester {
    const { nodeId } = this.#document;
    const connectionId = member.peer.id;
    const { uniqueId: userId, userId: person } = member.author;
    const requester = { connectionId, userId, person: person || userId };
    return nodeId === '' ? requester : { ...requester, nodeId };
  }
}

const plainEnd = ({ version, endIndex, floor, savedAtMs }: LogEnd): LogEnd => ({
  version,
  endIndex,
  floor,
  savedAtMs,
});
