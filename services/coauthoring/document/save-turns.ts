import type { IsSaveLock } from '../../../client/protocol/index.ts';
import type { Member } from './member.ts';
import { type OpenDocument, send } from './open-document.ts';
import {
  emptySaveQueue,
  expireSave,
  releaseSave,
  requestSave,
  type SaveAsker,
  type SaveQueue,
  type SaveQueueStep,
  stopWaiting,
  takeIfFree,
} from './save-queue.ts';

const queueCell = { name: 'save-queue', empty: emptySaveQueue };

/**
 * Whose turn it is to save in one document. `isSaveLock` is answered when the turn comes, in arrival order; a client
 * that would wait longer than it can is refused and asks again. A turn that is not used is lost after its lease.
 */
export class SaveTurns {
  readonly #document: OpenDocument;
  /** Per waiting connection: refuses it when it has waited long enough. */
  readonly #answers = new Map<string, NodeJS.Timeout>();
  #lease: NodeJS.Timeout | null = null;
  readonly #run: (task: () => Promise<void>) => void;

  /** `run` puts a timer's work in line with the document's other messages. */
  constructor(document: OpenDocument, run: (task: () => Promise<void>) => void) {
    this.#document = document;
    this.#run = run;
  }

  async ask(member: Member, request: IsSaveLock): Promise<void> {
    member.save.claimedIndex = request.syncChangesIndex ?? 0;
    if (!this.#document.open) {
      send(member, { type: 'saveLock', saveLock: true });
      return;
    }
    const { saveLeaseMs } = this.#document.ports.times;
    const granted = await this.#step((queue) => requestSave(queue, askerOf(member), Date.now(), saveLeaseMs));
    if (granted?.connectionId !== member.peer.id) this.#answerInTime(member);
  }

  /** Whether the member may store a part now: it has the turn (and keeps it longer), or nobody wants it. */
  async takeOrExtend(member: Member): Promise<boolean> {
    const { saveLeaseMs } = this.#document.ports.times;
    return this.#update((queue) => {
      const step = takeIfFree(queue, askerOf(member), Date.now(), saveLeaseMs);
      return [step.queue, step.granted !== null];
    });
  }

  /** Gives the member's turn back and stops its waiting. */
  async release(member: Member): Promise<void> {
    this.#stopAnswer(member.peer.id);
    const { saveLeaseMs } = this.#document.ports.times;
    await this.#step((queue) =>
      releaseSave(stopWaiting(queue, member.peer.id), member.author.uniqueId, Date.now(), saveLeaseMs),
    );
  }

  /** A connection is gone for good: it waits no longer. A turn its user has is left to the user's next connection. */
  async withdraw(member: Member): Promise<void> {
    this.#stopAnswer(member.peer.id);
    await this.#update((queue) => [stopWaiting(queue, member.peer.id), undefined]);
  }

  stop(): void {
    for (const connectionId of [...this.#answers.keys()]) this.#stopAnswer(connectionId);
    if (this.#lease) clearTimeout(this.#lease);
    this.#lease = null;
  }

  /** Runs a step of the queue and tells whoever got the turn by it. */
  async #step(step: (queue: SaveQueue) => SaveQueueStep): Promise<SaveAsker | null> {
    const { queue, granted } = await this.#update((before) => {
      const after = step(before);
      return [after.queue, after];
    });
    if (granted) {
      this.#stopAnswer(granted.connectionId);
      const member = this.#document.members.get(granted.connectionId);
      if (member) send(member, { type: 'saveLock', saveLock: false });
    }
    this.#watchLease(queue);
    return granted;
  }

  #answerInTime(member: Member): void {
    const { id } = member.peer;
    this.#stopAnswer(id);
    const timer = setTimeout(() => {
      this.#answers.delete(id);
      this.#run(async () => {
        const stillWaiting = await this.#update((queue) => {
          const after = stopWaiting(queue, id);
          return [after, after.waiting.length < queue.waiting.length];
        });
        if (stillWaiting) send(member, { type: 'saveLock', saveLock: true });
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
          await this.#step((before) => expireSave(before, Date.now(), saveLeaseMs));
        });
      },
      Math.max(0, queue.holder.expiresAtMs - Date.now()),
    );
  }

  #update<Result>(step: (queue: SaveQueue) => readonly [SaveQueue, Result]): Promise<Result> {
    return this.#document.ports.coordination.update(this.#document.key, queueCell, step);
  }
}

const askerOf = (member: Member): SaveAsker => ({
  connectionId: member.peer.id,
  userId: member.author.uniqueId,
});
