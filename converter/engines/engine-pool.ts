import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Piscina } from 'piscina';
import type { Logger } from '../../platform/log.ts';
import { builtProgram } from '../../platform/package-root.ts';
import { EngineEnded, EngineFault } from '../errors.ts';
import { GrowingLimit } from './concurrency-limits.ts';
import { type EngineListener, observed } from './conversion-engine.ts';
import type { EngineResult, EngineTask, EngineThreadStart, ThreadTask } from './engine-thread.ts';
import { engineThreadOf, lowerPriority, newTask } from './running-task.ts';

const threadFile = path.join(builtProgram, 'converter', 'engines', 'engine-thread.js');

/** A thread that has nothing to do is kept for this time: starting one takes longer than most openings. */
const idleMs = 60_000;

/**
 * After this time a task is long, milliseconds: it does not hold up others any more, which may need another thread. A new thread
 * has to load and compile its code: for a small document it takes several times as long as a warm one.
 */
const longMs = 200;
/** A thread that has the same task when it is looked at twice gets a lower priority, milliseconds between. */
const lookMs = 250;

/**
 * Threads that engines run in, each bounded in memory and each task in time. A thread whose task has become long goes on with a
 * lower priority, so that short tasks and the rest of the machine go before it, and ends after the task.
 */
export class EnginePool {
  readonly #pool: Piscina<ThreadTask, EngineResult>;
  readonly #concurrency: GrowingLimit;
  readonly #timeoutMs: number;
  readonly #onRun: EngineListener;
  readonly #log: Pick<Logger, 'error'>;
  /** Threads with a lower priority, by their numbers in Node. */
  readonly #lowered = new Set<number>();

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
    this.#concurrency = new GrowingLimit({ atOnce, most: options.threads, longMs });
    this.#pool = new Piscina({
      filename: threadFile,
      minThreads: Math.min(2, atOnce),
      maxThreads: options.threads,
      idleTimeout: idleMs,
      workerData: { kindModules: options.kindModules ?? [] } satisfies EngineThreadStart,
      loadBalancer: (_, workers) => workers.find((worker) => this.#isFree(worker)) ?? null,
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb },
    });
  }

  /** `timeoutMs`: as long as any task may take unless given. @throws EngineEnded, EngineFault */
  async run(task: EngineTask, timeoutMs = this.#timeoutMs): Promise<EngineResult> {
    return observed(this.#onRun, task.kind, () =>
      this.#concurrency.run(() => this.#watched(task, timeoutMs)),
    );
  }

  async #watched(task: EngineTask, timeoutMs: number): Promise<EngineResult> {
    const running = newTask();
    let isSeen = false;
    const watch = setInterval(() => {
      if (isSeen && lowerPriority(running)) this.#lowered.add(engineThreadOf(running));
      isSeen = engineThreadOf(running) !== 0;
    }, lookMs);
    try {
      return await this.#run({ task, running }, timeoutMs);
    } finally {
      clearInterval(watch);
      await this.#endLowered(engineThreadOf(running));
    }
  }

  async #run(task: ThreadTask, timeoutMs: number): Promise<EngineResult> {
    const signal = AbortSignal.timeout(Math.min(timeoutMs, this.#timeoutMs));
    try {
      return await this.#pool.run(task, { signal });
    } catch (error) {
      if (signal.aborted) throw new EngineEnded('time', { cause: error });
      if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY') {
        throw new EngineEnded('memory', { cause: error });
      }
      this.#log.error({ err: error, task: task.task.kind }, 'An engine failed');
      throw new EngineFault(error);
    }
  }

  #isFree({ id, currentUsage }: { id: number; currentUsage: number }): boolean {
    return currentUsage === 0 && !this.#lowered.has(id);
  }

  async #endLowered(thread: number): Promise<void> {
    if (!this.#lowered.has(thread)) return;
    await this.#pool.threads.find(({ threadId }) => threadId === thread)?.terminate();
    this.#lowered.delete(thread);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
