import { type EngineLane, engineLanes } from './conversion-engine.ts';
import { LaneQueue } from './lane-queue.ts';

/**
 * Lets `atOnce` pieces of short work run at the same time; the others wait in the order in which they came. Work is long once it
 * has gone on for `longMs`: it takes none of these places any more, so it holds up nothing, up to `most` pieces in all. Short
 * work never makes the others share the processor or start threads of their own.
 */
export class GrowingLimit {
  readonly #atOnce: number;
  readonly #most: number;
  readonly #longMs: number;
  readonly #waiting: (() => void)[] = [];
  #short = 0;
  #long = 0;

  constructor({ atOnce, most, longMs }: { atOnce: number; most: number; longMs: number }) {
    this.#atOnce = atOnce;
    this.#most = most;
    this.#longMs = longMs;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#hasRoom()) this.#short += 1;
    else await new Promise<void>((begin) => this.#waiting.push(begin));
    let isLong = false;
    const timer = setTimeout(() => {
      isLong = true;
      this.#short -= 1;
      this.#long += 1;
      this.#beginNext();
    }, this.#longMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      if (isLong) this.#long -= 1;
      else this.#short -= 1;
      this.#beginNext();
    }
  }

  #hasRoom(): boolean {
    return this.#short < this.#atOnce && this.#short + this.#long < this.#most;
  }

  #beginNext(): void {
    if (!this.#hasRoom()) return;
    const begin = this.#waiting.shift();
    if (!begin) return;
    this.#short += 1;
    begin();
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
