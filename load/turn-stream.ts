import { drawFrom } from './random.ts';
import type { Act, Turns } from './scenario.ts';

/** Somebody who acts when it is their turn. */
export interface Actor {
  act(act: Act, dueAtMs: number): void;
}

/**
 * The numbers below `count`, so that those below any smaller number lie evenly in it (the fractions of multiples of the golden
 * ratio). People come one after the other: while the first tenth is in, its turns are not all in the first tenth of a round.
 */
function evenly(count: number): Uint32Array {
  const goldenRatio = (1 + Math.sqrt(5)) / 2;
  const fractions = Float64Array.from({ length: count }, (_, number) => (number * goldenRatio) % 1);
  return Uint32Array.from(fractions.keys()).sort((one, other) => fractions[one]! - fractions[other]!);
}

/**
 * Gives people their turns at a steady rate, each once in `everyS`, whether or not the server keeps up. A turn of somebody
 * who is not in is nobody's.
 */
export class TurnStream {
  readonly #turns: Turns;
  readonly #actors: readonly Actor[];
  readonly #startAtMs: number;
  readonly #random: () => number;
  readonly #mix: readonly (readonly [Act, number])[];
  readonly #order: Uint32Array;
  #taken = 0;

  constructor(turns: Turns, actors: readonly Actor[], startAtMs: number, random: () => number) {
    this.#turns = turns;
    this.#actors = actors;
    this.#startAtMs = startAtMs;
    this.#random = random;
    this.#order = evenly(actors.length);
    this.#mix = Object.entries(turns.mix) as [Act, number][];
  }

  /** When the next turn is due; infinite when there is nobody. */
  get nextAtMs(): number {
    const count = this.#actors.length;
    if (count === 0) return Number.POSITIVE_INFINITY;
    return this.#startAtMs + (this.#taken * this.#turns.everyS * 1_000) / count;
  }

  /** Gives the next turn. */
  take(): void {
    const dueAtMs = this.nextAtMs;
    const count = this.#actors.length;
    const position =
      this.#turns.pick === 'anybody' ? Math.floor(this.#random() * count) : this.#order[this.#taken % count]!;
    this.#taken += 1;
    const act = this.#mix.length === 1 ? this.#mix[0]![0] : drawFrom(this.#mix, this.#random);
    this.#actors[position]!.act(act, dueAtMs);
  }
}
