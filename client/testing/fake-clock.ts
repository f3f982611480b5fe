import type { Clock } from '../clock.ts';

interface Timer {
  at: number;
  run: () => void;
}

/** A clock that moves when told to. `random` gives the same sequence every time. */
export class FakeClock implements Clock {
  #now = 1_760_000_000_000;
  #seed = 1;
  #timers: Timer[] = [];

  now(): number {
    return this.#now;
  }

  random(): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Timers that have not run. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Moves to the earliest timer and runs it; false if there is none. */
  runNext(): boolean {
    const next = this.#timers.reduce<Timer | null>((a, b) => (a === null || b.at < a.at ? b : a), null);
    if (!next) return false;
    this.#timers = this.#timers.filter((timer) => timer !== next);
    this.#now = Math.max(this.#now, next.at);
    next.run();
    return true;
  }

  /** Runs every timer that is due within `durationMs`, in order. */
  advance(durationMs: number): void {
    const until = this.#now + durationMs;
    while (this.#timers.some((timer) => timer.at <= until)) this.runNext();
    this.#now = until;
  }
}
