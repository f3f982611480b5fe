import { hostname } from 'node:os';
import { pid } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { DelayedError, Job, type Processor, Worker } from 'bullmq';
import type { TraceCarrier } from '../platform/tracing.ts';
import {
  type ConversionJob,
  type JobKind,
  type JobLabel,
  type JobLane,
  jobLanes,
  ofLanes,
  queueNames,
} from './job.ts';

import { backendOf, begin, type JobStore, notYet } from './job-store.ts';
import { mostAtOnce, type PlaceOwner, type TakenPlace, TenantPlaces } from './tenant-places.ts';

/** How long a worker waits for what passes by itself. */
export interface WorkerTimes {
  /**
   * A worker that does not renew its claim for this time is taken for dead, and its job is given to another. Processes that
   * see a worker die need not wait for that: `ConversionQueue.release`.
   */
  readonly claimMs: number;
  readonly lookForDeadMs: number;
  /** A job of a kind that is paused is looked at again after this time. */
  readonly pausedMs: number;
}

const workerTimes: WorkerTimes = { claimMs: 10_000, lookForDeadMs: 2_000, pausedMs: 3_000 };

/** After an error of the store a worker waits this long before it asks for the next job. */
const afterErrorMs = 500;
/** A store that cannot be reached is looked for again after this time. */
const unreachableMs = 1_000;
/**
 * Saves that are begun at once for each that is made: most of the time of a save of a few pages goes into waiting for the
 * database, the store of files and the queue.
 */
const savesPerMaking = 4;
/** A job whose tenant has all of its places waits this long for one before it lets those behind it pass. */
const patienceMs = 30;
/**
 * A job that has let others pass is looked at again after `first` and `each` for every other such job of its owner, at most
 * `most`; or as soon as its owner has a place.
 */
const passedMs = { first: 1_000, each: 50, most: 60_000 };

/** Where a job comes from: since when it was in the queue, in which lane, and the trace of who asked for it. */
export interface JobOrigin {
  queuedAtMs: number;
  lane: JobLane;
  trace: TraceCarrier | undefined;
}

export interface JobWorkerOptions {
  /** How many jobs that somebody waits for are worked on at once. */
  concurrency: number;
  process: (job: ConversionJob, origin: JobOrigin) => Promise<unknown>;
  onError: (error: Error) => void;
  /** Hears of each job that is begun, with its round. */
  onRound?: (lane: JobLane, round: number) => Promise<void>;
  /** Whether operators have paused a kind of jobs: it is put back for a while, which is no attempt. */
  isPaused?: (kind: JobKind) => Promise<boolean>;
  /** Whether the source of a job is so large that the job takes long. */
  isLarge?: (job: ConversionJob) => Promise<boolean>;
  /** Other times than those of every worker. */
  times?: Partial<WorkerTimes>;
}

/**
 * The most jobs that a worker of this concurrency works on at once: saves, what somebody waits for, of several tenants, and
 * a batch that began when there was nothing else.
 */
export const mostJobs = (concurrency: number): number => 2 * concurrency + mostAtOnce(concurrency);

/**
 * Works on jobs until closed. A job whose processor throws is tried again, up to its number of attempts. Saves have places
 * of their own, more than are made at once. Interactive jobs are never held up by batch jobs, and jobs of one tenant or person
 * not by those of another: see `TenantPlaces`. The batch lane has the places that these leave, and always one.
 */
export class JobWorker {
  readonly lanes: Readonly<Record<JobLane, Worker>>;
  readonly #options: JobWorkerOptions;
  readonly #times: WorkerTimes;
  readonly #places: TenantPlaces;
  readonly #begun: Promise<unknown>;
  /** Owners of the jobs that have let others pass, by the ids of the jobs, in the order in which they did. */
  readonly #passed = new Map<string, PlaceOwner>();
  #interactive = 0;

  constructor(store: JobStore, options: JobWorkerOptions) {
    this.#options = options;
    this.#times = { ...workerTimes, ...options.times };
    const { concurrency } = options;
    this.#places = new TenantPlaces(concurrency);
    const slots = {
      saving: savesPerMaking * concurrency,
      interactive: mostAtOnce(concurrency),
      batch: batchSlots(concurrency, 0),
    };
    this.lanes = ofLanes((lane) => this.#worker(store, lane, slots[lane]));
    this.#begun = Promise.all(jobLanes.map((lane) => begin(this.lanes[lane], options.onError)));
    this.#begun.catch(() => undefined);
  }

  /** Resolves when jobs are taken; rejects when the store cannot be used, and none will be. */
  async waitUntilReady(): Promise<void> {
    await this.#begun;
  }

  isRunning(): boolean {
    return jobLanes.every((lane) => this.lanes[lane].isRunning());
  }

  /** Ends when what is worked on has ended; `force`: at once. */
  async close(force = false): Promise<void> {
    await Promise.all(jobLanes.map((lane) => closeWorker(this.lanes[lane], force)));
  }

  #worker(store: JobStore, lane: JobLane, concurrency: number): Worker {
    const processor: Processor = async (job: Job, token) => {
      const { name, data, timestamp, priority } = job;
      if (await this.#options.isPaused?.(name as JobKind)) {
        await job.moveToDelayed(Date.now() + this.#times.pausedMs, token);
        throw new DelayedError();
      }
      const { trace, tenant = '', person = '', ...own } = data as Partial<JobLabel>;
      const work = { name, data: own } as ConversionJob;
      const place = lane === 'interactive' ? await this.#enter(job, work, { tenant, person }, token) : null;
      // Recorded beside the work, which does not wait for it.
      this.#options.onRound?.(lane, priority).catch(() => undefined);
      try {
        const origin = { queuedAtMs: timestamp, lane, trace };
        return await this.#options.process(work, origin);
      } finally {
        if (place) this.#leave(place);
      }
    };
    // A save needs one for a moment, at its beginning and its end.
    const connections = lane === 'saving' ? concurrency / savesPerMaking : concurrency;
    const [options, backend] = backendOf(store, connections + 2);
    const workerOptions = {
      ...(options as object),
      ...notYet,
      // By which operators know it; stores of jobs bear neither spaces in it nor a long name.
      name: `${hostname().slice(0, 24)}-${pid}`,
      concurrency,
      lockDuration: this.#times.claimMs,
      stalledInterval: this.#times.lookForDeadMs,
      maxStalledCount: 10,
      runRetryDelay: unreachableMs,
    } as never;
    const worker = new Worker(queueNames[lane], processor, workerOptions, backend);
    worker.on('error', this.#options.onError);
    pauseAfterErrors(worker);
    return worker;
  }

  /**
   * Takes a place for a job of this owner.
   * @throws DelayedError when there is none: the job lets those behind it pass
   */
  async #enter(
    job: Job,
    work: ConversionJob,
    whose: PlaceOwner,
    token: string | undefined,
  ): Promise<TakenPlace> {
    const owner = { ...whose, isLarge: (await this.#options.isLarge?.(work)) ?? false };
    const id = job.id ?? '';
    this.#passed.delete(id);
    const place = await this.#places.enter(owner, patienceMs);
    if (place) {
      this.#took(1);
      return place;
    }
    const isSame = ({ tenant, person }: PlaceOwner) => tenant === owner.tenant && person === owner.person;
    const before = [...this.#passed.values()].filter(isSame).length;
    const delayMs = Math.min(passedMs.most, passedMs.first + before * passedMs.each);
    await job.moveToDelayed(Date.now() + delayMs, token);
    this.#passed.set(id, owner);
    // A place may have become free meanwhile.
    this.#callBack();
    throw new DelayedError();
  }

  #leave(place: TakenPlace): void {
    this.#places.leave(place);
    this.#took(-1);
    this.#callBack();
  }

  /** Brings the first job back into the line that has let others pass and now has a place. */
  #callBack(): void {
    for (const [id, owner] of this.#passed) {
      if (!this.#places.hasRoom(owner)) continue;
      this.#passed.delete(id);
      // It may have come back by itself, or be another worker's by now.
      const called = Job.fromId(this.lanes.interactive, id).then((job) => job?.promote());
      called.catch(() => undefined);
      return;
    }
  }

  #took(count: number): void {
    this.#interactive += count;
    this.lanes.batch.concurrency = batchSlots(this.#options.concurrency, this.#interactive);
  }
}

/** The places that are left for the batch lane beside this number of interactive jobs. */
const batchSlots = (concurrency: number, interactive: number): number =>
  Math.max(1, concurrency - interactive);

/**
 * BullMQ asks for the next job again at once after an error that is not one of the connection, such as those of a database that
 * starts, or has no connection free: it would ask many hundred times a second.
 */
function pauseAfterErrors(worker: Worker): void {
  const backend = worker.getBackend();
  const moveToActive = backend.moveToActive.bind(backend);
  backend.moveToActive = async (...asked) => {
    try {
      return await moveToActive(...asked);
    } catch (error) {
      await delay(afterErrorMs);
      throw error;
    }
  };
}

/**
 * In a cluster BullMQ connects anew when what waits for jobs breaks. A wait that had only begun breaks at once, before the
 * connection has ended, and `close` would then wait for that end for ever: so what connects now is disconnected again.
 */
async function closeWorker(worker: Worker, force: boolean): Promise<void> {
  const closed = worker.close(force);
  worker
    .getBackend()
    .blockingClient?.then((client) => client.on('ready', () => client.disconnect()))
    // It never connected.
    .catch(() => undefined);
  await closed;
}
