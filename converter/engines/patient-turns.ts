/**
 * Lets so many pieces of work run at the same time; the others wait in the order in which they came. One more begins whenever the
 * first of them has waited for so long, up to the most there may be: what takes long holds nothing up for long, and what is
 * soon done never makes the others share the processor, or start threads of their own.
 */
export class PatientTurns {
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
    else await this.#turn();
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running < this.#atOnce) this.#begin();
    }
  }

  #turn(): Promise<void> {
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

  /** The one that waits the longest; when it has a turn, the next one's time begins. */
  #watch(): void {
    if (this.#waiting.length === 0 || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#running < this.#most) this.#begin();
      else this.#watch();
    }, this.#patienceMs);
  }
}
