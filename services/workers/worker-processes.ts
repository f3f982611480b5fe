import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import type { Environment } from '../config.ts';
import type { Channel } from './conversation.ts';

/** Longer than a worker itself takes at most for an orderly stop. */
const stopDeadlineMs = 35_000;
const firstRestartMs = 200;
const longestRestartMs = 10_000;
/** A process that lived this long is not thought to fail at its start. */
const healthyAfterMs = 30_000;

/** The number of a worker, from 1, which the process that takes its place has again. */
export const workerVariable = 'QUIRE_WORKER';

/** Called with each process that is started; what is returned is called when it has ended. */
export type Attend = (number: number, channel: Channel) => () => void;

/** The processes that serve the port: started together, each started again when it dies, stopped together. */
export class WorkerProcesses {
  readonly #environment: Environment;
  readonly #attend: Attend;
  readonly #log: Logger;
  readonly #workers = new Map<number, Worker>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  #stopping = false;

  constructor(environment: Environment, attend: Attend, log: Logger) {
    this.#environment = environment;
    this.#attend = attend;
    this.#log = log;
  }

  /** `died`: a worker has ended, and will be started again unless that returns false. */
  start(count: number, died: (number: number) => boolean): void {
    for (let number = 1; number <= count; number += 1) this.#fork(number, firstRestartMs, died);
  }

  /** Has all workers take leave of their clients; kills what does not end in time. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#restarts) clearTimeout(timer);
    await Promise.all(
      [...this.#workers.values()].map(async (worker) => {
        const exited = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        const timer = setTimeout(() => worker.process.kill('SIGKILL'), stopDeadlineMs);
        await exited;
        clearTimeout(timer);
      }),
    );
  }

  #fork(number: number, restartMs: number, died: (number: number) => boolean): void {
    const startedAtMs = performance.now();
    const worker = cluster.fork({ ...this.#environment, [workerVariable]: String(number) });
    this.#workers.set(number, worker);
    const leave = this.#attend(number, {
      send: (message) => {
        if (worker.isConnected()) worker.send(message as object, () => undefined);
      },
      onMessage: (listener) => worker.on('message', listener),
    });
    worker.on('error', (error) =>
      this.#log.error({ err: error, worker: number }, 'A worker cannot be reached'),
    );
    worker.once('exit', (code, signal) => {
      this.#workers.delete(number);
      leave();
      if (this.#stopping || !died(number)) return;
      const delayMs = performance.now() - startedAtMs > healthyAfterMs ? firstRestartMs : restartMs;
      this.#log.error({ worker: number, code, signal, delayMs }, 'A worker ended; another one is started');
      const timer = setTimeout(() => {
        this.#restarts.delete(timer);
        this.#fork(number, Math.min(longestRestartMs, delayMs * 2), died);
      }, delayMs);
      this.#restarts.add(timer);
    });
  }
}
