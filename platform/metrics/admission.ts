import { Counter, Gauge, type Registry } from 'prom-client';

/** Why somebody was not let in: waited too long, was one too many in the line, left it, or came for a worker that turns people away. */
const newcomerRefusals = ['waited', 'crowded', 'left', 'busy_worker'] as const;
export type NewcomerRefusal = (typeof newcomerRefusals)[number];

/** How many are at the door at present. */
interface AtTheDoor {
  limit: number;
  underWay: number;
  waiting: number;
}

/** Who is let in, and who is not. */
export class AdmissionMetrics {
  readonly #registry: Registry;
  readonly #admitted: Counter;
  readonly #refused: Counter<'reason'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#registry = registry;
    this.#admitted = new Counter({
      name: 'quire_newcomers_admitted_total',
      help: 'Connections of newcomers that were let in to sign in.',
      registers,
    });
    this.#refused = new Counter({
      name: 'quire_newcomers_refused_total',
      help: 'Newcomers who were not let in because more came than could be, by reason: `waited` (too long for their clients), `crowded` (too many waited), `busy_worker` (came to another worker than that of the document, which turns people away), all answered 503 with `Retry-After`; `left` (went while they waited).',
      labelNames: ['reason'] as const,
      registers,
    });
    for (const reason of newcomerRefusals) this.#refused.inc({ reason }, 0);
  }

  admitted(): void {
    this.#admitted.inc();
  }

  refused(reason: NewcomerRefusal): void {
    this.#refused.inc({ reason });
  }

  watch(now: () => AtTheDoor): void {
    const gauges = [
      [
        'quire_admission_limit',
        'Newcomers who may be on their way in at once; it follows from what signing in takes.',
        'limit',
      ],
      [
        'quire_newcomers_under_way',
        'Newcomers who were let in and have not signed in yet, for two seconds at most.',
        'underWay',
      ],
      ['quire_newcomers_waiting', 'Newcomers who wait to be let in.', 'waiting'],
    ] as const;
    for (const [name, help, value] of gauges) {
      new Gauge({
        ...{ name, help, registers: [this.#registry] },
        collect() {
          this.set(now()[value]);
        },
      });
    }
  }
}
