import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Environment } from '../../platform/config.ts';
import { RestartedProcesses, type Started } from '../processes/restarted-processes.ts';
import type { IpcTransport } from './ipc-channel.ts';

/** Longer than an orderly stop of a worker takes, and short enough for converters to be stopped after it, milliseconds. */
const stopDeadlineMs = 19_000;

/** The number of a worker, from 1. The process that replaces a worker has the same number. */
export const workerVariable = 'QUIRE_WORKER';

/** What a primary process does about its workers. */
interface WorkerEvents {
  /** Called with each process that is started; what is returned is called when it has ended. */
  started(number: number, channel: IpcTransport): () => void;
  /** A worker has ended, and will be started again unless this returns false. */
  died(number: number): boolean;
  /** One that died is started again. */
  restarted(): void;
}

/** The processes that serve the port: started together, each started again when it dies, stopped together. */
export class WorkerProcesses {
  readonly #environment: Environment;
  readonly #events: WorkerEvents;
  readonly #processes: RestartedProcesses;

  constructor(environment: Environment, events: WorkerEvents, log: Logger) {
    this.#environment = environment;
    this.#events = events;
    this.#processes = new RestartedProcesses(stopDeadlineMs, log, () => events.restarted());
  }

  start(count: number): void {
    for (let number = 1; number <= count; number += 1) {
      this.#processes.start({
        name: 'A worker',
        fields: { worker: number },
        start: () => this.#fork(number),
        isWanted: () => this.#events.died(number),
      });
    }
  }

  /** Asks all workers to stop in order; kills those that do not end in time. */
  stop(): Promise<void> {
    return this.#processes.stop();
  }

  #fork(number: number): Started {
    const worker = cluster.fork({ ...this.#environment, [workerVariable]: String(number) });
    const ended = this.#events.started(number, {
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
