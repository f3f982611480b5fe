import { availableMemory } from 'node:process';
import type { Logger } from '../../../platform/log.ts';
import { confinementSentence } from '../../confinement/confinement.ts';
import { type EngineLane, engineLanes } from '../conversion-engine.ts';
import { LaneQueue } from '../lane-queue.ts';
import type { OfficeInstallation } from './installation.ts';
import { OfficeEnded, type OfficeEndReason } from './office-ended.ts';
import { OfficePlace, type ProcessSource } from './office-place.ts';
import { type OfficeLimits, OfficeProcess } from './office-process.ts';
import { sweepRooms } from './office-room.ts';
import type { OfficeJob } from './office-task.ts';
import type { ProfileFiles } from './profile.ts';

export interface OfficePoolOptions {
  installation: OfficeInstallation;
  /** Processes at most. */
  size: number;
  limits: OfficeLimits;
  /** When a process is replaced: after this number of conversions, or when it keeps more memory than this after one. */
  recycle: { jobs: number; memoryMb: number };
  log: Pick<Logger, 'info' | 'warn'>;
  listener?: OfficeListener;
  pingEveryMs?: number;
}

/** Is informed about the ends of processes. */
export interface OfficeListener {
  ended(reason: OfficeEndReason): void;
  recycled(): void;
}

interface Waiting {
  readonly lane: EngineLane;
  begin(place: OfficePlace): Promise<void>;
  refuse(error: Error): void;
}

const usualPingMs = 5_000;
/** What a new process takes, bytes. */
const newProcessBytes = 256 * 1_048_576;
const parts = ['swriter', 'scalc', 'simpress'] as const;

/**
 * Processes of LibreOffice that are kept warm, each in a room of its own. They are started one by one when they are needed,
 * the first at once. Saves go first, and get one more process when the others are taken; then interactive conversions, for
 * which one more is started, too.
 */
export class OfficePool implements ProcessSource {
  readonly #options: OfficePoolOptions;
  readonly #places: readonly OfficePlace[];
  readonly #queue = new LaneQueue<Waiting>();
  /** Of a process that had not converted anything yet. */
  #profile: ProfileFiles | null = null;
  #isClosed = false;

  private constructor(options: OfficePoolOptions) {
    this.#options = options;
    const ordinary = Array.from({ length: options.size }, () => new OfficePlace(engineLanes, this));
    this.#places = [...ordinary, new OfficePlace(['interactive'], this), new OfficePlace(['saving'], this)];
  }

  /** Begins to start the first process; a conversion that comes meanwhile waits for it. */
  static async start(options: OfficePoolOptions): Promise<OfficePool> {
    await sweepRooms();
    const pool = new OfficePool(options);
    const { installation, size, log } = options;
    const { version, directory, confinement } = installation;
    log.info({ version, directory, processes: size }, `LibreOffice: ${confinementSentence(confinement)}`);
    void pool.#work(pool.#places[0]!, true);
    return pool;
  }

  /** Processes that there are. */
  get processes(): number {
    return this.#places.filter(({ hasProcess }) => hasProcess).length;
  }

  /** Conversions that wait for a process. */
  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Converts when a process is free.
   * @throws ConversionError; OfficeEnded when the process ended, and the next one too; the reason of the job's signal
   */
  run<Result>(job: OfficeJob<Result>): Promise<Result> {
    if (this.#isClosed) return Promise.reject(stopped());
    const { signal } = job;
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const abort = () => {
        if (this.#queue.remove(waiting)) reject(signal!.reason);
      };
      const waiting: Waiting = {
        lane: job.lane,
        begin: async (place) => {
          signal?.removeEventListener('abort', abort);
          await place.convert(job).then(resolve, reject);
        },
        refuse: (error) => {
          signal?.removeEventListener('abort', abort);
          reject(error);
        },
      };
      signal?.addEventListener('abort', abort);
      this.#queue.add(waiting);
      this.#wake();
    });
  }

  /** Ends all processes, and with them what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (let waiting = this.#take(); waiting; waiting = this.#take()) waiting.refuse(stopped());
    await Promise.all(this.#places.map((place) => place.close()));
  }

  /** @throws OfficeEnded */
  async start(): Promise<OfficeProcess> {
    const { installation, limits, pingEveryMs = usualPingMs } = this.#options;
    const profile = this.#profile;
    const process = await OfficeProcess.start({ installation, limits, pingEveryMs, profile });
    // LibreOffice may be writing to it: then it is taken of the next one.
    this.#profile ??= await process.profile().catch(() => null);
    return process;
  }

  /** @throws OfficeEnded */
  async warm(process: OfficeProcess): Promise<void> {
    for (const part of parts) await process.warm(part);
  }

  async isWorn(process: OfficeProcess): Promise<boolean> {
    const { jobs, memoryMb } = this.#options.recycle;
    return process.jobs >= jobs || (await process.memoryBytes()) > memoryMb * 1_048_576;
  }

  async hasMemoryForTwo(): Promise<boolean> {
    return availableMemory() > newProcessBytes;
  }

  onEnded(ended: OfficeEnded): void {
    if (this.#isClosed || ended.code === 'unwanted') return;
    this.#options.log.warn({ reason: ended.code, err: ended }, 'A process of LibreOffice ended');
    this.#options.listener?.ended(ended.code);
  }

  onRecycled(): void {
    this.#options.listener?.recycled();
  }

  #take(): Waiting | undefined {
    return this.#queue.take(engineLanes);
  }

  /** Gives waiting jobs to free places, those with a process first. Places that are starting take jobs by themselves. */
  #wake(): void {
    const coming = this.#places.filter(({ isStarting }) => isStarting);
    for (const lane of engineLanes) {
      const expected = coming
        .filter((place) => place.lanes.includes(lane))
        .splice(0, this.#queue.waiting(lane));
      for (const place of expected) coming.splice(coming.indexOf(place), 1);
      if (expected.length === this.#queue.waiting(lane)) continue;
      const free = this.#places.filter((place) => !place.isTaken && place.lanes.includes(lane));
      const place = free.find(({ hasProcess }) => hasProcess) ?? free[0];
      if (place) void this.#work(place, false);
    }
  }

  async #work(place: OfficePlace, isFirst: boolean): Promise<void> {
    place.isTaken = true;
    try {
      if (isFirst) await this.#makeReady(place);
      while (!this.#isClosed && place.lanes.some((lane) => this.#queue.waiting(lane) > 0)) {
        await this.#convertNext(place);
      }
    } finally {
      place.isTaken = false;
    }
  }

  /** A process is started before a job is taken: another place may be free sooner. */
  async #convertNext(place: OfficePlace): Promise<void> {
    try {
      place.isStarting = true;
      await place.takeNext();
      await place.prepare();
    } catch (error) {
      this.#queue.take(place.lanes)?.refuse(error as Error);
      return;
    } finally {
      place.isStarting = false;
    }
    const next = this.#queue.take(place.lanes);
    // What this place was expected to take may still wait.
    this.#wake();
    await next?.begin(place);
    void place.renew();
  }

  /** As long as nobody waits. */
  async #makeReady(place: OfficePlace): Promise<void> {
    place.isStarting = true;
    try {
      const process = await place.prepare();
      for (const part of parts) if (this.#queue.size === 0 && !this.#isClosed) await process.warm(part);
    } catch (error) {
      // The first conversion tries again.
      if (!this.#isClosed) this.#options.log.warn({ err: error }, 'LibreOffice could not be made ready');
    } finally {
      place.isStarting = false;
    }
  }
}

const stopped = () => new OfficeEnded('killed', { retryable: true, said: 'the converter stops' });
