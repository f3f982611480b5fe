const freeAttempts = 5;
const firstPauseMs = 1_000;
const longestPauseMs = 300_000;
/** Failures are forgotten this long after the last one. */
const forgetAfterMs = 900_000;
const mostAddresses = 10_000;

interface Failures {
  count: number;
  lastMs: number;
}

/** Slows down guessing: after five failures an address has to wait, twice as long each time. */
export class LoginLimit {
  /** By address, in the order of the last failure, the oldest first. */
  readonly #failures = new Map<string, Failures>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** How long an address has to wait before it may try again, milliseconds; 0: it may. */
  waitMs(address: string): number {
    const failures = this.#failures.get(address);
    if (!failures || failures.count < freeAttempts) return 0;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(30, failures.count - freeAttempts));
    return Math.max(0, failures.lastMs + pauseMs - this.#now());
  }

  failed(address: string): void {
    const before = this.#failures.get(address);
    const lastMs = this.#now();
    const count = before && lastMs - before.lastMs < forgetAfterMs ? before.count + 1 : 1;
    this.#failures.delete(address);
    this.#failures.set(address, { count, lastMs });
    if (this.#failures.size > mostAddresses) this.#failures.delete(this.#failures.keys().next().value!);
  }

  succeeded(address: string): void {
    this.#failures.delete(address);
  }
}
