import { CallbackStatus, ForceSaveType, type ServiceError } from '../../client/protocol/index.ts';
import type { Stored } from '../../db/outbox.ts';
import type { SaveRow } from '../../db/save-row.ts';
import type { DocumentNotification } from './document/node-messages.ts';
import type { DocumentRegistry } from './registry.ts';

/** Notifies participants on all nodes of what became of their work after it was stored. */
export class DocumentNotifications {
  readonly #registry: () => Pick<DocumentRegistry, 'publish'>;

  /** `registry` is asked for when there is something to publish. */
  constructor(registry: () => Pick<DocumentRegistry, 'publish'>) {
    this.#registry = registry;
  }

  /** The last save under a key was delivered, or was given up. */
  ended(save: SaveRow, delivered: boolean): void {
    if (save.status === CallbackStatus.closed) return;
    const stored =
      delivered && save.status === CallbackStatus.mustSave
        ? { index: save.endIndex, timeMs: Date.now(), refusedSinceMs: null }
        : null;
    this.#publish(save.key, { t: 'ended', success: delivered, stored });
  }

  /** A forced save was begun by the timer. */
  forceSaveBegan(key: string, time: number): void {
    const message = { type: ForceSaveType.timer, time, start: true };
    this.#publish(key, { t: 'force-save', message, stored: null });
  }

  /** A forced save ended; `stored` is what the integrator has now, where that has changed. */
  forceSaveEnded(save: SaveRow, success: boolean, stored: Stored | null): void {
    const message = { type: save.forceType!, time: save.announcedAt!.getTime(), success };
    const storedNow = stored && { index: stored.index, timeMs: stored.at.getTime(), refusedSinceMs: null };
    this.#publish(save.key, { t: 'force-save', message, stored: storedNow });
  }

  /** The integrator takes no file of a document, since then. */
  refused(key: string, since: Date): void {
    this.#publish(key, { t: 'refused', sinceMs: since.getTime() });
  }

  /** Something everybody should read; `code` says it in the editor's own words. */
  warn(key: string, message: string, code?: ServiceError): void {
    const warning = { type: 'warning', message, ...(code !== undefined && { code }) } as const;
    this.#publish(key, { t: 'everybody', message: warning });
  }

  /** The document has another title. */
  retitled(key: string, title: string): void {
    this.#publish(key, { t: 'everybody', message: { type: 'meta', messages: { title } } });
  }

  #publish(key: string, notification: DocumentNotification): void {
    this.#registry()
      .publish(key, notification)
      .catch(() => undefined);
  }
}
