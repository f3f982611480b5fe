import type { ChildProcess } from 'node:child_process';
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
 * Keeps the embedded server running: one that dies is started again on the same port, so that processes connected to
 * it finds it there again. PostgreSQL recovers by itself what was committed.
 */
export class Keeper {
  readonly #relaunch: (stop: AbortSignal) => Promise<Launched>;
  readonly #log: Pick<Logger, 'error' | 'info'>;
  readonly #stop = new AbortController();
  #child: ChildProcess;
  #starting: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | null = null;

  /** @param relaunch starts the server once more; when told to stop, it no longer waits until the server is ready */
  constructor(
    child: ChildProcess,
    relaunch: (stop: AbortSignal) => Promise<Launched>,
    log: Pick<Logger, 'error' | 'info'>,
  ) {
    this.#relaunch = relaunch;
    this.#log = log;
    this.#child = child;
    this.#watch();
  }

  /** Shuts the server down, also one that is being started again; it is not started once more. */
  stop(): Promise<void> {
    this.#stop.abort();
    this.#stopped ??= this.#shutDown();
    return this.#stopped;
  }

  async #shutDown(): Promise<void> {
    await this.#starting;
    const child = this.#child;
    await shutDown(child.pid!, () => hasExited(child), fastShutdownTimeoutMs);
  }

  #watch(): void {
    const died = (code: number | null, signal: NodeJS.Signals | null) => {
      if (this.#stop.signal.aborted) return;
      this.#log.error({ code, signal }, 'The embedded PostgreSQL ended unexpectedly and is started again');
      this.#starting = this.#startAgain();
    };
    if (hasExited(this.#child)) died(this.#child.exitCode, this.#child.signalCode);
    else this.#child.once('exit', died);
  }

  async #startAgain(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await delay(restartDelayMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const { child, ready } = await this.#relaunch(signal);
        this.#child = child;
        if (!ready) continue;
        this.#log.info({ pid: child.pid }, 'The embedded PostgreSQL runs again');
        this.#watch();
        return;
      } catch (error) {
        this.#log.error({ err: error }, 'The embedded PostgreSQL could not be started again yet');
      }
    }
  }
}
