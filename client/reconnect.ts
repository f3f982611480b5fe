import type { Clock } from './clock.ts';

export interface ReconnectOptions {
  /** Upper end of the first three delays, milliseconds. Doubles with every further failed attempt. */
  initialDelayMs: number;
  /** The delay grows no further than this, milliseconds. */
  maxDelayMs: number;
  /** Failed attempts in a row after which to give up. */
  attempts: number;
}

export const defaultReconnect: ReconnectOptions = { initialDelayMs: 500, maxDelayMs: 15_000, attempts: 50 };

/** Where one server of several is gone, an attempt or two may still be led to it. */
const shortDelays = 3;

/**
 * Delays between attempts: exponential, each drawn from the whole of its step ("full jitter"), the first one, too, so that the
 * clients of a node that died do not come back in one moment.
 */
export class Backoff {
  readonly #options: ReconnectOptions;
  readonly #clock: Clock;
  #failures = 0;
  #step = 0;

  constructor(options: ReconnectOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** The delay before the next attempt, milliseconds, or null when there is to be none. */
  next(): number | null {
    if (this.#failures >= this.#options.attempts) return null;
    const { initialDelayMs, maxDelayMs } = this.#options;
    const doublings = Math.max(0, this.#step + 1 - shortDelays);
    const stepMs = Math.min(maxDelayMs, initialDelayMs * 2 ** doublings);
    this.#failures += 1;
    this.#step += 1;
    return stepMs * this.#clock.random();
  }

  /** An attempt led to a session: attempts are counted anew. Delays keep growing, see `calm`. */
  succeeded(): void {
    this.#failures = 0;
  }

  /** The session has done some work: the next delay is the shortest. Sessions that end at once keep their long delays. */
  calm(): void {
    this.#step = 0;
  }
}
