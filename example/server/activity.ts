import { CallbackStatus } from '../../client/protocol/index.ts';

const { editing, mustSave, corrupted, closed } = CallbackStatus;
const finalStatuses = new Set<number>([mustSave, corrupted, closed]);

/**
 * Who edits which document now, as callbacks report: `editing` says who is there, a final status that nobody is any more.
 * It is not stored: after a restart editors come back, and new callbacks name them.
 */
export class Activity {
  readonly #editing = new Map<string, readonly string[]>();
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Ids of the people who edit a document. */
  editing(id: string): readonly string[] {
    return this.#editing.get(id) ?? [];
  }

  /** Takes what a callback reports. `key` is the one the document is edited under. */
  note(id: string, key: string, status: number, users: readonly string[]): void {
    if (status === editing) this.#editing.set(id, [...new Set(users)]);
    if (!finalStatuses.has(status)) return;
    this.#editing.delete(id);
    for (const resolve of this.#waiting.get(key) ?? []) resolve();
    this.#waiting.delete(key);
  }

  /** Resolves with true when the document has been closed under this key, with false when that takes too long. */
  closed(key: string, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(key) ?? new Set();
      this.#waiting.set(key, waiting);
      const timer = setTimeout(() => {
        waiting.delete(onClosed);
        if (waiting.size === 0) this.#waiting.delete(key);
        resolve(false);
      }, timeoutMs);
      timer.unref();
      const onClosed = () => {
        clearTimeout(timer);
        resolve(true);
      };
      waiting.add(onClosed);
    });
  }
}
