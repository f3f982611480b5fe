import { setTimeout as pause } from 'node:timers/promises';
import type { IsSaveLock } from '../../../client/protocol/index.ts';
import type { ChangeFeed } from './change-feed.ts';
import { counted, isAhead, type LogEnd, learn, nothingShared, type SharedLog, settled } from './log-end.ts';
import type { Member } from './member.ts';
import { type OpenDocument, send } from './open-document.ts';
import {
  emptySaveQueue,
  expireSave,
  forgetAskers,
  releaseSave,
  requestSave,
  type SaveAsker,
  type SaveQueue,
  type SaveQueueStep,
  stopWaiting,
  takeIfFree,
} from './save-queue.ts';

/** Whose turn it is, and where the log ended when the last turn did. */
interface SaveState {
  readonly queue: SaveQueue;
  readonly shared: SharedLog;
}

const queueCell = {
  name: 'save-queue',
  empty: { queue: emptySaveQueue, shared: nothingShared } as SaveState,
};

/** Longer than a statement may take that takes changes out of the log, milliseconds. */
const rewritingLeaseMs = 40_000;
/** How long somebody is kept waiting for the log while changes are taken out of it. */
const rewritingPauseMs = 25;

/**
 * Whose turn it is to save in one document. `isSaveLock` is answered when the turn comes, in arrival order; a client
 * that would wait longer than it can is refused and asks again. A turn that is not used is lost after its lease.
 *
 * With the turn goes what is known of the log's end: who gets the turn has been sent all before it is told.
 */
export class SaveTurns {
  readonly #document: OpenDocument;
  readonly #feed: ChangeFeed;
  /** Per waiting connection: refuses it when it has waited long enough. */
  readonly #answers = new Map<string, NodeJS.Timeout>();
  /** When a connection that has no answer yet asked first. */
  readonly #askedAtMs = new Map<string, number>();
  /** Connections here that know that they have the turn. */
  readonly #told = new Set<string>();
  #isBehind = false;
  #lease: NodeJS.Timeout | null = null;
  readonly #run: (task: () => Promise<void>) => void;

  /** `run` puts a timer's work in line with the document's other messages. */
  constructor(document: OpenDocument, feed: ChangeFeed, run: (task: () => Promise<void>) => void) {
    this.#document = document;
    this.#feed = feed;
    this.#run = run;
  }

  async ask(member: Member, request: IsSaveLock): Promise<void> {
    member.save.claimedIndex = request.syncChangesIndex ?? 0;
    if (!this.#askedAtMs.has(member.peer.id)) {
      this.#askedAtMs.set(member.peer.id, member.peer.handlingSinceMs);
    }
    if (!this.#document.open) return this.#tell(member, false);
    const { saveLeaseMs } = this.#document.ports.times;
    const asker = this.#askerOf(member);
    const granted = await this.#document.tolerantly(() =>
      this.#step((queue) => requestSave(queue, asker, Date.now(), saveLeaseMs)),
    );
    if (granted === undefined) this.#tell(member, false);
    else if (granted?.connectionId !== member.peer.id) this.#answerInTime(member);
  }

  /** Whether the member may store a part now: it has the turn (and keeps it longer), or nobody wants it. */
  async takeOrExtend(member: Member): Promise<boolean> {
    const { saveLeaseMs } = this.#document.ports.times;
    const isTaken = await this.#update((queue) => {
      const step = takeIfFree(queue, this.#askerOf(member), Date.now(), saveLeaseMs);
      return [step.queue, step.granted !== null];
    });
    if (isTaken) this.#told.add(member.peer.id);
    return isTaken;
  }

  /** Whether there are changes that nobody here was sent. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Gives the turn of a user back and stops the waiting of its connection. */
  async release({ connectionId, userId }: SaveAsker): Promise<void> {
    this.#stopAnswer(connectionId);
    this.#told.delete(connectionId);
    this.#askedAtMs.delete(connectionId);
    const { saveLeaseMs } = this.#document.ports.times;
    await this.#document.tolerantly(() =>
      this.#step((queue) => releaseSave(stopWaiting(queue, connectionId), userId, Date.now(), saveLeaseMs)),
    );
  }

  /** The same for a member. */
  giveBack(member: Member): Promise<void> {
    return this.release(this.#askerOf(member));
  }

  /** A connection is gone for good: it waits no longer. A turn its user has is left to the user's next connection. */
  async withdraw(connectionId: string): Promise<void> {
    this.#stopAnswer(connectionId);
    this.#told.delete(connectionId);
    this.#askedAtMs.delete(connectionId);
    await this.#document.tolerantly(() =>
      this.#update((queue) => [stopWaiting(queue, connectionId), undefined]),
    );
  }

  /** Nodes are gone, with everybody on them. */
  async forgetNode(isGone: (nodeId: string) => boolean): Promise<void> {
    const { saveLeaseMs } = this.#document.ports.times;
    await this.#step(
      (queue) => forgetAskers(queue, ({ nodeId }) => isGone(nodeId ?? ''), Date.now(), saveLeaseMs),
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
   * A member is about to be given the log: what is in it is final from now on if another editor has it too, and everybody
   * else here has all of it. Returns false when that cannot be said of an editor now: it was asked to come back.
   */
  async share(member: Member): Promise<boolean> {
    const document = this.#document;
    if (!document.ports.nodes) return true;
    const share = async () => {
      while (await this.#isRewritten()) await pause(rewritingPauseMs);
      await this.#catchUp(member);
    };
    // Whoever only looks on does so whatever the nodes share.
    if (member.view) {
      await document.tolerantly(share);
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

  /** Tells the other nodes how many are left here. */
  async count(): Promise<void> {
    if (!this.#document.ports.nodes) return;
    await this.#document.tolerantly(() => this.#update((queue) => [queue, undefined]));
  }

  /** Whether changes from an index on may be taken out now. If so nobody is given the log until `rewritten`. */
  async mayRewrite(fromIndex: number): Promise<boolean> {
    const document = this.#document;
    if (!document.ports.nodes) return fromIndex >= document.historyFloor;
    const { nodeId } = document;
    return this.#updateState(({ queue, shared }) => {
      const isFree = !shared.rewriter || shared.rewriter.nodeId === nodeId || hasEnded(shared.rewriter);
      if (!isFree || fromIndex < shared.floor) return [{ queue, shared }, false];
      const rewriter = { nodeId, untilMs: Date.now() + rewritingLeaseMs };
      return [{ queue, shared: { ...shared, rewriter, rewrittenAtMs: Date.now() } }, true];
    });
  }

  /** What was to be taken out of the log has been, or has not. */
  async rewritten(): Promise<void> {
    const { ports, nodeId } = this.#document;
    if (!ports.nodes) return;
    await this.#document.tolerantly(() =>
      this.#updateState(({ queue, shared }) => [
        { queue, shared: shared.rewriter?.nodeId === nodeId ? { ...shared, rewriter: null } : shared },
        undefined,
      ]),
    );
  }

  /** Another node passed the turn on to a connection here. */
  async heard(connectionId: string, end: LogEnd | null): Promise<void> {
    const member = this.#document.members.get(connectionId);
    if (this.#answers.has(connectionId)) await this.#grant(connectionId, end);
    // It was refused when what the nodes share did not answer, and stood in line all the same.
    else if (member && !this.#told.has(connectionId)) await this.giveBack(member);
  }

  /** Makes sure that nobody here has the turn without knowing, and has been sent everything. */
  async lookAgain(): Promise<void> {
    const holder = await this.#update((queue) => [queue, queue.holder]);
    await this.#catchUp();
    if (holder && (holder.nodeId ?? '') === this.#document.nodeId)
      await this.heard(holder.connectionId, null);
  }

  /** Who has the turn and who waits for it, as it stands. */
  queue(): Promise<SaveQueue> {
    return this.#update((queue) => [queue, queue]);
  }

  stop(): void {
    for (const connectionId of [...this.#answers.keys()]) this.#stopAnswer(connectionId);
    if (this.#lease) clearTimeout(this.#lease);
    this.#lease = null;
  }

  /** Forgets the queue where nobody is left on any node. */
  async clear(): Promise<void> {
    const { ports, key, nodeId } = this.#document;
    await ports.coordination.update(key, queueCell, (state) => {
      const isLeft = Object.keys(state.shared.nodes).every((one) => one === nodeId);
      return [isLeft ? queueCell.empty : state, undefined];
    });
  }

  /**
   * Runs a step of the queue and tells whoever got the turn by it. `inDoubt`: the one before may have stored something
   * that only the log knows.
   */
  async #step(
    step: (queue: SaveQueue) => SaveQueueStep,
    { inDoubt = false, share = (shared: SharedLog) => shared } = {},
  ): Promise<SaveAsker | null> {
    const { queue, granted, end } = await this.#updateState((before) => {
      const after = step(before.queue);
      const state = { queue: after.queue, shared: share(before.shared) };
      return [state, { ...after, end: state.shared as LogEnd }];
    });
    if (granted) await this.#pass(granted, inDoubt ? null : end);
    this.#watchLease(queue);
    return granted;
  }

  /** Answers a wish to save: it is this member's turn, or it is to ask again. */
  #tell(member: Member, isGranted: boolean): void {
    const { id } = member.peer;
    const askedAtMs = this.#askedAtMs.get(id);
    this.#askedAtMs.delete(id);
    send(member, { type: 'saveLock', saveLock: !isGranted });
    if (askedAtMs === undefined) return;
    this.#document.ports.figures.saveLockAnswered(isGranted, performance.now() - askedAtMs);
  }

  async #pass({ connectionId, nodeId }: SaveAsker, end: LogEnd | null): Promise<void> {
    const document = this.#document;
    if (document.members.has(connectionId)) return this.#grant(connectionId, end);
    if ((nodeId ?? '') === document.nodeId) return;
    document.say({ t: 'turn', connectionId, end: end && plainEnd(end) });
  }

  /** Tells a connection here that it has the turn, after everything that was saved before. */
  async #grant(connectionId: string, end: LogEnd | null): Promise<void> {
    const document = this.#document;
    this.#stopAnswer(connectionId);
    const member = document.members.get(connectionId);
    if (!member) return;
    if (document.ports.nodes && (end === null || isAhead(end, document.knownEnd))) {
      try {
        await this.#feed.catchUp();
      } catch {
        return this.#tell(member, false);
      }
    }
    this.#told.add(connectionId);
    this.#tell(member, true);
  }

  #answerInTime(member: Member): void {
    const { id } = member.peer;
    this.#stopAnswer(id);
    const timer = setTimeout(() => {
      this.#run(async () => {
        if (!this.#answers.has(id)) return;
        this.#answers.delete(id);
        const { hasTurn, stillWaiting } = await this.#update((queue) => {
          const after = stopWaiting(queue, id);
          const stillWaiting = after.waiting.length < queue.waiting.length;
          return [after, { stillWaiting, hasTurn: queue.holder?.connectionId === id }];
        });
        if (hasTurn) await this.#grant(id, null);
        else if (stillWaiting) this.#tell(member, false);
      });
    }, this.#document.ports.times.saveLockAnswerMs);
    this.#answers.set(id, timer);
  }

  #stopAnswer(connectionId: string): void {
    clearTimeout(this.#answers.get(connectionId));
    this.#answers.delete(connectionId);
  }

  /** While somebody waits, the holder's lease is watched. */
  #watchLease(queue: SaveQueue): void {
    if (this.#lease) clearTimeout(this.#lease);
    this.#lease = null;
    if (!queue.holder || queue.waiting.length === 0) return;
    this.#lease = setTimeout(
      () => {
        this.#run(async () => {
          const { saveLeaseMs } = this.#document.ports.times;
          await this.#step((before) => expireSave(before, Date.now(), saveLeaseMs), { inDoubt: true });
        });
      },
      Math.max(0, queue.holder.expiresAtMs - Date.now()),
    );
  }

  /** Whether changes are being taken out elsewhere. If not, what is there now has been given to one more. */
  #isRewritten(): Promise<boolean> {
    const { nodeId } = this.#document;
    return this.#updateState(({ queue, shared }) => {
      const { rewriter } = shared;
      const isRewritten = rewriter !== null && rewriter.nodeId !== nodeId && !hasEnded(rewriter);
      return [{ queue, shared }, isRewritten];
    });
  }

  async #catchUp(except: Member | null = null): Promise<void> {
    if (this.#isBehind) await this.#feed.catchUp(except);
    this.#isBehind = false;
  }

  #update<Result>(step: (queue: SaveQueue) => readonly [SaveQueue, Result]): Promise<Result> {
    return this.#updateState(({ queue, shared }) => {
      const [after, result] = step(queue);
      return [{ queue: after, shared }, result];
    });
  }

  /** Makes a step, by which nodes also tell each other what they know of the log and how many they are. */
  async #updateState<Result>(step: (state: SaveState) => readonly [SaveState, Result]): Promise<Result> {
    const document = this.#document;
    const { ports, key, nodeId } = document;
    if (!ports.nodes) return ports.coordination.update(key, queueCell, step);
    const known = document.knownEnd;
    const editors = document.editorsHere();
    const [shared, result] = await ports.coordination.update(key, queueCell, (before) => {
      const shared = settled(counted(learn(before.shared, known), nodeId, editors));
      const [after, result] = step({ queue: before.queue, shared });
      const isSame = after.queue === before.queue && after.shared === before.shared;
      return [isSame ? before : after, [after.shared, result] as const];
    });
    document.hasOtherNodes = Object.keys(shared.nodes).some((one) => one !== nodeId);
    document.historyFloor = shared.floor;
    document.rewrittenAtMs = Math.max(document.rewrittenAtMs, shared.rewrittenAtMs);
    document.lastSavedAtMs = Math.max(document.lastSavedAtMs, shared.savedAtMs);
    this.#isBehind = isAhead(shared, document.knownEnd);
    return result;
  }

  #askerOf(member: Member): SaveAsker {
    const { nodeId } = this.#document;
    const asker = { connectionId: member.peer.id, userId: member.author.uniqueId };
    return nodeId === '' ? asker : { ...asker, nodeId };
  }
}

const plainEnd = ({ version, endIndex, floor, savedAtMs }: LogEnd): LogEnd => ({
  version,
  endIndex,
  floor,
  savedAtMs,
});

const hasEnded = ({ untilMs }: { untilMs: number }): boolean => untilMs < Date.now();
