import type { Registry } from 'prom-client';
import type { CacheState } from '../../platform/ports/cluster.ts';

interface Value {
  value: number;
  labels: Partial<Record<string, string | number>>;
  metricName?: string;
}

/**
 * Reads metrics of this process by the names that Prometheus knows. Not for metrics that start again from zero when somebody
 * reads them.
 */
export class MetricsReader {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** The values of a metric, one for each set of labels; none if there is no such metric. */
  async values(name: string): Promise<readonly Value[]> {
    const metric = this.#registry.getSingleMetric(name);
    return metric ? (await metric.get()).values : [];
  }

  /** State of the caches. `limits`: the largest size of those that have a limit, bytes. */
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
  /** Sum of the values, in the metric's unit. */
  sum: number;
  /** An upper bound of 99 % of the values: the edge of a bucket. */
  p99: number;
}

/** Reads one histogram again and again. */
export class HistogramReader {
  readonly #metrics: MetricsReader;
  readonly #name: string;
  #before = new Map<string, number>();

  constructor(metrics: MetricsReader, name: string) {
    this.#metrics = metrics;
    this.#name = name;
  }

  /** What was counted since the last call. */
  async sinceLast(): Promise<Counted> {
    const now = new Map<string, number>();
    for (const { metricName, labels, value } of await this.#metrics.values(this.#name)) {
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
