import type { Logger } from 'pino';
import type { Checkpoints } from '../../db/checkpoints.ts';
import type { ConversionQueue } from '../../jobs/jobs.ts';

/** So many documents are looked after at a time; the others are next. */
const atATime = 20;

export interface CheckpointTimerDependencies {
  checkpoints: Checkpoints;
  queue: Pick<ConversionQueue, 'run'>;
  /** A document gets one after so many changes. */
  afterChanges: number;
  everyMs: number;
  log: Pick<Logger, 'error'>;
}

/**
 * Has checkpoints made of documents in which very much is being changed. It looks at the database alone, so that it
 * does not matter which node an editor is on; a job that another node has queued is not queued again.
 */
export class CheckpointTimer {
  readonly #deps: CheckpointTimerDependencies;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(dependencies: CheckpointTimerDependencies) {
    this.#deps = dependencies;
  }

  start(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.look()
        .catch((error: unknown) => this.#deps.log.error({ err: error }, 'Checkpoints could not be made'))
        .finally(() => this.start());
    }, this.#deps.everyMs);
    this.#timer.unref();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** One round: resolves when what was due has been made, or could not be. */
  async look(): Promise<void> {
    const { checkpoints, queue, afterChanges } = this.#deps;
    for (const key of await checkpoints.due(afterChanges, atATime)) {
      if (this.#stopped) return;
      await queue.run({ name: 'checkpoint', data: { key } });
    }
  }
}
