import { type EngineLane, engineLanes } from '../conversion-engine.ts';

/**
 * Lets so many pieces of work run at the same time; the others wait their turn in the order in which they came, saves and
 * then those that somebody waits for before the rest. When batch work has taken places, one more is there for what somebody
 * waits for. There is always one for a save.
 */
export class Turns {
  readonly #count: number;
  readonly #running = { saving: 0, interactive: 0, batch: 0 };
  readonly #waiting: Readonly<Record<EngineLane, (() => void)[]>> = {
    saving: [],
    interactive: [],
    batch: [],
  };

  constructor(count: number) {
    this.#count = count;
  }

  async run<Result>(work: () => Promise<Result>, lane: EngineLane = 'interactive'): Promise<Result> {
    await new Promise<void>((resolve) => {
      this.#waiting[lane].push(resolve);
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
    for (const lane of engineLanes) {
      if (!mayBegin[lane]) continue;
      const begin = this.#waiting[lane].shift();
      if (!begin) continue;
      this.#running[lane] += 1;
      begin();
      this.#next();
      return;
    }
  }
}
