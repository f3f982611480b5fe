/** After a piece of work that took no longer than this, the next follows at once, milliseconds. */
const shortMs = 1;
/** The longest that is left to others after a piece of work, milliseconds. */
const mostMs = 50;

/**
 * Shares the event loop between connections that ask for much: each iteration of the loop runs one piece of their work,
 * in the order in which they asked. Between two pieces everything else runs; after a long piece the loop is free for
 * everything else for as long again.
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
