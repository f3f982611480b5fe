import { Budget } from '../../../platform/budget.ts';

/**
 * What the changes of one person may be, for everybody else in the document to follow them without noticing: every page applies each
 * of them, and so does whoever comes later. So much work (`workOfChange`) in each second, and so much at once.
 */
const workPerSecond = 2_000;
const workAtOnce = 20_000;
/** Saves of less work cannot come so often that they count. */
const littleWork = 10;
/** So many people may be known before it is looked who owes nothing. */
const fewPeople = 100;

/** How much people have saved in one document of late, by whatever sessions of this node. */
export class SavePace {
  readonly #people = new Map<string, Budget>();

  /** A person has saved what is so much work for the others. */
  saved(person: string, work: number, nowMs: number): void {
    if (work < littleWork) return;
    let budget = this.#people.get(person);
    if (!budget) {
      if (this.#people.size >= fewPeople) this.#forget(nowMs);
      budget = new Budget(workPerSecond, workAtOnce, nowMs);
      this.#people.set(person, budget);
    }
    budget.spend(work, nowMs);
  }

  /** Until the others have followed what a person has saved, milliseconds; 0 when they have. */
  waitMs(person: string, nowMs: number): number {
    return this.#people.get(person)?.waitMs(nowMs) ?? 0;
  }

  #forget(nowMs: number): void {
    for (const [person, budget] of this.#people)
      if (budget.credit(nowMs) >= workAtOnce) this.#people.delete(person);
  }
}
