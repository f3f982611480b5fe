import type { QueueEvents } from 'bullmq';

/** Jobs that are remembered as begun. One whose end is never heard of must not stay for ever. */
const mostBegun = 10_000;

interface Pace {
  done: number;
  failed: number;
  /** Of those that ended; null when none did. */
  meanMs: number | null;
}

/** How many jobs end and how long they take, on all converters, as the events of the queue tell this process. */
export class JobPace {
  readonly #begunAtMs = new Map<string, number>();
  #done = 0;
  #failed = 0;
  #timed = 0;
  #elapsedMs = 0;

  constructor(events: readonly Pick<QueueEvents, 'on'>[]) {
    for (const one of events) {
      one.on('active', ({ jobId }) => this.#begins(jobId));
      one.on('completed', ({ jobId }) => {
        this.#done += 1;
        this.#ends(jobId);
      });
      one.on('failed', ({ jobId }) => {
        this.#failed += 1;
        this.#ends(jobId);
      });
      // To be tried again.
      one.on('delayed', ({ jobId }) => this.#begunAtMs.delete(jobId));
    }
  }

  /** What ended since the last call. */
  sinceLast(): Pace {
    const meanMs = this.#timed === 0 ? null : this.#elapsedMs / this.#timed;
    const pace = { done: this.#done, failed: this.#failed, meanMs };
    this.#done = 0;
    this.#failed = 0;
    this.#timed = 0;
    this.#elapsedMs = 0;
    return pace;
  }

  #begins(id: string): void {
    if (this.#begunAtMs.size >= mostBegun) this.#begunAtMs.delete(this.#begunAtMs.keys().next().value!);
    this.#begunAtMs.set(id, performance.now());
  }

  #ends(id: string): void {
    const begunAtMs = this.#begunAtMs.get(id);
    if (begunAtMs === undefined) return;
    this.#begunAtMs.delete(id);
    this.#timed += 1;
    this.#elapsedMs += performance.now() - begunAtMs;
  }
}
