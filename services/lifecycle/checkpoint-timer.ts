import type { Logger } from 'pino';
import type { CheckpointReport } from '../../converter/jobs/checkpoint.ts';
import type { Checkpoints } from '../../db/checkpoints.ts';
import type { ConversionQueue } from '../../jobs/jobs.ts';

/** So many documents are looked after at a time; the others are next. */
const atATime = 20;
/** At least so long is between two rounds, milliseconds. */
const leastRestMs = 1_000;
/** A document whose checkpoint could not be made rests for so many times as long as that took. */
const restOfDocument = 8;

export interface CheckpointTimerDependencies {
  checkpoints: Pick<Checkpoints, 'due'>;
  queue: Pick<ConversionQueue, 'ask'>;
  /** A document gets one after so many changes. */
  afterChanges: number;
  everyMs: number;
  log: Pick<Logger, 'error'>;
}

/**
 * Has checkpoints made of documents in which very much is being changed: of those that it is told of at once, of others when it looks
 * at the database, so that it does not matter which node an editor is on. A job that another node has queued is not queued again.
 * It rests for as long as it was at it, so that these take half of one place of a worker at most. With a longer rest what somebody saves who
 * saves all that they may would grow faster than checkpoints are made of it.
 */
export class CheckpointTimer {
  readonly #deps: CheckpointTimerDependencies;
  readonly #wanted = new Set<string>();
  /** Until when documents rest. */
  readonly #resting = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;
  #restUntilMs = 0;
  #stopped = false;

  constructor(dependencies: CheckpointTimerDependencies) {
    this.#deps = dependencies;
  }

  start(): void {
    this.#lookIn(this.#deps.everyMs);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** Newcomers would have much work with what was saved in a document. */
  want(key: string): void {
    this.#wanted.add(key);
    if (this.#timer && !this.#isLooking) this.#lookIn(0);
  }

  /** One round: resolves when what was due or wanted, and does not rest, has been made, or could not be. */
  async look(): Promise<void> {
    const { checkpoints, afterChanges } = this.#deps;
    const due = await checkpoints.due(afterChanges, atATime);
    for (const [key, untilMs] of this.#resting) if (untilMs <= performance.now()) this.#resting.delete(key);
    for (const key of new Set([...this.#wanted, ...due])) {
      if (this.#stopped) return;
      if (!this.#resting.has(key)) await this.#make(key);
    }
  }

  async #make(key: string): Promise<void> {
    this.#wanted.delete(key);
    const begunMs = performance.now();
    const report = await this.#deps.queue.ask({ name: 'checkpoint', data: { key } }).catch(() => null);
    if ((report as CheckpointReport | null)?.kind !== 'not-made') return;
    const nowMs = performance.now();
    this.#resting.set(key, nowMs + restOfDocument * (nowMs - begunMs));
  }

  #lookIn(delayMs: number): void {
    if (this.#stopped) return;
    if (this.#timer) clearTimeout(this.#timer);
    const restMs = this.#restUntilMs - performance.now();
    this.#timer = setTimeout(() => void this.#round(), Math.max(delayMs, restMs));
    this.#timer.unref();
  }

  async #round(): Promise<void> {
    this.#isLooking = true;
    const begunMs = performance.now();
    let nextMs = this.#deps.everyMs;
    try {
      await this.look();
      if (this.#wanted.size > 0) nextMs = 0;
    } catch (error) {
      this.#deps.log.error({ err: error }, 'Checkpoints could not be made');
    }
    this.#isLooking = false;
    const nowMs = performance.now();
    this.#restUntilMs = nowMs + Math.max(leastRestMs, nowMs - begunMs);
    this.#lookIn(nextMs);
  }
}
