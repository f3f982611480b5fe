/** What is done at once and waits: of all together, and of one of them. */
export interface TurnLimits {
  atOnce: number;
  atOnceOfOne: number;
  mostWaiting: number;
  mostWaitingOfOne: number;
}

/** What there is of one. */
interface Line {
  waiting: (() => Promise<void>)[];
  underWay: number;
}

/**
 * Work that several ask for, some of it at once: each has their own done in the order in which they ask, and they take turns. No one of
 * them has all places, so that the work of one who asks for much, or whose work does not end, leaves places to the others.
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  /** In the order of their turns. */
  readonly #lines = new Map<string, Line>();
  #waiting = 0;
  #underWay = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Does a piece of work when its turn comes; null: too many wait. */
  run<Result>(whose: string, work: () => Promise<Result>): Promise<Result> | null {
    const line = this.#lines.get(whose) ?? { waiting: [], underWay: 0 };
    const { mostWaiting, mostWaitingOfOne } = this.#limits;
    if (this.#waiting >= mostWaiting || line.waiting.length >= mostWaitingOfOne) return null;
    this.#lines.set(whose, line);
    this.#waiting += 1;
    return new Promise((resolve, reject) => {
      line.waiting.push(() => work().then(resolve, reject));
      this.#next();
    });
  }

  #next(): void {
    if (this.#underWay >= this.#limits.atOnce) return;
    for (const [whose, line] of this.#lines) {
      if (line.underWay >= this.#limits.atOnceOfOne) continue;
      const work = line.waiting.shift();
      if (!work) continue;
      this.#lines.delete(whose);
      this.#lines.set(whose, line);
      this.#begin(whose, line, work);
      return;
    }
  }

  #begin(whose: string, line: Line, work: () => Promise<void>): void {
    line.underWay += 1;
    this.#waiting -= 1;
    this.#underWay += 1;
    void work().finally(() => {
      line.underWay -= 1;
      this.#underWay -= 1;
      if (line.underWay === 0 && line.waiting.length === 0) this.#lines.delete(whose);
      this.#next();
    });
  }
}
