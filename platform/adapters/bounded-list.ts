import type { SharedList } from '../ports/coordination.ts';

/** Entries as JSON, the oldest first; beyond the bounds of its list the oldest are dropped, and the newest stays. */
export class BoundedList {
  #entries: string[] = [];
  #bytes = 0;

  get entries(): readonly string[] {
    return this.#entries;
  }

  /** Of all entries. */
  get bytes(): number {
    return this.#bytes;
  }

  append(entry: string, { mostEntries, mostBytes }: SharedList): void {
    this.#entries.push(entry);
    this.#bytes += Buffer.byteLength(entry);
    this.#dropWhile((left) => left > 1 && (left > mostEntries || this.#bytes > mostBytes));
  }

  /** Drops the oldest until there are no more bytes than these, the newest, too, if need be. */
  keepNewest(mostBytes: number): void {
    this.#dropWhile((left) => left > 0 && this.#bytes > mostBytes);
  }

  #dropWhile(isTooMuch: (left: number) => boolean): void {
    let dropped = 0;
    while (isTooMuch(this.#entries.length - dropped)) {
      this.#bytes -= Buffer.byteLength(this.#entries[dropped]!);
      dropped += 1;
    }
    if (dropped > 0) this.#entries = this.#entries.slice(dropped);
  }
}
