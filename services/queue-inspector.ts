import type { Job, Queue, QueueEvents } from 'bullmq';

/** A job in the queue. Times are milliseconds since 1970. */
export interface QueuedJob {
  id: string;
  kind: string;
  state: 'waiting' | 'active' | 'delayed';
  attempts: number;
  queuedAtMs: number;
  startedAtMs: number | null;
  lastError: string | null;
}

/** A job that was given up after its attempts. */
export interface FailedQueuedJob {
  id: string;
  kind: string;
  failedAtMs: number;
  reason: string;
}

export interface QueueWorker {
  name: string;
  /** Where it is connected from, where the queue's store says so. */
  address: string | null;
}

const statesOf = {
  waiting: ['waiting', 'prioritized'],
  active: ['active'],
  delayed: ['delayed'],
} as const;
const keptFailures = 100;

/** The queue of conversions as operators see it, and its brake. Failures are those that this process heard of. */
export class QueueInspector {
  readonly #queue: Queue;
  readonly #failures: FailedQueuedJob[] = [];

  /** `kinds` are what the ids of jobs begin with. */
  constructor(queue: Queue, events: QueueEvents, kinds: readonly string[]) {
    this.#queue = queue;
    events.on('failed', ({ jobId, failedReason }) => {
      const kind = kinds.find((one) => jobId.startsWith(`${one}-`)) ?? jobId;
      this.#failures.unshift({ id: jobId, kind, failedAtMs: Date.now(), reason: failedReason });
      this.#failures.length = Math.min(this.#failures.length, keptFailures);
    });
  }

  async counts(): Promise<{ waiting: number; active: number; delayed: number; isPaused: boolean }> {
    const [counts, isPaused] = await Promise.all([
      this.#queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed'),
      this.#queue.isPaused(),
    ]);
    const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
    return { waiting: waiting + prioritized, active, delayed, isPaused };
  }

  /** The jobs that were queued first, at most `limit` of each state. */
  async jobs(limit: number): Promise<QueuedJob[]> {
    const lists = await Promise.all(
      Object.entries(statesOf).map(async ([state, types]) => {
        const jobs = (await this.#queue.getJobs([...types], 0, limit - 1, true)) as (
          | Job
          | undefined
          | null
        )[];
        // A job that ended while the list was made is missing in it.
        return jobs.flatMap((job) => (job ? [queuedJob(job, state as QueuedJob['state'])] : []));
      }),
    );
    return lists.flat().sort((a, b) => a.queuedAtMs - b.queuedAtMs);
  }

  failures(): readonly FailedQueuedJob[] {
    return this.#failures;
  }

  async workers(): Promise<QueueWorker[]> {
    const clients = await this.#queue.getWorkers();
    return clients.map(({ name = '', rawname, addr }) => ({
      name: (rawname ?? name).replace(/^.*:w:/, ''),
      address: addr ?? null,
    }));
  }

  /** Nothing new is begun, on any node; what is worked on is finished. */
  pause(): Promise<void> {
    return this.#queue.pause();
  }

  resume(): Promise<void> {
    return this.#queue.resume();
  }
}

const queuedJob = (job: Job, state: QueuedJob['state']): QueuedJob => ({
  id: job.id ?? '',
  kind: job.name,
  state,
  attempts: job.attemptsMade,
  queuedAtMs: job.timestamp,
  startedAtMs: job.processedOn ?? null,
  lastError: job.failedReason ?? null,
});
