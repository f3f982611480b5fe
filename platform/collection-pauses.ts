import { PerformanceObserver } from 'node:perf_hooks';

/** How long garbage collections have stopped the process since the last reset, milliseconds. */
export class CollectionPauses {
  readonly #observer: PerformanceObserver;
  #sumMs = 0;
  #longestMs = 0;

  constructor() {
    this.#observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) this.#add(duration);
    });
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  get sumMs(): number {
    return this.#sumMs;
  }

  get longestMs(): number {
    return this.#longestMs;
  }

  reset(): void {
    this.#sumMs = 0;
    this.#longestMs = 0;
  }

  stop(): void {
    this.#observer.disconnect();
  }

  #add(durationMs: number): void {
    this.#sumMs += durationMs;
    this.#longestMs = Math.max(this.#longestMs, durationMs);
  }
}
