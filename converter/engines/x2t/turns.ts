type Lane = 'interactive' | 'batch';

/**
 * Lets so many pieces of work run at the same time; the others wait their turn in the order in which they came, those that
 * somebody waits for before the rest. When batch work has taken places, one more is there for what somebody waits for.
 */
export class Turns {
  readonly #count: number;
  readonly #running = { interactive: 0, batch: 0 };
  readonly #waiting: Readonly<Record<Lane, (() => void)[]>> = { interactive: [], batch: [] };

  constructor(count: number) {
    this.#count = count;
  }

  async run<Result>(work: () => Promise<Result>, lane: Lane = 'interactive'): Promise<Result> {
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
    const { interactive, batch } = this.#running;
    const places = { interactive: this.#count + Math.min(1, batch), batch: this.#count };
    for (const lane of ['interactive', 'batch'] as const) {
      if (interactive + batch >= places[lane]) continue;
      const begin = this.#waiting[lane].shift();
      if (!begin) continue;
      this.#running[lane] += 1;
      begin();
      this.#next();
      return;
    }
  }
}
