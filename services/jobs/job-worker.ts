import { hostname } from 'node:os';
import { pid } from 'node:process';
import { DelayedError, type Job, type Processor, Worker } from 'bullmq';
import type { TraceCarrier } from '../tracing.ts';
import { type JobLane, jobLanes, queueNames } from './job-lanes.ts';
import { backendOf, type JobStore } from './job-store.ts';
import type { ConversionJob, JobKind } from './jobs.ts';

/**
 * A worker that does not renew its claim this long is taken for dead, and its job is given to another. Whoever sees a worker
 * die need not wait for that: `ConversionQueue.release`.
 */
const claimMs = 10_000;
const lookForDeadMs = 2_000;
/** A job of a kind that is paused is looked at again after this time. */
const pausedMs = 3_000;

/** How a job came to a worker: since when it was in the queue, in which lane, and the trace of who asked for it. */
export interface Arrival {
  queuedAtMs: number;
  lane: JobLane;
  trace: TraceCarrier | undefined;
}

export interface JobWorkerOptions {
  /** So many jobs that somebody waits for are worked on at once. */
  concurrency: number;
  process: (job: ConversionJob, arrival: Arrival) => Promise<unknown>;
  onError: (error: Error) => void;
  /** Hears whose turn it is. */
  onTurn?: (lane: JobLane, turn: number) => Promise<void>;
  /** Whether operators have paused a kind of jobs: it is put back for a while, which is no attempt. */
  isPaused?: (kind: JobKind) => Promise<boolean>;
}

/**
 * Works on jobs until closed. A job whose processor throws is tried again, up to its number of attempts. What somebody waits
 * for is never held up by what nobody does: there is a slot for each of `concurrency` such jobs. The other lane has as many
 * as these leave, and always one, so that it goes on.
 */
export class JobWorker {
  readonly lanes: Readonly<Record<JobLane, Worker>>;
  readonly #options: JobWorkerOptions;
  #interactive = 0;

  constructor(store: JobStore, options: JobWorkerOptions) {
    this.#options = options;
    const { concurrency } = options;
    this.lanes = {
      interactive: this.#worker(store, 'interactive', concurrency),
      batch: this.#worker(store, 'batch', batchSlots(concurrency, 0)),
    };
  }

  async waitUntilReady(): Promise<void> {
    await Promise.all(jobLanes.map((lane) => this.lanes[lane].waitUntilReady()));
  }

  isRunning(): boolean {
    return jobLanes.every((lane) => this.lanes[lane].isRunning());
  }

  /** Ends when what is worked on has ended; `force`: at once. */
  async close(force = false): Promise<void> {
    await Promise.all(jobLanes.map((lane) => this.lanes[lane].close(force)));
  }

  #worker(store: JobStore, lane: JobLane, concurrency: number): Worker {
    const processor: Processor = async (job: Job, token) => {
      const { name, data, timestamp, priority } = job;
      if (await this.#options.isPaused?.(name as JobKind)) {
        await job.moveToDelayed(Date.now() + pausedMs, token);
        throw new DelayedError();
      }
      const { trace, ...own } = data as { trace?: TraceCarrier };
      // Told beside the work, which does not wait for it.
      const told = this.#options.onTurn?.(lane, priority).catch(() => undefined);
      this.#took(lane, 1);
      try {
        const arrival = { queuedAtMs: timestamp, lane, trace };
        return await this.#options.process({ name, data: own } as ConversionJob, arrival);
      } finally {
        this.#took(lane, -1);
        await told;
      }
    };
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
    const worker = new Worker(queueNames[lane], processor, workerOptions, backend);
    worker.on('error', this.#options.onError);
    return worker;
  }

  #took(lane: JobLane, count: number): void {
    if (lane === 'batch') return;
    this.#interactive += count;
    this.lanes.batch.concurrency = batchSlots(this.#options.concurrency, this.#interactive);
  }
}

/** What is left for the batch lane beside so many jobs of the other one. */
const batchSlots = (concurrency: number, interactive: number): number =>
  Math.max(1, concurrency - interactive);
