/** What a worker that more people come to than it can let in tells the others. */
export interface Busyness {
  /** The share of newcomers that the others are to lead to it still; 1: all. */
  share: number;
  /** Within so many seconds the rest are to come again. */
  withinS: number;
}

/** A worker that has said nothing for so long may have ended, milliseconds. */
const believedForMs = 3_000;

/**
 * Which workers of a server turn newcomers away. Whoever comes to another worker first is turned away there: to hand a
 * connection over costs more than to refuse it, and is done by the one process through which workers reach each other.
 */
export class BusyWorkers {
  readonly #said = new Map<number, Busyness & { atMs: number }>();
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  learned(worker: number, busyness: Busyness, nowMs: number): void {
    if (busyness.share >= 1) this.#said.delete(worker);
    else this.#said.set(worker, { ...busyness, atMs: nowMs });
  }

  /** After how many seconds a newcomer to a worker is to come again; null: the worker decides. */
  turnsAway(worker: number, nowMs: number): number | null {
    const said = this.#said.get(worker);
    if (!said || nowMs - said.atMs > believedForMs || this.#random() < said.share) return null;
    return 1 + Math.floor(this.#random() * said.withinS);
  }
}
