import { Job, type Queue, type QueueEvents } from 'bullmq';
import { JobPace } from './job-pace.ts';

/** A job in the queue. Times are milliseconds since 1970. */
export interface QueuedJob {
  id: string;
  /** The document that it is for; null where it is for none. */
  key: string | null;
  kind: string;
  state: 'waiting' | 'active' | 'delayed';
  attempts: number;
  queuedAtMs: number;
  startedAtMs: number | null;
  lastError: string | null;
}

/** A job that was given up after its attempts. */
interface FailedQueuedJob {
  id: string;
  kind: string;
  failedAtMs: number;
  reason: string;
}

/** What is told of a job without reading it anew. Times are milliseconds since 1970. */
interface JobAge {
  kind: string;
  state: QueuedJob['state'];
  queuedAtMs: number;
}

interface QueueWorker {
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

/** The queue of conversions as operators see it. Failures are those that this process noticed. */
export class QueueInspector {
  readonly #queues: readonly Queue[];
  readonly #failures: FailedQueuedJob[] = [];
  /** When each job was queued that `ages` found the last time: that does not change, and reading a thousand jobs is dear. */
  #queuedAtMs: ReadonlyMap<string, number> = new Map();
  readonly #kinds: readonly string[];
  /** How fast jobs are done. */
  readonly pace: JobPace;

  /** `kinds` are what the ids of jobs begin with. */
  constructor(queues: readonly Queue[], events: readonly QueueEvents[], kinds: readonly string[]) {
    this.#queues = queues;
    this.#kinds = kinds;
    this.pace = new JobPace(events);
    for (const one of events) {
      one.on('failed', ({ jobId, failedReason }) => {
        const kind = this.#kindOf(jobId);
        this.#failures.unshift({ id: jobId, kind, failedAtMs: Date.now(), reason: failedReason });
        this.#failures.length = Math.min(this.#failures.length, keptFailures);
      });
    }
  }

  async counts(): Promise<{ waiting: number; active: number; delayed: number; isPaused: boolean }> {
    const all = await Promise.all(
      this.#queues.map((queue) => queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed')),
    );
    const sum = (state: string) => all.reduce((total, counts) => total + (counts[state] ?? 0), 0);
    const paused = await Promise.all(this.#queues.map((queue) => queue.isPaused()));
    return {
      waiting: sum('waiting') + sum('prioritized'),
      active: sum('active'),
      delayed: sum('delayed'),
      isPaused: paused.some((isPaused) => isPaused),
    };
  }

  /** The jobs that come first, at most `limit` of each state, by the time at which they were queued. */
  async jobs(limit: number): Promise<QueuedJob[]> {
    const lists = await Promise.all(
      Object.entries(statesOf).map(async ([state, types]) => {
        const ofQueues = await Promise.all(
          this.#queues.map(
            (queue) => queue.getJobs([...types], 0, limit - 1, true) as Promise<(Job | undefined | null)[]>,
          ),
        );
        // A job that ended while the list was made is missing in it.
        const jobs = ofQueues.flat().filter((job) => job !== undefined && job !== null);
        return jobs.slice(0, limit).map((job) => queuedJob(job, state as QueuedJob['state']));
      }),
    );
    return lists.flat().sort((a, b) => a.queuedAtMs - b.queuedAtMs);
  }

  /** The kind and the age of the jobs that come first, at most `limit` of each state. A job is read once, however often it is asked for. */
  async ages(limit: number): Promise<JobAge[]> {
    const found = await Promise.all(
      Object.entries(statesOf).flatMap(([state, types]) =>
        this.#queues.map(async (queue) => {
          const ids = await queue.getRanges([...types], 0, limit - 1, true);
          return ids.map((id) => ({ id, queue, state: state as QueuedJob['state'] }));
        }),
      ),
    );
    const known = this.#queuedAtMs;
    const times = new Map<string, number>();
    const ages = await Promise.all(
      found.flat().map(async ({ id, queue, state }) => {
        const queuedAtMs = known.get(id) ?? (await Job.fromId(queue, id))?.timestamp;
        // One that ended meanwhile is not told of.
        if (queuedAtMs === undefined) return [];
        times.set(id, queuedAtMs);
        return [{ kind: this.#kindOf(id), state, queuedAtMs }];
      }),
    );
    this.#queuedAtMs = times;
    return Object.keys(statesOf).flatMap((state) =>
      ages
        .flat()
        .filter((age) => age.state === state)
        .slice(0, limit),
    );
  }

  #kindOf(jobId: string): string {
    return this.#kinds.find((name) => jobId.startsWith(`${name}-`)) ?? jobId;
  }

  failures(): readonly FailedQueuedJob[] {
    return this.#failures;
  }

  async workers(): Promise<QueueWorker[]> {
    // Every worker is at all lanes.
    const clients = await this.#queues[0]!.getWorkers();
    return clients.map(({ name = '', rawname, addr }) => ({
      name: (rawname ?? name).replace(/^.*:w:/, ''),
      address: addr ?? null,
    }));
  }

  /** Nothing new is begun, on any node; what is worked on is finished. */
  async pause(): Promise<void> {
    await Promise.all(this.#queues.map((queue) => queue.pause()));
  }

  async resume(): Promise<void> {
    await Promise.all(this.#queues.map((queue) => queue.resume()));
  }
}

const queuedJob = (job: Job, state: QueuedJob['state']): QueuedJob => ({
  id: job.id ?? '',
  key: (job.data as { key?: string } | undefined)?.key ?? null,
  kind: job.name,
  state,
  attempts: job.attemptsMade,
  queuedAtMs: job.timestamp,
  startedAtMs: job.processedOn ?? null,
  lastError: job.failedReason ?? null,
});
