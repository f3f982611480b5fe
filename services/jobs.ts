import {
  createPostgresBackend,
  createRedisBackend,
  type Job,
  type Processor,
  Queue,
  QueueEvents,
  Worker,
} from 'bullmq';
import type { SourceOpening } from '../db/opened-sources.ts';

/** A piece of work for a converter process. */
export type ConversionJob =
  | { name: 'open'; data: SourceOpening & { fileType: string; sealed: string | null } }
  | { name: 'convert'; data: { id: string; attempt: number } }
  | { name: 'assemble'; data: { key: string; epoch: number } }
  | { name: 'force-save'; data: { key: string; saveId: string } }
  | { name: 'export'; data: { key: string; logVersion: number; endIndex: number } };

/** Where jobs are kept: in Redis if there is one, else in the database, in a schema of BullMQ's own. */
export interface JobStore {
  databaseUrl: string;
  redisUrl: string | undefined;
}

const queueName = 'conversions';
/** A worker that does not renew its claim this long is taken for dead, and its job is given to another. */
const claimMs = 15_000;
const lookForDeadMs = 5_000;

/** What BullMQ's classes are made with: options and the backend. Their types know the pairs, not the choice. */
function backendOf(
  { databaseUrl, redisUrl }: JobStore,
  connections: number,
): [options: never, backend: never] {
  if (redisUrl) {
    const connection = { url: redisUrl, maxRetriesPerRequest: null };
    return [{ connection } as never, createRedisBackend as never];
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
    await queued.waitUntilFinished(this.#events, this.#timeoutMs).catch(() => undefined);
  }

  /**
   * Queues a job and resolves with what the worker returned, or had returned within the last minute for the same job.
   * @throws Error when the job failed for good or did not end in time
   */
  async ask(job: ConversionJob): Promise<unknown> {
    const queued = await this.#add(job);
    return queued.waitUntilFinished(this.#events, this.#timeoutMs);
  }

  #add(job: ConversionJob): Promise<Job> {
    return this.#queue.add(job.name, job.data, {
      jobId: jobId(job),
      attempts: 5,
      backoff: { type: 'exponential', delay: 1_000 },
      removeOnComplete: { age: 60 },
      removeOnFail: true,
    });
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#events.close(), this.#queue.close()]);
  }
}

/** Works on jobs until closed. A job whose processor throws is tried again, up to its number of attempts. */
export function startWorker(
  store: JobStore,
  concurrency: number,
  process: (job: ConversionJob) => Promise<unknown>,
  onError: (error: Error) => void,
): Worker {
  const processor: Processor = (job: Job) => process({ name: job.name, data: job.data } as ConversionJob);
  const [options, backend] = backendOf(store, concurrency + 2);
  const workerOptions = {
    ...(options as object),
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
  }
}
