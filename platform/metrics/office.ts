import { Counter, Gauge, type Registry } from 'prom-client';

/** What is asked of a pool of LibreOffice when somebody looks. */
interface WatchedPool {
  readonly processes: number;
  readonly waiting: number;
}

/** The processes of LibreOffice of a converter process. */
export class OfficeMetrics {
  readonly #ended: Counter<'reason'>;
  readonly #recycled: Counter;

  constructor(registry: Registry, pool: () => WatchedPool | null) {
    const registers = [registry];
    this.#ended = new Counter({
      name: 'quire_converter_libreoffice_ends_total',
      help: 'Processes of LibreOffice that ended and were not meant to, by reason: `time`, `memory`, `size` (a limit), `hung` (no answer), `crashed`, `killed` (by somebody else), `failed` (did not start).',
      labelNames: ['reason'] as const,
      registers,
    });
    this.#recycled = new Counter({
      name: 'quire_converter_libreoffice_recycled_total',
      help: 'Processes of LibreOffice that were replaced after many conversions, or because they kept much memory.',
      registers,
    });
    new Gauge({
      name: 'quire_converter_libreoffice_processes',
      help: 'Processes of LibreOffice that there are.',
      registers,
      collect() {
        this.set(pool()?.processes ?? 0);
      },
    });
    new Gauge({
      name: 'quire_converter_libreoffice_waiting',
      help: 'Conversions that wait for a process of LibreOffice.',
      registers,
      collect() {
        this.set(pool()?.waiting ?? 0);
      },
    });
  }

  ended(reason: string): void {
    this.#ended.inc({ reason });
  }

  recycled(): void {
    this.#recycled.inc();
  }
}
