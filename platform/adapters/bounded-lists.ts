import type { SharedList } from '../ports/coordination.ts';
import { BoundedList } from './bounded-list.ts';

/** All lists of a process take up to so much together, bytes of their entries as JSON. */
const mostBytesTogether = 64 * 1024 * 1024;

/**
 * The lists of all documents in the memory of a process. When they come to more than they may have together, each keeps its newest entries
 * of up to half an equal share: however many long ones somebody makes, short ones lose nothing.
 */
export class BoundedLists {
  readonly #lists = new Map<string, BoundedList>();
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes = mostBytesTogether) {
    this.#mostBytes = mostBytes;
  }

  append(documentKey: string, list: SharedList, entry: string): void {
    const id = idOf(documentKey, list.name);
    const entries = this.#lists.get(id) ?? new BoundedList();
    this.#lists.set(id, entries);
    this.#bytes -= entries.bytes;
    entries.append(entry, list);
    this.#bytes += entries.bytes;
    if (this.#bytes > this.#mostBytes) this.#shorten();
  }

  /** The oldest first. */
  entries(documentKey: string, name: string): readonly string[] {
    return this.#lists.get(idOf(documentKey, name))?.entries ?? [];
  }

  clear(documentKey: string, name: string): void {
    const id = idOf(documentKey, name);
    this.#bytes -= this.#lists.get(id)?.bytes ?? 0;
    this.#lists.delete(id);
  }

  /** Leaves half of what there may be, so that it is long before all lists are looked at again. */
  #shorten(): void {
    const shareBytes = this.#mostBytes / 2 / this.#lists.size;
    for (const [id, list] of this.#lists) {
      this.#bytes -= list.bytes;
      list.keepNewest(shareBytes);
      this.#bytes += list.bytes;
      if (list.entries.length === 0) this.#lists.delete(id);
    }
  }
}

/** Names of lists hold no colon. */
const idOf = (documentKey: string, name: string): string => `${name}:${documentKey}`;
