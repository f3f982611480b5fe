import type { SharedList } from '../ports/coordination.ts';

/** Entries as JSON, the oldest first; beyond the bounds of its list the oldest are dropped, and the newest stays. */
export class BoundedList {
  #entries: string[] = [];
  #bytes = 0;

  get entries(): readonly string[] {
    return this.#entries;
  }

  append(entry: string, { mostEntries, mostBytes }: SharedList): void {
    this.#entries.push(entry);
    this.#bytes += Buffer.byteLength(entry);
    let dropped = 0;
    while (
      dropped < this.#entries.length - 1 &&
      (this.#entries.length - dropped > mostEntries || this.#bytes > mostBytes)
    ) {
      this.#bytes -= Buffer.byteLength(this.#entries[dropped]!);
      dropped += 1;
    }
    if (dropped > 0) this.#entries = this.#entries.slice(dropped);
  }
}
