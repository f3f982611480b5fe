import { hostname } from 'node:os';
import { pid } from 'node:process';
import {
  createPostgresBackend,
  createRedisBackend,
  Job,
  type Processor,
  Queue,
  QueueEvents,
  Worker,
} from 'bullmq';
import type { SourceOpening } from '../db/opened-sources.ts';
import type { RedisConnection } from './adapters/redis/redis-connection.ts';
import { type JobClaim, releaseJobs } from './job-claims.ts';
import { QueueInspector } from './queue-inspector.ts';
import { currentTrace, type TraceCarrier } from './tracing.ts';

/** A piece of work for a converter process. */
export type ConversionJob =
  | { name: 'open'; data: SourceOpening & { fileType: string; sealed: string | null } }
  | { name: 'convert'; data: { id: string; attempt: number } }
  | { name: 'assemble'; data: { key: string; epoch: number } }
  | { name: 'force-save'; data: { key: string; saveId: string } }
  | { name: 'export'; data: { key: string; logVersion: number; endIndex: number } }
  | { name: 'checkpoint'; data: { key: string } };

export type JobKind = ConversionJob['name'];

export const jobKinds: readonly JobKind[] = [
  'open',
  'convert',
  'assemble',
  'force-save',
  'export',
  'checkpoint',
];

/** Where jobs are kept: in Redis if there is one, else in the database, in a schema of BullMQ's own. */
export interface JobStore {
  databaseUrl: string;
  redis: RedisConnection | null;
  /** Beginning of names in Redis. */
  prefix: string;
}

const queueName = 'conversions';
/**
 * A worker that does not renew its claim this long is taken for dead, and its job is given to another. Whoever sees a worker
 * die need not wait for that: {@link ConversionQueue.release}.
 */
const claimMs = 10_000;
const lookForDeadMs = 2_000;
/** How often a job is looked at that somebody waits for. */
const lookEveryMs = 1_000;

/** What BullMQ's classes are made with: options and the backend. Their types know the pairs, not the choice. */
function backendOf(
  { databaseUrl, redis, prefix }: JobStore,
  connections: number,
): [options: never, backend: never] {
  if (redis) {
    // In a cluster all names of a queue have to be on one shard.
    const options = { connection: redis.open('jobs'), prefix: `{${prefix}:jobs}` };
    return [options as never, createRedisBackend as never];
  }
  const connection = { connectionString: databaseUrl, schema: 'bullmq', migrate: true, max: connections };
  return [{ connection } as never, createPostgresBackend as never];
}

/** Hands work to the converter processes. The same work that waits already is not queued twice. */
export class ConversionQueue {
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #timeoutMs: number;

  /** `timeoutMs`: how long the result of a job is waited for. `onError` hears of a lost connection. */
  constructor(store: JobStore, timeoutMs: number, onError: (error: Error) => void) {
    this.#queue = new Queue(queueName, ...backendOf(store, 4));
    this.#events = new QueueEvents(queueName, ...backendOf(store, 2));
    this.#timeoutMs = timeoutMs;
    this.#queue.on('error', onError);
    this.#events.on('error', onError);
  }

  async ready(): Promise<void> {
    await this.#queue.waitUntilReady();
    await this.#events.waitUntilReady();
  }

  /** Queues a job and resolves when it has ended, well or not: what came of it is in the database. */
  async run(job: ConversionJob): Promise<void> {
    const queued = await this.#add(job);
    await this.#endOf(queued).catch(() => undefined);
  }

  /**
   * Queues a job and resolves with what the worker returned, or had returned within the last minute for the same job.
   * @throws Error when the job failed for good or did not end in time
   */
  async ask(job: ConversionJob): Promise<unknown> {
    const queued = await this.#add(job);
    return this.#endOf(queued);
  }

  /**
   * Resolves with what the worker returned. The queue tells when a job ends, and it is looked at all the same: on PostgreSQL
   * events are read by ascending number, so that one whose transaction commits after one with a higher number is never told.
   */
  async #endOf(queued: Job): Promise<unknown> {
    const told = queued.waitUntilFinished(this.#events, this.#timeoutMs);
    // Nobody waits for it any more when the end was seen.
    told.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const seen = new Promise<unknown>((resolve, reject) => {
      const look = async () => {
        const now = await Job.fromId(this.#queue, queued.id!);
        if (!now || (await now.isFailed())) reject(new Error(now?.failedReason ?? 'The job failed'));
        else if (await now.isCompleted()) resolve(now.returnvalue);
      };
      // A queue that does not answer is looked at again.
      timer = setInterval(() => look().catch(() => undefined), lookEveryMs);
    });
    try {
      return await Promise.race([told, seen]);
    } finally {
      clearInterval(timer);
    }
  }

  #add(job: ConversionJob): Promise<Job> {
    const trace = currentTrace();
    return this.#queue.add(job.name, trace ? { ...job.data, trace } : job.data, {
      jobId: jobId(job),
      attempts: 5,
      backoff: { type: 'exponential', delay: 1_000 },
      removeOnComplete: { age: 60 },
      removeOnFail: true,
    });
  }

  /** The queue as operators see it. */
  inspector(): QueueInspector {
    return new QueueInspector(this.#queue, this.#events, jobKinds);
  }

  /** Gives the jobs of a worker that has died to others at once. */
  release(claims: readonly JobClaim[]): Promise<void> {
    return releaseJobs(this.#queue, claims);
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#events.close(), this.#queue.close()]);
  }
}

/** How a job came to a worker: since when it was in the queue, and the trace of who asked for it. */
export interface Arrival {
  queuedAtMs: number;
  trace: TraceCarrier | undefined;
}

/** Works on jobs until closed. A job whose processor throws is tried again, up to its number of attempts. */
export function startWorker(
  store: JobStore,
  concurrency: number,
  process: (job: ConversionJob, arrival: Arrival) => Promise<unknown>,
  onError: (error: Error) => void,
): Worker {
  const processor: Processor = ({ name, data: { trace, ...data }, timestamp }: Job) =>
    process({ name, data } as ConversionJob, { queuedAtMs: timestamp, trace });
  const [options, backend] = backendOf(store, concurrency + 2);
  const workerOptions = {
    ...(options as object),
    // By which operators know it; stores of jobs bear neither spaces in it nor a long name.
    name: `${hostname().slice(0, 24)}-${pid}`,
    concurrency,
    lockDuration: claimMs,
    stalledInterval: lookForDeadMs,
    maxStalledCount: 10,
  } as never;
  const worker = new Worker(queueName, processor, workerOptions, backend);
  worker.on('error', onError);
  return worker;
}

/** A job that is queued under an id is not queued again: BullMQ ids must not hold a colon. */
function jobId(job: ConversionJob): string {
  switch (job.name) {
    case 'open':
      return `open-${job.data.model}-${job.data.sourceHash}${job.data.variant && `-${job.data.variant}`}`;
    case 'convert':
      return `convert-${job.data.id}-${job.data.attempt}`;
    case 'assemble':
      return `assemble-${job.data.key}-${job.data.epoch}`;
    case 'force-save':
      return `force-save-${job.data.saveId}`;
    case 'export':
      return `export-${job.data.key}-${job.data.logVersion}-${job.data.endIndex}`;
    case 'checkpoint':
      return `checkpoint-${job.data.key}`;
  }
}
