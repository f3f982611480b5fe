import { AggregatorRegistry, type Registry } from 'prom-client';

/** The metrics of one process, as it sends them to another. */
export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** What only grows. Gauges of a process end with it. */
const growing = new Set(['counter', 'histogram', 'summary']);

/**
 * The metrics of processes of one kind, added up. What counts up never falls: a process that has ended stays in the sum
 * with what it said last, and so does one that is too busy to answer now.
 */
export class SummedMetrics<Process> {
  readonly #living: () => readonly Process[];
  readonly #ask: (process: Process) => Promise<ProcessMetrics | null>;
  readonly #last = new Map<Process, ProcessMetrics>();
  /** The sum of those that have ended. */
  #ended: ProcessMetrics = [];
  #asking: Promise<Registry | null> | null = null;

  /** `ask`: resolves with null where a process is too busy to answer, or gone. */
  constructor(living: () => readonly Process[], ask: (process: Process) => Promise<ProcessMetrics | null>) {
    this.#living = living;
    this.#ask = ask;
  }

  /** As Prometheus reads them; empty as long as none has answered. */
  async page(): Promise<string> {
    this.#asking ??= this.#sum().finally(() => {
      this.#asking = null;
    });
    return (await this.#asking)?.metrics() ?? '';
  }

  async #sum(): Promise<Registry | null> {
    const living = this.#living();
    for (const [process, last] of [...this.#last]) {
      if (living.includes(process)) continue;
      this.#last.delete(process);
      const grown = last.filter(({ type }) => growing.has(String(type)));
      this.#ended = await AggregatorRegistry.aggregate([this.#ended, grown]).getMetricsAsJSON();
    }
    await Promise.all(
      living.map(async (process) => {
        const answered = await this.#ask(process);
        if (answered) this.#last.set(process, answered);
      }),
    );
    const known = [...this.#last.values(), this.#ended].filter(({ length }) => length > 0);
    return known.length === 0 ? null : AggregatorRegistry.aggregate(known);
  }
}
