import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Environment } from '../../platform/config.ts';
import { RestartedProcesses, type Started } from '../processes/restarted-processes.ts';
import type { IpcTransport } from './ipc-channel.ts';

/** Longer than a worker itself takes at most for an orderly stop. */
const stopDeadlineMs = 35_000;

/** The number of a worker, from 1, which the process that takes its place has again. */
export const workerVariable = 'QUIRE_WORKER';

/** Called with each process that is started; what is returned is called when it has ended. */
type OnStarted = (number: number, channel: IpcTransport) => () => void;

/** The processes that serve the port: started together, each started again when it dies, stopped together. */
export class WorkerProcesses {
  readonly #environment: Environment;
  readonly #onStarted: OnStarted;
  readonly #processes: RestartedProcesses;

  constructor(environment: Environment, onStarted: OnStarted, log: Logger) {
    this.#environment = environment;
    this.#onStarted = onStarted;
    this.#processes = new RestartedProcesses(stopDeadlineMs, log);
  }

  /** `died`: a worker has ended, and will be started again unless that returns false. */
  start(count: number, died: (number: number) => boolean): void {
    for (let number = 1; number <= count; number += 1) {
      this.#processes.start({
        name: 'A worker',
        fields: { worker: number },
        start: () => this.#fork(number),
        isWanted: () => died(number),
      });
    }
  }

  /** Has all workers take leave of their clients; kills what does not end in time. */
  stop(): Promise<void> {
    return this.#processes.stop();
  }

  #fork(number: number): Started {
    const worker = cluster.fork({ ...this.#environment, [workerVariable]: String(number) });
    const ended = this.#onStarted(number, {
      send: (message) => {
        if (worker.isConnected()) worker.send(message as object, () => undefined);
      },
      onMessage: (listener) => worker.on('message', listener),
    });
    // The process itself says the same; unheard here, it would end this one.
    worker.on('error', () => undefined);
    return { child: worker.process, ended };
  }
}
