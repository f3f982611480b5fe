import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { shutDown } from './postmaster.ts';

const restartDelayMs = 500;
const fastShutdownTimeoutMs = 20_000;

/** A server process, and whether it takes connections. */
export interface Launched {
  child: ChildProcess;
  ready: boolean;
}

export const hasExited = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

/**
 * Keeps the embedded server running: one that dies is started again on the same port, so that whoever is connected to
 * it finds it there again. PostgreSQL recovers by itself what was committed.
 */
export class Keeper {
  readonly #dataDirectory: string;
  readonly #relaunch: () => Promise<Launched>;
  readonly #log: Pick<Logger, 'error' | 'info'>;
  #child: ChildProcess;
  #stopping = false;
  #stopped: Promise<void> | null = null;

  constructor(
    child: ChildProcess,
    dataDirectory: string,
    relaunch: () => Promise<Launched>,
    log: Pick<Logger, 'error' | 'info'>,
  ) {
    this.#dataDirectory = dataDirectory;
    this.#relaunch = relaunch;
    this.#log = log;
    this.#child = child;
    this.#watch();
  }

  /** Shuts the server down; it is not started again. */
  stop(): Promise<void> {
    this.#stopping = true;
    this.#stopped ??= this.#shutDown(this.#child);
    return this.#stopped;
  }

  async #shutDown(child: ChildProcess): Promise<void> {
    const exited = hasExited(child) ? null : once(child, 'exit');
    await shutDown(this.#dataDirectory, child.pid!, fastShutdownTimeoutMs);
    await exited;
  }

  #watch(): void {
    const died = (code: number | null, signal: NodeJS.Signals | null) => {
      if (this.#stopping) return;
      this.#log.error({ code, signal }, 'The embedded PostgreSQL ended unexpectedly and is started again');
      this.#startAgain().catch((error: unknown) => {
        this.#log.error({ err: error }, 'The embedded PostgreSQL could not be started again');
      });
    };
    if (hasExited(this.#child)) died(this.#child.exitCode, this.#child.signalCode);
    else this.#child.once('exit', died);
  }

  async #startAgain(): Promise<void> {
    while (!this.#stopping) {
      await delay(restartDelayMs);
      if (this.#stopping) return;
      const { child, ready } = await this.#relaunch();
      if (!ready) continue;
      this.#child = child;
      this.#log.info({ pid: child.pid }, 'The embedded PostgreSQL runs again');
      if (this.#stopping) await this.#shutDown(child);
      else this.#watch();
      return;
    }
  }
}
