import { pauseAfter } from './backoff.ts';
import type { Recorders } from './recorders.ts';
import type { Act } from './scenario.ts';
import { type Failure, isBusy, Visit } from './visit.ts';
import type { World } from './world.ts';

/** Between leaving a document and coming again, milliseconds. */
const pauseMs = 1_000;

const nothing = (): void => undefined;

/**
 * Somebody who comes to documents when due, acts when told to, and comes again when refused or when the connection is lost, as
 * editors do.
 */
export class Person {
  readonly #world: World;
  readonly #recorders: Recorders;
  #document: string;
  #number: number;
  /** Whether this person is to be in a document. */
  #isWanted = false;
  #visit: Visit | null = null;
  /** Until when this person stays away. */
  #pause: NodeJS.Timeout | undefined;
  /** How often in a row it went wrong. */
  #failures = 0;
  /** When this person was to be in, for those who are still on their way. */
  #dueAtMs = 0;

  /** Called with each attempt to come in. */
  onAttempt: () => void = nothing;
  /** Called when this person is in. */
  onIn: () => void = nothing;
  /** Called when this person has no patience any more. */
  onGivenUp: () => void = nothing;

  /** @param document the document's name in the run @param number its number, which says what it begins with */
  constructor(world: World, recorders: Recorders, document: string, number: number) {
    this.#world = world;
    this.#recorders = recorders;
    this.#document = document;
    this.#number = number;
  }

  get isIn(): boolean {
    return this.#visit?.isIn ?? false;
  }

  /** Comes in. Never rejects: what goes wrong is told, and tried again, until there is no patience any more. */
  async arrive(dueAtMs: number): Promise<void> {
    this.#isWanted = true;
    if (this.#visit) return;
    clearTimeout(this.#pause);
    this.#dueAtMs = dueAtMs;
    const visit = new Visit(this.#world, this.#recorders, this.#document, this.#number);
    this.#visit = visit;
    visit.onFailure = (failure) => this.#failed(failure);
    this.onAttempt();
    if (!(await visit.open(dueAtMs))) return;
    this.#failures = 0;
    this.onIn();
  }

  /** Leaves for good, as a closed tab does, also on the way in. */
  leave(): void {
    this.#isWanted = false;
    this.#failures = 0;
    clearTimeout(this.#pause);
    this.#endVisit();
  }

  /** Takes a turn. One that comes to somebody who is not in is nobody's. */
  act(act: Act, dueAtMs: number): void {
    if (!this.#visit?.isIn) return;
    const { meters } = this.#world;
    switch (act) {
      case 'save':
        this.#visit.save(dueAtMs);
        break;
      case 'chat':
        this.#visit.chat(dueAtMs);
        break;
      case 'cursor':
        this.#visit.moveCursor(dueAtMs);
        break;
      case 'return':
        meters.count('returns');
        this.#comeAgain();
        break;
      case 'move':
        meters.count('moves');
        ({ document: this.#document, number: this.#number } = this.#world.otherDocument());
        this.#comeAgain();
        break;
      case 'close':
        meters.count('closes');
        this.#comeAgain();
        break;
      case 'silence':
        void this.#beSilent(this.#visit);
        break;
      default:
        throw new TypeError(`Nobody knows how to ${act satisfies never}`);
    }
  }

  /** Gives up where an answer has not come in the time that editors wait. */
  watch(nowMs: number): void {
    this.#visit?.watch(nowMs);
  }

  #endVisit(): void {
    this.#visit?.end();
    this.#visit = null;
  }

  #comeAgain(): void {
    this.#endVisit();
    this.#comeAfter(pauseMs);
  }

  async #beSilent(visit: Visit): Promise<void> {
    if (!(await visit.beSilent())) return;
    this.#endVisit();
    void this.arrive(performance.now());
  }

  /** A refusal is no problem; where nobody refuses, somebody would have noticed. */
  #failed({ kind, error }: Failure): void {
    this.#visit = null;
    const { meters, attempts, random } = this.#world;
    if (isBusy(error)) meters.count('refused');
    else this.#world.problem(kind, error.message);
    if (kind !== 'open') meters.count('lost');
    this.#failures += 1;
    if (this.#failures >= attempts) {
      this.#giveUp();
      return;
    }
    const dueAtMs = kind === 'open' ? this.#dueAtMs : undefined;
    this.#comeAfter(pauseAfter(this.#failures, isBusy(error) ? error.retryAfterMs : 0, random), dueAtMs);
  }

  #giveUp(): void {
    this.#world.meters.count('givenUp');
    this.#failures = 0;
    this.#isWanted = false;
    this.onGivenUp();
  }

  /** @param dueAtMs when somebody was to be in who tries again */
  #comeAfter(ms: number, dueAtMs?: number): void {
    if (!this.#isWanted) return;
    this.#pause = setTimeout(() => {
      if (dueAtMs !== undefined) this.#world.meters.count('retried');
      void this.arrive(dueAtMs ?? performance.now());
    }, ms);
  }
}
