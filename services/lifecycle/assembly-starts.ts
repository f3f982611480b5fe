import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { FairTurns } from '../../platform/fair-turns.ts';
import { QuireError } from '../../platform/quire-error.ts';

/** So many take connections to the database at once; the others wait in line. */
const atOnce = 4;
const limits = { atOnce, atOnceOfOne: atOnce, mostWaiting: Infinity, mostWaitingOfOne: Infinity };
/** A start that found the database, or Redis, busy is tried again after up to this time, drawn at random. */
const mostPauseMs = 4_000;

/**
 * The starts of assemblies, some at once: when thousands leave together, the others wait in line. One that finds the database busy
 * keeps its place and tries again, so that no more than these few ask for what is busy.
 */
export class AssemblyStarts {
  readonly #turns = new FairTurns(limits);
  readonly #log: Logger;
  readonly #pause: (ms: number) => Promise<unknown>;
  #isStopped = false;

  /** @param pause waits, milliseconds */
  constructor(
    log: Logger,
    pause: (ms: number) => Promise<unknown> = (ms) => sleep(ms, null, { ref: false }),
  ) {
    this.#log = log;
    this.#pause = pause;
  }

  /** Begins when it is its turn. Rejects with an error that does not pass by itself. */
  async run(start: () => Promise<void>): Promise<void> {
    await this.#turns.run('', () => this.#untilBegun(start));
  }

  /** What waits is not begun any more: the sweep of another process takes it up. */
  stop(): void {
    this.#isStopped = true;
  }

  async #untilBegun(start: () => Promise<void>): Promise<void> {
    while (!this.#isStopped) {
      try {
        return await start();
      } catch (error) {
        if (!(error instanceof QuireError && error.retryable)) throw error;
        this.#log.warn({ err: error }, 'Assemblies wait for a part that is busy');
        await this.#pause(Math.random() * mostPauseMs);
      }
    }
  }
}
