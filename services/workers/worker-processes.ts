import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Environment } from '../../platform/config.ts';
import { RestartedProcesses, type Started } from '../processes/restarted-processes.ts';
import type { IpcTransport } from './ipc-channel.ts';

/** Longer than an orderly stop of a worker takes, and short enough for converters to be stopped after it, milliseconds. */
const stopDeadlineMs = 19_000;

/** The number of a worker, from 1. The process that replaces a worker has the same number. */
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

  /** Asks all workers to stop in order; kills those that do not end in time. */
  stop(): Promise<void> {
    return this.#processes.stop();
  }

  #fork(number: number): Started {
    const worker = cluster.fork({ ...this.#environment, [workerVariable]: String(number) });
    const ended = this.#onStarted(number, {
      send: (message, socket, sent) => {
        if (worker.isConnected()) worker.send(message as object, socket, sent);
        else sent?.();
      },
      onMessage: (listener) => worker.on('message', listener),
    });
    // The process itself has the same event. Without a listener here it would end this process.
    worker.on('error', () => undefined);
    return { child: worker.process, ended };
  }
}
