/** Something that keeps what could be made again. */
export interface Forgetful {
  /** Gives back everything it keeps. */
  forget(): void;
}

/**
 * Bounds what all documents together keep of their encoded histories. When there is too much, the one that was used
 * longest ago gives everything back.
 */
export class HistoryMemory {
  readonly #limitBytes: number;
  /** By when they were used last, the longest ago first. */
  readonly #held = new Map<Forgetful, number>();
  #heldBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** `holder` is in use and holds so much now. */
  used(holder: Forgetful, bytes: number): void {
    this.#heldBytes += bytes - (this.#held.get(holder) ?? 0);
    this.#held.delete(holder);
    if (bytes > 0) this.#held.set(holder, bytes);
    for (const longestAgo of this.#held.keys()) {
      if (this.#heldBytes <= this.#limitBytes) return;
      // Also the one in use, when it alone is too large: what it hands out stays good.
      longestAgo.forget();
    }
  }
}
