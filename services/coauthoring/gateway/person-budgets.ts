import { Budget } from '../../../platform/budget.ts';

/**
 * Larger messages are paid for by their person, characters. Typing, drawing and single pictures stay far below; the pieces into
 * which reading and storing a smaller one falls block the event loop for a millisecond or two.
 */
export const paidCharacters = 65_536;
/**
 * What a person may send in large messages at once, and in each second, characters: three pastes of 10 MB in a row, and one every ten
 * seconds after them. A connection's own budget of work takes about two thirds of that, so one person on one connection never waits
 * here. At this rate large messages take a few hundredths of a core, where without it one person took most of it.
 */
const mostCharacters = 32_000_000;
const charactersPerSecond = 1_000_000;
/** What would wait for longer is not kept: with what is sent at once, one person so takes 92 MB at most. */
const longestWaitMs = 60_000;
/** So many people are kept at most; each takes some 200 bytes. */
const mostPeople = 50_000;
/** So many may be there before it is looked who has paid. */
const fewPeople = 1_000;

/**
 * What people have sent in large messages, by whatever connections and in whatever documents. Who has paid for all is forgotten,
 * and where very many have not, those who came first.
 */
export class PersonBudgets {
  readonly #owing = new Map<string, Budget>();
  #lookAt = fewPeople;

  /** How many people are kept. */
  get size(): number {
    return this.#owing.size;
  }

  /**
   * Pays for a large message of a person. Returns how long it has to wait, milliseconds: until what came before it is paid for. Those
   * of one person so pass in the order in which they asked. Null where too much waits already; then nothing is paid.
   */
  pay(person: string, characters: number, nowMs: number): number | null {
    const budget = this.#owing.get(person) ?? this.#begin(person, nowMs);
    const waitMs = budget.waitMs(nowMs);
    if (waitMs > longestWaitMs) return null;
    budget.spend(characters, nowMs);
    return waitMs;
  }

  #begin(person: string, nowMs: number): Budget {
    if (this.#owing.size >= this.#lookAt) this.#forget(nowMs);
    const budget = new Budget(charactersPerSecond, mostCharacters, nowMs);
    this.#owing.set(person, budget);
    return budget;
  }

  #forget(nowMs: number): void {
    for (const [person, budget] of this.#owing) {
      if (budget.credit(nowMs) >= mostCharacters) this.#owing.delete(person);
    }
    for (const person of this.#owing.keys()) {
      if (this.#owing.size <= mostPeople / 2) break;
      this.#owing.delete(person);
    }
    this.#lookAt = Math.max(fewPeople, 2 * this.#owing.size);
  }
}
