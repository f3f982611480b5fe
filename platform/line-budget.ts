import { Budget } from './budget.ts';

/** Lines that somebody else can cause are written so often a minute at most. What is too much is counted, and the next line says it. */
export class LineBudget {
  readonly #budget: Budget;
  #dropped = 0;

  constructor(perMinute: number) {
    this.#budget = new Budget(perMinute / 60, perMinute, performance.now());
  }

  /** What the line also says: how many before it were not written, if any; null when it is not written itself. */
  take(): { dropped?: number } | null {
    const nowMs = performance.now();
    if (this.#budget.credit(nowMs) < 1) {
      this.#dropped += 1;
      return null;
    }
    this.#budget.spend(1, nowMs);
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped > 0 ? { dropped } : {};
  }
}
