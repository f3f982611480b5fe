import type { DocumentNotification } from './document/node-messages.ts';

/** How a forced save that somebody waits for ended: `type` is what it was begun for. */
export interface ForceSaveEnd {
  type: number;
  success: boolean;
}

/** Who waits for the end of a forced save, beyond what every editor is sent. A save is known by document and time. */
export class ForceSaveWaiters {
  readonly #waiting = new Map<string, ((end: ForceSaveEnd) => void)[]>();

  add(documentKey: string, timeMs: number, notify: (end: ForceSaveEnd) => void): void {
    const name = nameOf(documentKey, timeMs);
    this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), notify]);
  }

  /** Some notices say that a save has ended. */
  notified(documentKey: string, notification: DocumentNotification): void {
    if (notification.t !== 'force-save') return;
    const { type, time, success } = notification.message;
    if (success !== undefined && typeof time === 'number') this.ended(documentKey, time, { type, success });
  }

  ended(documentKey: string, timeMs: number, end: ForceSaveEnd): void {
    const name = nameOf(documentKey, timeMs);
    const waiting = this.#waiting.get(name) ?? [];
    this.#waiting.delete(name);
    for (const notify of waiting) notify(end);
  }
}

const nameOf = (documentKey: string, timeMs: number): string => `${timeMs} ${documentKey}`;
