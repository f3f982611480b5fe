/**
 * What a connection may spend of the server's work: so much a second. What it does not spend is kept, up to a limit.
 */
export class Budget {
  readonly #perMs: number;
  readonly #most: number;
  #credit: number;
  #atMs: number;

  constructor(perSecond: number, most: number, nowMs: number) {
    this.#perMs = perSecond / 1_000;
    this.#most = most;
    this.#credit = most;
    this.#atMs = nowMs;
  }

  /** Spends what is there or not: what is owed has to be made up for. */
  spend(cost: number, nowMs: number): void {
    this.#fill(nowMs);
    this.#credit -= cost;
  }

  /** What is there; less than nothing when something is owed. */
  credit(nowMs: number): number {
    this.#fill(nowMs);
    return this.#credit;
  }

  /** Until nothing is owed, milliseconds; 0 when nothing is. */
  waitMs(nowMs: number): number {
    const credit = this.credit(nowMs);
    return credit >= 0 ? 0 : -credit / this.#perMs;
  }

  #fill(nowMs: number): void {
    this.#credit = Math.min(this.#most, this.#credit + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
  }
}

/** Requests that somebody may have on their way at once. */
export class RequestSlots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Begins a request as soon as there is room for it. Resolves when it has begun; its failure is its own affair. */
  async begin(request: () => Promise<void>): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const end = () => this.#end();
    request().then(end, end);
  }

  #end(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
