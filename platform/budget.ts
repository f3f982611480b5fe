/** What somebody may spend: so much a second. What is not spent is kept, up to a limit. */
export class Budget {
  readonly #perMs: number;
  readonly #most: number;
  #credit: number;
  #atMs: number;

  constructor(perSecond: number, most: number, nowMs: number) {
    this.#perMs = perSecond / 1_000;
    this.#most = most;
    this.#credit = most;
    this.#atMs = nowMs;
  }

  /** Spends what is there or not: what is owed has to be made up for. */
  spend(cost: number, nowMs: number): void {
    this.#fill(nowMs);
    this.#credit -= cost;
  }

  /** What is there; less than nothing when something is owed. */
  credit(nowMs: number): number {
    this.#fill(nowMs);
    return this.#credit;
  }

  /** Until nothing is owed, milliseconds; 0 when nothing is. */
  waitMs(nowMs: number): number {
    const credit = this.credit(nowMs);
    return credit >= 0 ? 0 : -credit / this.#perMs;
  }

  #fill(nowMs: number): void {
    this.#credit = Math.min(this.#most, this.#credit + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
  }
}
