import type { Logger } from 'pino';
import { Budget } from '../../platform/budget.ts';

/** So many lines a minute: a configuration that is wrong is wrong for all its people, and they try again. */
const linesPerMinute = 60;

/** Writes why tokens of integrators were refused. What is too much is not written, and the next line says how many that were. */
export class RefusalLog {
  readonly #log: Pick<Logger, 'warn'>;
  readonly #budget = new Budget(linesPerMinute / 60, linesPerMinute, performance.now());
  #dropped = 0;

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log;
  }

  write(refusal: { code: number; reason: string; documentKey?: string }): void {
    const nowMs = performance.now();
    if (this.#budget.credit(nowMs) < 1) {
      this.#dropped += 1;
      return;
    }
    this.#budget.spend(1, nowMs);
    const dropped = this.#dropped > 0 ? { dropped: this.#dropped } : {};
    this.#dropped = 0;
    this.#log.warn(
      { ...refusal, ...dropped },
      'The token of an integrator was refused: nobody gets in with it',
    );
  }
}
