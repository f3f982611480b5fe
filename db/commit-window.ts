/** Of how many arrivals the mean is; later ones weigh more. */
const remembered = 16;

/** A longer gap says no more than this one, milliseconds: after a quiet night the first busy second counts. */
const longestGapMs = 100;

/**
 * How long the first batch of a transaction waits for others. Who saves while hardly anybody else does waits for nobody: it is
 * worth waiting only where at least two others are to be expected meanwhile, as PostgreSQL's `commit_siblings` has it.
 */
export class CommitWindow {
  readonly #mostMs: number;
  #lastAtMs = Number.NEGATIVE_INFINITY;
  #meanGapMs = longestGapMs;

  /** @param mostMs the wait where batches come in close succession, milliseconds; 0: nobody ever waits */
  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  /** A batch came. */
  arrived(nowMs: number): void {
    const gapMs = Math.min(nowMs - this.#lastAtMs, longestGapMs);
    this.#meanGapMs += (gapMs - this.#meanGapMs) / remembered;
    this.#lastAtMs = nowMs;
  }

  /** How long to wait from now, milliseconds. */
  get waitMs(): number {
    return this.#meanGapMs * 2 <= this.#mostMs ? this.#mostMs : 0;
  }
}
