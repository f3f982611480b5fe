import { type EngineLane, engineLanes } from './conversion-engine.ts';
import { LaneQueue } from './lane-queue.ts';

/**
 * Lets `atOnce` pieces of work run at the same time; the others wait in the order in which they came. Each time the first of
 * them has waited for `patienceMs`, one more begins, up to `most`. So long work does not hold up the others for long, and
 * short work never makes the others share the processor or start threads of their own.
 */
export class GrowingLimit {
  readonly #atOnce: number;
  readonly #most: number;
  readonly #patienceMs: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor({ atOnce, most, patienceMs }: { atOnce: number; most: number; patienceMs: number }) {
    this.#atOnce = atOnce;
    this.#most = most;
    this.#patienceMs = patienceMs;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#atOnce) this.#running += 1;
    else await this.#wait();
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running < this.#atOnce) this.#begin();
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#watch();
    });
  }

  #begin(): void {
    const begin = this.#waiting.shift();
    if (!begin) return;
    this.#running += 1;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#watch();
    begin();
  }

  /** The one that waits the longest; when it begins, the next one's time begins. */
  #watch(): void {
    if (this.#waiting.length === 0 || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#running < this.#most) this.#begin();
      else this.#watch();
    }, this.#patienceMs);
  }
}

/**
 * Lets `count` pieces of work run at the same time; the others wait in the order in which they came, saves first, then
 * those that somebody waits for. When batch work has taken places, one more is there for what somebody
 * waits for. There is always one for a save.
 */
export class LaneLimit {
  readonly #count: number;
  readonly #running = { saving: 0, interactive: 0, batch: 0 };
  readonly #waiting = new LaneQueue<{ lane: EngineLane; begin: () => void }>();

  constructor(count: number) {
    this.#count = count;
  }

  async run<Result>(work: () => Promise<Result>, lane: EngineLane = 'interactive'): Promise<Result> {
    await new Promise<void>((begin) => {
      this.#waiting.add({ lane, begin });
      this.#next();
    });
    try {
      return await work();
    } finally {
      this.#running[lane] -= 1;
      this.#next();
    }
  }

  #next(): void {
    const { saving, interactive, batch } = this.#running;
    const others = interactive + batch;
    const mayBegin: Record<EngineLane, boolean> = {
      saving: saving === 0 || saving + others < this.#count,
      interactive: saving + others < this.#count + Math.min(1, batch + saving),
      batch: saving + others < this.#count,
    };
    const next = this.#waiting.take(engineLanes.filter((lane) => mayBegin[lane]));
    if (!next) return;
    this.#running[next.lane] += 1;
    next.begin();
    this.#next();
  }
}
