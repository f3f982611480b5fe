import { request } from 'undici';
import { type MeterReadings, Meters } from './meters.ts';

const everyMs = 1_000;
/** Those who watch over a server wait so long for it, milliseconds. */
export const healthWithinMs = 2_000;

/**
 * Asks a server every second whether it is well, over a connection of its own each time, as balancers and people do who watch
 * over it: a server that cannot answer this under load is taken away or ended.
 */
export class HealthCheck {
  readonly #url: string;
  readonly #withinMs: number;
  readonly #meters = new Meters();
  readonly #record = this.#meters.latency('health');
  #timer: NodeJS.Timeout | undefined;

  /** @param target the address of the server */
  constructor(target: string, withinMs = healthWithinMs) {
    this.#url = `${target}/healthcheck`;
    this.#withinMs = withinMs;
  }

  start(): void {
    this.#timer = setInterval(() => void this.ask(), everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Asks once. Never rejects: an answer that is late, or is no success, has failed. */
  async ask(): Promise<void> {
    const startedAtMs = performance.now();
    try {
      const signal = AbortSignal.timeout(this.#withinMs);
      const { statusCode, body } = await request(this.#url, { signal, reset: true });
      await body.dump();
      if (statusCode === 200) this.#record(performance.now() - startedAtMs);
      else this.#meters.count('health.failed');
    } catch {
      this.#meters.count('health.failed');
    }
  }

  /** What was measured since the last call. */
  take(): MeterReadings {
    return this.#meters.take();
  }
}
