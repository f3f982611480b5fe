import type { Registry } from 'prom-client';
import type { CacheState } from '../../platform/ports/cluster.ts';

interface Value {
  value: number;
  labels: Partial<Record<string, string | number>>;
  metricName?: string;
}

/**
 * Figures of the process by the names under which Prometheus gets them. Only those may be asked for here that do not
 * begin anew when they are read.
 */
export class Figures {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** The values of a figure; none where it is not counted. */
  async values(name: string): Promise<readonly Value[]> {
    const metric = this.#registry.getSingleMetric(name);
    return metric ? (await metric.get()).values : [];
  }

  /** What is known of caches. `limits`: most that those may take which have a limit, bytes. */
  async caches(limits: Readonly<Record<string, number>>): Promise<CacheState[]> {
    const [hits, misses, bytes] = await Promise.all([
      this.#byCache('quire_cache_hits_total'),
      this.#byCache('quire_cache_misses_total'),
      this.#byCache('quire_cache_bytes'),
    ]);
    return [...new Set([...hits.keys(), ...bytes.keys()])].map((name) => {
      const asked = (hits.get(name) ?? 0) + (misses.get(name) ?? 0);
      return {
        name,
        heldBytes: bytes.get(name) ?? null,
        limitBytes: limits[name] ?? null,
        hitRate: asked === 0 ? null : (hits.get(name) ?? 0) / asked,
      };
    });
  }

  async #byCache(name: string): Promise<Map<string, number>> {
    return new Map((await this.values(name)).map(({ labels, value }) => [String(labels.cache), value]));
  }
}

interface Counted {
  count: number;
  /** Sum of the values, in the figure's unit. */
  sum: number;
  /** An upper bound of 99 % of the values: the edge of a bucket. */
  p99: number;
}

/** A histogram of the process, read again and again. */
export class Histogram {
  readonly #figures: Figures;
  readonly #name: string;
  #before = new Map<string, number>();

  constructor(figures: Figures, name: string) {
    this.#figures = figures;
    this.#name = name;
  }

  /** What was counted since this was asked last. */
  async sinceLast(): Promise<Counted> {
    const now = new Map<string, number>();
    for (const { metricName, labels, value } of await this.#figures.values(this.#name)) {
      const name = `${metricName?.slice(this.#name.length)} ${labels.le ?? ''}`.trim();
      now.set(name, (now.get(name) ?? 0) + value);
    }
    const rise = (name: string) => (now.get(name) ?? 0) - (this.#before.get(name) ?? 0);
    const edges = [...now.keys()]
      .filter((name) => name.startsWith('_bucket '))
      .map((name) => [Number(name.slice('_bucket '.length).replace('+Inf', 'Infinity')), rise(name)] as const)
      .sort(([a], [b]) => a - b);
    const count = rise('_count');
    const sum = rise('_sum');
    this.#before = now;
    const [edge = Number.POSITIVE_INFINITY] = edges.find(([, below]) => below >= 0.99 * count) ?? [];
    const highest = edges.findLast(([bound]) => Number.isFinite(bound))?.[0] ?? 0;
    return { count, sum, p99: Number.isFinite(edge) ? edge : highest };
  }
}
