import { Counter, type Registry } from 'prom-client';
import { type Environment, restartsVariable } from '../config.ts';

const kinds = ['server', 'worker', 'converter'] as const;

/** Processes of one server that died and were started again. */
export class RestartMetrics {
  readonly #restarts: Counter<'kind'>;

  /** `environment`: in which a supervisor says how often it has started this server again. */
  constructor(registry: Registry, environment: Environment) {
    this.#restarts = new Counter({
      name: 'quire_restarts_total',
      help: 'Processes that ended and were started again, by kind: `server` (by its supervisor; kept over its restarts), `worker` (`WORKERS`), `converter` (those that `quire serve` starts).',
      labelNames: ['kind'] as const,
      registers: [registry],
    });
    for (const kind of kinds) this.#restarts.inc({ kind }, 0);
    this.#restarts.inc({ kind: 'server' }, Number(environment[restartsVariable] ?? 0));
  }

  restarted(kind: Exclude<(typeof kinds)[number], 'server'>): void {
    this.#restarts.inc({ kind });
  }
}
