import { ForceSaveType } from '../../client/protocol/index.ts';
import type { Stored } from '../../db/outbox.ts';
import type { SaveRow } from '../../db/save-row.ts';
import type { DocumentActor } from './document/actor.ts';
import type { ForceSaveWaiters } from './force-save-waiters.ts';

/** Tells the people in a document what became of their work after it was stored, and what its host says of it. */
export class DocumentNews {
  readonly #find: (key: string) => DocumentActor | undefined;
  readonly #waiters: ForceSaveWaiters;

  constructor(find: (key: string) => DocumentActor | undefined, waiters: ForceSaveWaiters) {
    this.#find = find;
    this.#waiters = waiters;
  }

  /** The last save under a key was handed over, or was given up. */
  ended(save: SaveRow, delivered: boolean): void {
    if (save.status === 4) return;
    const stored =
      delivered && save.status === 2
        ? { index: save.endIndex, timeMs: Date.now(), refusedSinceMs: null }
        : null;
    this.#tell(save.key, (actor) => actor.announceEnd(delivered, stored));
  }

  /** A forced save was begun by the timer. */
  forceSaveBegan(key: string, time: number): void {
    const messages = { type: ForceSaveType.timer, time, start: true };
    this.#tell(key, (actor) => actor.announceForceSave(messages));
  }

  /** A forced save ended; `stored` is what the integrator has now, where that has changed. */
  forceSaveEnded(save: SaveRow, success: boolean, stored: Stored | null): void {
    const messages = { type: save.forceType!, time: save.announcedAt!.getTime(), success };
    const told = stored && { index: stored.index, timeMs: stored.at.getTime(), refusedSinceMs: null };
    this.#tell(save.key, (actor) => actor.announceForceSave(messages, told));
    this.#waiters.ended(save.key, messages.time, { type: messages.type, success });
  }

  /** The integrator takes no file of a document, since then. */
  refused(key: string, since: Date): void {
    this.#tell(key, (actor) => actor.announceRefusal(since.getTime()));
  }

  /** Something everybody should read. */
  warn(key: string, message: string): void {
    this.#find(key)?.document.broadcast({ type: 'warning', message }, () => true);
  }

  /** The document has another title. */
  retitled(key: string, title: string): void {
    this.#find(key)?.document.broadcast({ type: 'meta', messages: { title } }, () => true);
  }

  #tell(key: string, announce: (actor: DocumentActor) => void): void {
    const actor = this.#find(key);
    actor?.run(async () => announce(actor)).catch(() => undefined);
  }
}
