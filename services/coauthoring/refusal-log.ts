import type { Logger } from 'pino';
import { LineBudget } from '../../platform/line-budget.ts';

/** So many lines a minute: a configuration that is wrong is wrong for all its people, and they try again. */
const linesPerMinute = 60;

/** Writes why tokens of integrators were refused. What is too much is not written, and the next line says how many that were. */
export class RefusalLog {
  readonly #log: Pick<Logger, 'warn'>;
  readonly #lines = new LineBudget(linesPerMinute);

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log;
  }

  write(refusal: { code: number; reason: string; documentKey?: string }): void {
    const left = this.#lines.take();
    if (left === null) return;
    this.#log.warn({ ...refusal, ...left }, 'The token of an integrator was refused: nobody gets in with it');
  }
}
