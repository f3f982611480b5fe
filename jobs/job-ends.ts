import { Job, type Queue, type QueueEvents } from 'bullmq';

/** How often jobs are looked at that somebody waits for, and how many of them each time. */
const lookEveryMs = 1_000;
const looksAtATime = 20;

interface Waiter {
  resolve: (returned: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * Waits for the ends of jobs, in whichever lane they are. The queue reports when a job ends, and some jobs are looked at all
 * the same, some of them each time: on PostgreSQL events are read by ascending number, so one whose transaction commits after
 * one with a higher number is never reported. A thousand jobs cost what one does, beside their places in a table.
 */
export class JobEnds {
  readonly #queues: readonly Queue[];
  readonly #waiting = new Map<string, Set<Waiter>>();
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | null = null;

  /** `queues` in the order in which jobs go from one to the other. */
  constructor(queues: readonly Queue[], events: readonly QueueEvents[]) {
    this.#queues = queues;
    for (const one of events) {
      one.on('completed', ({ jobId, returnvalue }) => this.#completed(jobId, returnvalue));
      one.on('failed', ({ jobId, failedReason }) => this.#failed(jobId, failedReason));
    }
    this.#timer = setInterval(() => {
      this.#looking ??= this.#lookAtSome().finally(() => {
        this.#looking = null;
      });
    }, lookEveryMs);
    this.#timer.unref();
  }

  /**
   * What the worker returned. `timeoutMs` is how long that may take; null: as long as the job is in the queue. `queues`: where
   * it can be.
   * @throws Error when the job failed for good or did not end in time
   */
  async of(jobId: string, timeoutMs: number | null, queues = this.#queues): Promise<unknown> {
    let waiter!: Waiter;
    const ended = new Promise<unknown>((resolve, reject) => {
      waiter = { resolve, reject };
    });
    const waiters = this.#waiting.get(jobId) ?? new Set();
    this.#waiting.set(jobId, waiters.add(waiter));
    const timer =
      timeoutMs === null
        ? undefined
        : setTimeout(() => waiter.reject(new Error('The job did not end in time')), timeoutMs);
    // It may have ended before anybody listened.
    this.#look(jobId, queues).catch(() => undefined);
    try {
      return await ended;
    } finally {
      clearTimeout(timer);
      waiters.delete(waiter);
      if (waiters.size === 0) this.#waiting.delete(jobId);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const jobId of [...this.#waiting.keys()]) this.#failed(jobId, 'The queue is closed');
  }

  async #lookAtSome(): Promise<void> {
    for (const jobId of [...this.#waiting.keys()].slice(0, looksAtATime)) {
      const waiters = this.#waiting.get(jobId);
      if (!waiters) continue;
      // To the end of the line of those that are looked at.
      this.#waiting.delete(jobId);
      this.#waiting.set(jobId, waiters);
      // A queue that does not answer is looked at again.
      await this.#look(jobId).catch(() => undefined);
    }
  }

  async #look(jobId: string, queues = this.#queues): Promise<void> {
    for (const queue of queues) {
      const state = await queue.getJobState(jobId);
      if (state === 'unknown') continue;
      if (state !== 'failed' && state !== 'completed') return;
      // Read after it has ended: before, it has no result.
      const job = await Job.fromId(queue, jobId);
      if (state === 'failed') this.#failed(jobId, job?.failedReason ?? 'The job failed');
      else this.#completed(jobId, job?.returnvalue);
      return;
    }
    this.#failed(jobId, 'The job failed');
  }

  #completed(jobId: string, returned: unknown): void {
    for (const { resolve } of this.#waiting.get(jobId) ?? []) resolve(returned);
  }

  #failed(jobId: string, reason: string): void {
    for (const { reject } of this.#waiting.get(jobId) ?? []) reject(new Error(reason));
  }
}
