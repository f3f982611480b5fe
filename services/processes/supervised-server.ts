import type { ChildProcess } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import os from 'node:os';
import type { Logger } from 'pino';
import { whenReady } from './child-process.ts';
import { type ProcessEnd, RestartedProcesses } from './restarted-processes.ts';

/** Longer than an orderly stop of a server takes, milliseconds. */
const stopDeadlineMs = 30_000;
/** A server that dies so often within so long does not get well by being started again. */
const mostDeaths = { deaths: 6, withinMs: 60_000 };

const stopSignals = ['SIGINT', 'SIGTERM'] as const;

interface Supervision {
  /** Starts the server, which has been started again so often before. */
  start(restarts: number): ChildProcess;
  log: Pick<Logger, 'fatal' | 'error' | 'warn'>;
  /** Where signals come from: the process. */
  signals: EventEmitter;
  limit?: typeof mostDeaths;
}

/**
 * Starts a server, and starts it again each time it dies. It is not started again when it ended in order, when a signal to this
 * process had asked it to end, or when it had never been ready: then its settings are wrong. Resolves with its exit code.
 */
export function superviseServer({ start, log, signals, limit = mostDeaths }: Supervision): Promise<number> {
  let restarts = 0;
  let wasReady = false;
  let last: ProcessEnd = { code: 0, signal: null };
  const processes = new RestartedProcesses(stopDeadlineMs, log, () => {
    restarts += 1;
  });
  return new Promise((resolve) => {
    const end = () => resolve(exitCodeOf(last));
    let isStopping = false;
    const onSignal = (signal: NodeJS.Signals) => {
      // The server decides what a second one means.
      if (isStopping) for (const child of processes.children) child.kill(signal);
      else void processes.stop(signal).then(end);
      isStopping = true;
    };
    for (const signal of stopSignals) signals.on(signal, onSignal);
    processes.start({
      name: 'The server',
      start: () => {
        const child = start(restarts);
        void whenReady(child).then((isReady) => {
          wasReady ||= isReady;
        });
        const ended = (how: ProcessEnd) => {
          last = how;
        };
        return { child, ended };
      },
      isWanted: ({ code }) => {
        const isWanted = wasReady && code !== 0;
        if (!isWanted) end();
        return isWanted;
      },
      limit: { ...limit, givenUp: end },
    });
  });
}

/** The exit code that says how a process ended, as a shell has it. */
function exitCodeOf({ code, signal }: ProcessEnd): number {
  return signal === null ? (code ?? 1) : 128 + os.constants.signals[signal];
}
