import { setTimeout as pause } from 'node:timers/promises';
import type { EngineLane } from '../conversion-engine.ts';
import { OfficeEnded } from './office-ended.ts';
import type { OfficeProcess } from './office-process.ts';
import type { OfficeJob } from './office-task.ts';

/** How processes are started, and who is informed about their ends. */
export interface ProcessSource {
  /** @throws OfficeEnded */
  start(): Promise<OfficeProcess>;
  /** Warms a process: loads what its first conversions would have to wait for. @throws OfficeEnded */
  warm(process: OfficeProcess): Promise<void>;
  /** Whether a process should give way to another one. */
  isWorn(process: OfficeProcess): Promise<boolean>;
  /** Whether there is memory for another one beside a process that is worn. */
  hasMemoryForTwo(process: OfficeProcess): Promise<boolean>;
  onEnded(ended: OfficeEnded): void;
  onRecycled(): void;
}

/** A conversion over which a process ends is tried once more. */
const attempts = 2;
const startAttempts = 3;
const startPauseMs = 500;
const killedPauseMs = 100;
/** How long processes that are killed while they start are replaced by others, milliseconds. */
const killedPatienceMs = 300_000;

/**
 * A place for one process of LibreOffice at a time. A process that dies is replaced by a new one; a worn process is
 * replaced by one that was started and warmed beside it.
 */
export class OfficePlace {
  /** The jobs that are done here. */
  readonly lanes: readonly EngineLane[];
  readonly #source: ProcessSource;
  #process: OfficeProcess | null = null;
  #next: Promise<OfficeProcess | null> | null = null;
  #isNextThere = false;
  /** Its successor can be started only when it is gone. */
  #hasToGo: OfficeProcess | null = null;
  #isClosed = false;
  /** Whether somebody uses it. */
  isTaken = false;
  /** Whether it will take a job as soon as its process is there. */
  isStarting = false;

  constructor(lanes: readonly EngineLane[], source: ProcessSource) {
    this.lanes = lanes;
    this.#source = source;
  }

  get hasProcess(): boolean {
    return this.#process !== null && this.#process.ended === null;
  }

  /** Sees to it that a process is there. @throws OfficeEnded */
  async prepare(): Promise<OfficeProcess> {
    if (this.#process?.ended === null) return this.#process;
    await this.#remove();
    const next = await this.#next;
    this.#next = null;
    this.#isNextThere = false;
    const started = next?.ended === null ? next : await this.#start();
    this.#process = started;
    if (this.#isClosed) {
      await this.#remove();
      throw new OfficeEnded('killed', { retryable: false, said: 'the converter stops' });
    }
    return started;
  }

  /** Converts; when the process ends during it, once more with a new one. @throws ConversionError, OfficeEnded */
  async convert<Result>(job: OfficeJob<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      const process = await this.prepare();
      try {
        return await process.convert(job);
      } catch (error) {
        if (!(error instanceof OfficeEnded) || this.#isClosed) throw error;
        await this.#remove();
        if (attempt === attempts || !error.retryable) throw error;
      }
    }
  }

  /** Replaces a worn process as soon as a new one is ready. It may be converting meanwhile. */
  async renew(): Promise<void> {
    const process = this.#process;
    if (process?.ended !== null || this.#next || !(await this.#source.isWorn(process))) return;
    const hasRoom = await this.#source.hasMemoryForTwo(process);
    if (this.#isClosed || this.#next || this.#process !== process) return;
    if (!hasRoom) {
      this.#hasToGo = process;
      return this.isTaken ? undefined : this.takeNext();
    }
    this.#next = this.#startNext();
    void this.#next.then(() => {
      this.#isNextThere = true;
      return this.isTaken ? undefined : this.takeNext();
    });
  }

  /** To be called between two jobs: takes the other process, if it has been made ready, or makes room for it. */
  async takeNext(): Promise<void> {
    const hasToGo = this.#hasToGo !== null && this.#hasToGo === this.#process;
    if (!this.#isNextThere && !hasToGo) return;
    this.#isNextThere = false;
    this.#hasToGo = null;
    await this.#recycle();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const next = this.#next;
    await Promise.all([this.#remove(), next?.then((process) => process?.stop())]);
  }

  async #start(): Promise<OfficeProcess> {
    const until = performance.now() + killedPatienceMs;
    for (let attempt = 1; ; ) {
      try {
        return await this.#source.start();
      } catch (error) {
        if (!(error instanceof OfficeEnded)) throw error;
        this.#source.onEnded(error);
        const wasKilled = error.code === 'killed' && performance.now() < until;
        if (this.#isClosed || (!wasKilled && attempt === startAttempts)) throw error;
        await pause(wasKilled ? killedPauseMs : startPauseMs * attempt++);
      }
    }
  }

  async #startNext(): Promise<OfficeProcess | null> {
    try {
      const process = await this.#source.start();
      await this.#source.warm(process);
      return process;
    } catch (error) {
      if (!(error instanceof OfficeEnded)) throw error;
      this.#source.onEnded(error);
      return null;
    }
  }

  async #recycle(): Promise<void> {
    this.#source.onRecycled();
    await this.#remove();
  }

  async #remove(): Promise<void> {
    const process = this.#process;
    this.#process = null;
    if (process?.ended) this.#source.onEnded(process.ended);
    await process?.stop();
  }
}
