import { Counter, Histogram, type Registry } from 'prom-client';
import { recordMs, timeBuckets } from './units.ts';

/** What became of an attempt to deliver something. */
export type DeliveryOutcome = 'accepted' | 'retried' | 'given_up';

/** Callbacks to integrators, and the outbox that they come from. */
export class DeliveryMetrics {
  readonly #callbacks: Histogram<'accepted' | 'status'>;
  readonly #attempts: Counter<'status' | 'to' | 'outcome'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#callbacks = new Histogram({
      name: 'quire_callback_duration_seconds',
      help: 'Callbacks to integrators, by status and by whether they were accepted.',
      labelNames: ['accepted', 'status'] as const,
      buckets: timeBuckets,
      registers,
    });
    this.#attempts = new Counter({
      name: 'quire_deliveries_total',
      help: 'Attempts to deliver what is in the outbox, by status, receiver (`integrator`, `wopi_host`) and outcome: `accepted`, `retried` (later), `given_up` (the document is forgotten, or a forced save dropped).',
      labelNames: ['status', 'to', 'outcome'] as const,
      registers,
    });
  }

  answered(status: number, accepted: boolean, elapsedMs: number): void {
    recordMs(this.#callbacks, elapsedMs, { accepted: String(accepted), status: String(status) });
  }

  attempted(status: number, to: 'integrator' | 'wopi_host', outcome: DeliveryOutcome): void {
    this.#attempts.inc({ status: String(status), to, outcome });
  }
}
