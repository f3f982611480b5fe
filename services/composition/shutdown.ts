import type { Logger } from 'pino';

/** Stops what was started, the last first. An error of one does not keep the others from being stopped. */
export class Shutdown {
  readonly #log: Logger;
  readonly #stops: (() => Promise<unknown> | undefined)[] = [];
  readonly #urgent: (() => Promise<unknown>)[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Runs `compose`. When it fails, what it had started is stopped. */
  static async around<Result>(
    log: Logger,
    compose: (shutdown: Shutdown) => Promise<Result>,
  ): Promise<Result> {
    const shutdown = new Shutdown(log);
    try {
      return await compose(shutdown);
    } catch (error) {
      await shutdown.run();
      throw error;
    }
  }

  add(stop: () => Promise<unknown> | undefined): void {
    this.#stops.push(stop);
  }

  /** As `add`, for what must not be cut when there is no time for the rest: {@link halt}. It is done once. */
  addUrgent(stop: () => Promise<unknown>): void {
    let done: Promise<unknown> | null = null;
    const once = () => {
      done ??= stop();
      return done;
    };
    this.#urgent.push(once);
    this.add(once);
  }

  /** Does what is urgent alone, or waits for it when everything is being stopped. */
  async halt(): Promise<void> {
    await Promise.allSettled(this.#urgent.map((stop) => stop()));
  }

  /** Runs `task` every `everyMs` milliseconds until everything stops. */
  repeat(everyMs: number, task: () => Promise<unknown>, failed: string): void {
    const timer = setInterval(() => {
      task().catch((error: unknown) => this.#log.warn({ err: error }, failed));
    }, everyMs);
    this.add(async () => clearInterval(timer));
  }

  async run(): Promise<void> {
    for (const stop of this.#stops.reverse().splice(0)) {
      try {
        await stop();
      } catch (error) {
        this.#log.error({ err: error }, 'A part did not stop cleanly');
      }
    }
  }
}
