import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Piscina } from 'piscina';
import type { Logger } from '../../platform/log.ts';
import { builtProgram } from '../../platform/package-root.ts';
import { EngineEnded, EngineFault } from '../errors.ts';
import { GrowingLimit } from './concurrency-limits.ts';
import { type EngineListener, observed } from './conversion-engine.ts';
import type { EngineResult, EngineTask, EngineThreadStart } from './engine-thread.ts';

const threadFile = path.join(builtProgram, 'converter', 'engines', 'engine-thread.js');

/** A thread that has nothing to do is kept for this time: starting one takes longer than most openings. */
const idleMs = 60_000;

/**
 * How long work waits for one of the threads (as many as there are cores) before another thread is started for it,
 * milliseconds. A new thread has to load and compile its code: for a small document it takes several times as long as a
 * warm one.
 */
const patienceMs = 200;

/** Threads that engines run in, each bounded in memory and each task in time. */
export class EnginePool {
  readonly #pool: Piscina<EngineTask, EngineResult>;
  readonly #concurrency: GrowingLimit;
  readonly #timeoutMs: number;
  readonly #onRun: EngineListener;
  readonly #log: Pick<Logger, 'error'>;

  constructor(options: {
    threads: number;
    memoryMb: number;
    timeoutMs: number;
    /** Modules of further kinds of documents, by their paths. */
    kindModules?: readonly string[];
    log: Pick<Logger, 'error'>;
    onRun: EngineListener;
  }) {
    this.#onRun = options.onRun;
    this.#log = options.log;
    this.#timeoutMs = options.timeoutMs;
    const atOnce = Math.min(availableParallelism(), options.threads);
    this.#concurrency = new GrowingLimit({ atOnce, most: options.threads, patienceMs });
    this.#pool = new Piscina({
      filename: threadFile,
      minThreads: Math.min(2, atOnce),
      maxThreads: options.threads,
      idleTimeout: idleMs,
      workerData: { kindModules: options.kindModules ?? [] } satisfies EngineThreadStart,
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb },
    });
  }

  /** `timeoutMs`: as long as any task may take unless given. @throws EngineEnded, EngineFault */
  async run(task: EngineTask, timeoutMs = this.#timeoutMs): Promise<EngineResult> {
    return observed(this.#onRun, task.kind, () => this.#concurrency.run(() => this.#run(task, timeoutMs)));
  }

  async #run(task: EngineTask, timeoutMs: number): Promise<EngineResult> {
    const signal = AbortSignal.timeout(Math.min(timeoutMs, this.#timeoutMs));
    try {
      return await this.#pool.run(task, { signal });
    } catch (error) {
      if (signal.aborted) throw new EngineEnded('time', { cause: error });
      if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY') {
        throw new EngineEnded('memory', { cause: error });
      }
      this.#log.error({ err: error, task: task.kind }, 'An engine failed');
      throw new EngineFault(error);
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
