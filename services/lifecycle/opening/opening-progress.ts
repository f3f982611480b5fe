import type { ConversionRecords } from '../../../db/conversions.ts';
import type { ConversionQueue } from '../../../jobs/jobs.ts';
import { fetching, type Progress, progressIn } from '../conversions.ts';

/** How far an opening is; `opening`: at something that takes no time worth reporting. */
export type OpeningStage = Progress | { stage: 'opening' };

export type OpeningListener = (stage: OpeningStage) => void;

/** What is being done for a document: its file is fetched, converted, or made what editors load. */
type Step = 'fetching' | 'opening' | { conversion: string };

interface Watched {
  step: Step;
  isLookedUp: boolean;
  /** Everybody who waits, also who wants to hear nothing. */
  waiting: number;
  /** With what each was sent last. */
  readonly listeners: Map<OpeningListener, string>;
  readonly timer: NodeJS.Timeout;
}

/** Progress is reported so often, and not at all of an opening that takes less, milliseconds. */
const reportEveryMs = 1_000;

/** Reports to those who wait for a document on this node how far its opening is. */
export class OpeningProgress {
  readonly #records: Pick<ConversionRecords, 'progressOf'>;
  readonly #queue: Pick<ConversionQueue, 'placeOf'>;
  readonly #everyMs: number;
  readonly #watched = new Map<string, Watched>();

  constructor(
    records: Pick<ConversionRecords, 'progressOf'>,
    queue: Pick<ConversionQueue, 'placeOf'>,
    everyMs = reportEveryMs,
  ) {
    this.#records = records;
    this.#queue = queue;
    this.#everyMs = everyMs;
  }

  /** Does the work of an opening, or waits for it; the listener hears how far it is until it is done. */
  async during<Result>(
    key: string,
    listener: OpeningListener | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const watched = this.#watched.get(key) ?? this.#watch(key);
    watched.waiting += 1;
    if (listener) watched.listeners.set(listener, '');
    try {
      return await work();
    } finally {
      watched.waiting -= 1;
      if (listener) watched.listeners.delete(listener);
      if (watched.waiting === 0) {
        clearInterval(watched.timer);
        this.#watched.delete(key);
      }
    }
  }

  /** From now on this is done for a document that is being opened. */
  enter(key: string, step: Step): void {
    const watched = this.#watched.get(key);
    if (watched) watched.step = step;
  }

  #watch(key: string): Watched {
    const timer = setInterval(() => void this.#report(watched), this.#everyMs);
    const listeners = new Map<OpeningListener, string>();
    const watched: Watched = { step: 'opening', isLookedUp: false, waiting: 0, listeners, timer };
    timer.unref();
    this.#watched.set(key, watched);
    return watched;
  }

  async #report(watched: Watched): Promise<void> {
    if (watched.listeners.size === 0 || watched.isLookedUp) return;
    watched.isLookedUp = true;
    // What cannot be looked up now is reported the next time.
    const stage = await this.#stageOf(watched.step).catch(() => null);
    watched.isLookedUp = false;
    if (stage === null) return;
    const now = JSON.stringify(stage);
    for (const [listener, reported] of watched.listeners) {
      if (reported === now) continue;
      watched.listeners.set(listener, now);
      listener(stage);
    }
  }

  async #stageOf(step: Step): Promise<OpeningStage> {
    if (step === 'fetching') return fetching;
    const progress = step === 'opening' ? null : await this.#records.progressOf(step.conversion);
    return progress ? progressIn(progress, this.#queue) : { stage: 'opening' };
  }
}
