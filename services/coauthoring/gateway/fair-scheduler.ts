/** A turn that took no longer is followed by the next at once, milliseconds. */
const shortMs = 1;
/** The longest that is left to others after a turn, milliseconds. */
const mostMs = 50;

/**
 * FairScheduler of the event loop, of which each is given to one of those who wait for it, in the order in which they came. So
 * whoever has a lot to do does one piece at a time, and what others want is seen to between any two. After a piece that took
 * long the loop is theirs for as long again: what they want takes several turns.
 */
export class FairScheduler {
  #waiting: (() => void)[] = [];
  #next = 0;

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#give());
    });
  }

  #give(): void {
    const givenAt = performance.now();
    this.#waiting[this.#next]!();
    this.#next += 1;
    setImmediate(() => this.#given(performance.now() - givenAt));
  }

  #given(tookMs: number): void {
    if (this.#next === this.#waiting.length) {
      this.#waiting = [];
      this.#next = 0;
    } else if (tookMs > shortMs) setTimeout(() => this.#give(), Math.min(tookMs, mostMs));
    else this.#give();
  }
}
