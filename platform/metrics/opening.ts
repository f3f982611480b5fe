import { Counter, Histogram, type Registry } from 'prom-client';
import { recordMs, timeBuckets } from './units.ts';

/** How an opening ended: `asks` for a password or an encoding, `failed` with another error. */
export type OpeningOutcome = 'opened' | 'asks' | 'failed';

/** Coming in: sign-ins that were refused, and files that were made ready for editors. */
export class OpeningMetrics {
  readonly #duration: Histogram<'outcome' | 'document'>;
  readonly #refusedSignIns: Counter<'code'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#duration = new Histogram({
      name: 'quire_opening_seconds',
      help: 'From the wish to open a document to its files, by outcome (`opened`, `asks`, `failed`) and by whether the document is `new` here (fetched and converted) or `known`.',
      labelNames: ['outcome', 'document'] as const,
      buckets: timeBuckets,
      registers,
    });
    this.#refusedSignIns = new Counter({
      name: 'quire_sign_ins_refused_total',
      help: 'Connections that were refused when they signed in, by the code they were refused with.',
      labelNames: ['code'] as const,
      registers,
    });
  }

  ended(outcome: OpeningOutcome, document: 'new' | 'known', elapsedMs: number): void {
    recordMs(this.#duration, elapsedMs, { outcome, document });
  }

  refusedSignIn(code: number): void {
    this.#refusedSignIns.inc({ code: String(code) });
  }
}
