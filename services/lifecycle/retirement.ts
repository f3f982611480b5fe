import { setTimeout as pause } from 'node:timers/promises';

const lookEveryMs = 250;

export interface RetirementDependencies {
  /** Sends everybody away who is connected. */
  dismissAll: () => void;
  /** How many documents are being edited, closed, assembled, or delivered for the first time. */
  unfinished: () => Promise<number>;
  /** How long is waited for them, milliseconds. */
  waitMs: number;
}

/**
 * Takes a node out of service before it is stopped or replaced (integration API, 11.6): nobody is let in, everybody is
 * sent away, and what they did is assembled and delivered.
 */
export class Retirement {
  readonly #deps: RetirementDependencies;
  #isAnnounced = false;
  #isBegun = false;

  constructor(dependencies: RetirementDependencies) {
    this.#deps = dependencies;
  }

  /** No new work is to be sent here. */
  get isAnnounced(): boolean {
    return this.#isAnnounced || this.#isBegun;
  }

  /** Nobody is let in. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Health checks say no from now on, so that load balancers send nobody new; all else goes on. */
  announce(isAnnounced = true): void {
    this.#isAnnounced = isAnnounced;
  }

  /** Sends everybody away. Resolves with whether every document was assembled and offered to its integrator in time. */
  async begin(): Promise<boolean> {
    this.#isBegun = true;
    this.#deps.dismissAll();
    const deadline = Date.now() + this.#deps.waitMs;
    while (this.#isBegun) {
      if ((await this.#deps.unfinished()) === 0) return true;
      if (Date.now() >= deadline) return false;
      await pause(lookEveryMs);
    }
    return false;
  }

  /** People are let in again. */
  cancel(): void {
    this.#isBegun = false;
  }
}
