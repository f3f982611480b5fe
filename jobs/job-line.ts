import type { Queue } from 'bullmq';

/** A line is counted and listed at most so often, so that what that costs does not grow with the jobs. */
const lookEveryMs = 1_000;
/** Places further behind are not listed. */
const placesListed = 1_000;

/** The line of jobs that wait in a lane: how long it is, and where in it a job is. */
export class JobLine {
  readonly #queue: Queue;
  #length = { count: 0, atMs: Number.NEGATIVE_INFINITY };
  #places: { of: Promise<ReadonlyMap<string, number>>; atMs: number } | null = null;

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  /** As it was a moment ago, and what this process has added since. */
  async length(): Promise<number> {
    if (performance.now() - this.#length.atMs > lookEveryMs) {
      this.#length.atMs = performance.now();
      const counts = await this.#queue.getJobCounts('waiting', 'prioritized', 'delayed');
      this.#length.count = Object.values(counts).reduce((sum, count) => sum + count, 0);
    }
    return this.#length.count;
  }

  added(): void {
    this.#length.count += 1;
  }

  /** How many jobs go before it; null when it is not among the first that wait. */
  async placeOf(jobId: string): Promise<number | null> {
    const now = performance.now();
    if (!this.#places || now - this.#places.atMs > lookEveryMs) {
      this.#places = { of: this.#list(), atMs: now };
      this.#places.of.catch(() => {
        this.#places = null;
      });
    }
    return (await this.#places.of).get(jobId) ?? null;
  }

  async #list(): Promise<ReadonlyMap<string, number>> {
    const ids = await this.#queue.getRanges(['prioritized'], 0, placesListed - 1, true);
    return new Map(ids.map((id, place) => [id, place]));
  }
}
