import { Job, Queue, QueueEvents } from 'bullmq';
import type { FairQueue, JobOwner, QueuePlace } from '../db/fair-queue.ts';
import { QuireError } from '../platform/quire-error.ts';
import { currentTrace } from '../platform/tracing.ts';
import { within } from '../platform/within.ts';
import {
  type ConversionJob,
  type JobAsker,
  type JobKind,
  type JobLabel,
  type JobLane,
  jobKinds,
  jobLanes,
  laneOf,
  ofLanes,
  queueNames,
} from './job.ts';
import { type JobClaim, releaseJobs } from './job-claims.ts';
import { JobEnds } from './job-ends.ts';

import { JobLine } from './job-line.ts';
import { backendOf, begin, type JobStore, notYet } from './job-store.ts';
import { QueueInspector } from './queue-inspector.ts';

/** Too many jobs wait: another one is not taken. Nothing of it is kept, and it may be asked for again. */
export class QueueFullError extends QuireError {
  constructor() {
    super('queue-full', 'Too many conversions are waiting', { retryable: true });
  }
}

/** In which order tenants, and their people, share a lane, and how long it may get; without, jobs are done in the order in which they come. */
interface JobOrder {
  fairQueue: FairQueue;
  /** Most jobs that may wait in a lane. */
  limit: number;
}

/** How long connections may take to close: BullMQ waits without end for one whose Redis has gone, milliseconds. */
const closingMs = 2_000;
/** Highest number that BullMQ takes for a priority: rounds after it are in the order in which they came. */
const lastPriority = 2_097_151;
/** From this round on a lane that is empty begins anew. */
const restartAfter = lastPriority / 2;
/** What a worker returned is kept this long at least, for those who ask for the same. */
const keptS = 60;
/**
 * One job in twenty takes away, when it ends, all of its lane that is older. If each did, two that end at once would wait for
 * each other's rows: PostgreSQL then ends one of them a second later, and that job is done again.
 */
const takesOldAway = (): boolean => Math.random() < 0.05;
/** Nothing is left of these when they have ended: the next one has the same id. */
const leaveNothing: readonly JobKind[] = ['checkpoint'];
/** What may be asked for again. That changes are saved is never refused. */
const refusable: readonly JobKind[] = ['open', 'convert', 'pick'];

/** Gives work to the converter processes. The same work that waits already is not queued twice. */
export class ConversionQueue {
  readonly #queues: Readonly<Record<JobLane, Queue>>;
  readonly #events: readonly QueueEvents[];
  readonly #lines: Readonly<Record<JobLane, JobLine>>;
  readonly #ends: JobEnds;
  readonly #timeoutMs: number;
  readonly #order: JobOrder | null;
  readonly #begun: Promise<unknown>;

  /** `timeoutMs`: how long the result of a job is waited for. `onError` hears of a lost connection. */
  constructor(
    store: JobStore,
    timeoutMs: number,
    onError: (error: Error) => void,
    order: JobOrder | null = null,
  ) {
    const queueOf = (lane: JobLane) => new Queue(queueNames[lane], ...backendOf(store, 3));
    this.#queues = ofLanes(queueOf);
    this.#events = jobLanes.map((lane) => {
      const [options, backend] = backendOf(store, 1);
      return new QueueEvents(queueNames[lane], { ...(options as object), ...notYet } as never, backend);
    });
    for (const queue of this.#all) queue.on('error', onError);
    for (const one of this.#events) one.on('error', onError);
    this.#lines = ofLanes((lane) => new JobLine(this.#queues[lane]));
    this.#ends = new JobEnds(this.#all, this.#events);
    this.#timeoutMs = timeoutMs;
    this.#order = order;
    this.#begun = Promise.all(this.#events.map((one) => begin(one, onError)));
    this.#begun.catch(() => undefined);
  }

  /** In the order in which a job goes from one to the other: who looks for it so does not miss it. */
  get #all(): readonly Queue[] {
    return [this.#queues.batch, this.#queues.interactive, this.#queues.saving];
  }

  /** Resolves when jobs can be queued and their ends are heard of; rejects when the store cannot be used. */
  async ready(): Promise<void> {
    await Promise.all([this.#begun, ...this.#all.map((one) => one.waitUntilReady())]);
  }

  /**
   * Queues a job. `ended` resolves when it has ended, well or not: its result is in the database.
   * @throws QueueFullError
   */
  async add(job: ConversionJob, asker?: JobAsker): Promise<{ ended: Promise<void> }> {
    const end = this.#endOf(job, await this.#queued(job, asker), asker);
    const nothing = () => undefined;
    return { ended: end.then(nothing, nothing) };
  }

  /**
   * Queues a job and resolves when it has ended, as `add` does.
   * @throws QueueFullError
   */
  async run(job: ConversionJob, asker?: JobAsker): Promise<void> {
    const { ended } = await this.add(job, asker);
    await ended;
  }

  /**
   * Queues a job and resolves with what the worker returned, or had returned within the last minute for the same job.
   * @throws Error when the job failed for good or did not end in time
   */
  async ask(job: ConversionJob): Promise<unknown> {
    return this.#endOf(job, await this.#queued(job));
  }

  /** Whether another job of this lane would be refused. */
  async isFull(lane: JobLane): Promise<boolean> {
    return this.#order !== null && (await this.#lines[lane].length()) >= this.#order.limit;
  }

  /** How many jobs go before this one; null when it does not wait, or far behind. */
  async placeOf(job: ConversionJob): Promise<number | null> {
    const id = jobId(job);
    for (const lane of jobLanes) {
      const place = await this.#lines[lane].placeOf(id);
      if (place !== null) return place;
    }
    return null;
  }

  /** A job for which nobody waits may be in line as long as it takes. */
  #endOf(job: ConversionJob, id: string, asker?: JobAsker): Promise<unknown> {
    const timeoutMs = asker?.lane === 'batch' ? null : this.#timeoutMs;
    return this.#ends.of(id, timeoutMs, isSave(job) ? [this.#queues.saving] : this.#all);
  }

  /** What waits in the batch lane and is now waited for by somebody changes into the other one. */
  async #queued(job: ConversionJob, asker?: JobAsker): Promise<string> {
    const id = jobId(job);
    const lane = asker?.lane ?? laneOf(job);
    // A save is in one lane only, where the store of jobs does not take an id twice.
    const found = isSave(job) ? undefined : await this.#find(id);
    const isSlow = found?.queueName === queueNames.batch && lane === 'interactive';
    if (found && !(isSlow && (await found.getState()) === 'prioritized')) return id;
    if (refusable.includes(job.name) && (await this.isFull(lane))) throw new QueueFullError();
    const { round, tenant, person } = await this.#place(lane, ownerOf(job, asker));
    const label: JobLabel = { tenant, person, trace: currentTrace() };
    await this.#queues[lane].add(
      job.name,
      { ...job.data, ...label },
      {
        jobId: id,
        priority: round,
        attempts: 5,
        backoff: { type: 'exponential', delay: 1_000 },
        removeOnComplete: leaveNothing.includes(job.name) || (takesOldAway() && { age: keptS }),
        removeOnFail: true,
      },
    );
    this.#lines[lane].added();
    // One that was taken in this moment stays.
    await found?.remove().catch(() => undefined);
    return id;
  }

  async #find(id: string): Promise<Job | undefined> {
    for (const queue of this.#all) {
      const job = await Job.fromId(queue, id);
      if (job) return job;
    }
    return undefined;
  }

  async #place(lane: JobLane, owner: JobOwner): Promise<QueuePlace> {
    if (!this.#order) return { round: 1, tenant: '', person: '' };
    const { fairQueue } = this.#order;
    const { round, ...whose } = await fairQueue.nextRound(lane, owner);
    if (round > restartAfter && (await this.#lines[lane].length()) === 0) await fairQueue.restart(lane);
    return { round: Math.min(round, lastPriority), ...whose };
  }

  /** The queue as operators see it. */
  inspector(): QueueInspector {
    return new QueueInspector(this.#all, this.#events, jobKinds);
  }

  /**
   * Removes what is left of jobs that ended longer ago: of a lane that works, what is older than a minute goes, but after the
   * last one nothing does. Returns how many.
   */
  async removeEnded(olderThanMs: number): Promise<number> {
    const removed = await Promise.all(this.#all.map((queue) => queue.clean(olderThanMs, 0, 'completed')));
    return removed.reduce((sum, { length }) => sum + length, 0);
  }

  /** Gives the jobs of a worker that has died to others at once. */
  async release(claims: readonly JobClaim[]): Promise<void> {
    await Promise.all(this.#all.map((queue) => releaseJobs(queue, claims)));
  }

  /** Nothing is lost when the store is away, which is not waited for. */
  async close(): Promise<void> {
    this.#ends.close();
    const closed = Promise.allSettled([...this.#events, ...this.#all].map((one) => one.close()));
    await within(closingMs, closed);
  }
}

const isSave = (job: ConversionJob): boolean => laneOf(job) === 'saving';

/** Jobs of a document belong to the application that it comes from. */
function ownerOf({ data }: ConversionJob, asker?: JobAsker): JobOwner {
  if (asker) return asker.owner;
  return 'key' in data ? { key: data.key } : { tenant: '' };
}

/** A job that is queued under an id is not queued again: BullMQ ids must not hold a colon. */
function jobId(job: ConversionJob): string {
  switch (job.name) {
    case 'open':
      return `open-${job.data.model}-${job.data.sourceHash}${job.data.variant && `-${job.data.variant}`}`;
    case 'convert':
      return `convert-${job.data.id}-${job.data.attempt}`;
    case 'assemble':
      return `assemble-${job.data.key}-${lifeOf(job.data)}${job.data.epoch}`;
    case 'force-save':
      return `force-save-${job.data.saveId}`;
    case 'export':
      return `export-${job.data.form === 'base' ? 'base-' : ''}${job.data.key}-${lifeOf(job.data)}${job.data.logVersion}-${job.data.endIndex}`;
    case 'pick':
      return `pick-${job.data.modelHash}-${job.data.wishHash}`;
    case 'checkpoint':
      return `checkpoint-${job.data.key}`;
  }
}

const lifeOf = ({ openedAtMs }: { openedAtMs?: number }): string =>
  openedAtMs === undefined ? '' : `${openedAtMs}-`;
