import type { SeriesInfo, SeriesValue } from '../result.ts';
import {
  type Buckets,
  type Labels,
  type MetricsPage,
  quantileOf,
  sumOf,
  type Wanted,
} from './metrics-page.ts';

/** The pages of all nodes at one moment, by their address. */
export type MetricsPages = ReadonlyMap<string, MetricsPage>;

/** Two moments, the time between them in seconds, and what metrics say of it. Null: not known. */
class Stretch {
  readonly #before: MetricsPages;
  readonly #now: MetricsPages;
  readonly #elapsedS: number;

  constructor(before: MetricsPages, now: MetricsPages, elapsedS: number) {
    this.#before = before;
    this.#now = now;
    this.#elapsedS = elapsedS;
  }

  /** A gauge of each process, added up. */
  sum(name: string, wanted?: Wanted): number | null {
    return sumOf(known([...this.#now.values()].map((page) => page.sum(name, wanted))));
  }

  /** The process that has most of a gauge. */
  most(name: string, wanted?: Wanted): number | null {
    const values = known([...this.#now.values()].map((page) => page.most(name, wanted)));
    return values.length === 0 ? null : Math.max(...values);
  }

  /** A gauge that every node has of all nodes. */
  ofAllNodes(name: string, wanted?: Wanted): number | null {
    const values = known([...this.#now.values()].map((page) => page.sumOfOneWorker(name, wanted)));
    return values.length === 0 ? null : Math.max(...values);
  }

  /** By how much a counter rose; a node that began anew meanwhile does not count. */
  rise(name: string, wanted?: Wanted): number | null {
    const rises: number[] = [];
    for (const [address, page] of this.#now) {
      const [before, now] = [this.#before.get(address)?.sum(name, wanted) ?? null, page.sum(name, wanted)];
      if (before !== null && now !== null && now >= before) rises.push(now - before);
    }
    return sumOf(rises);
  }

  perS(name: string, wanted?: Wanted): number | null {
    return scaled(this.rise(name, wanted), 1 / this.#elapsedS);
  }

  /** Mean of what a histogram counted meanwhile. */
  mean(name: string): number | null {
    const [sum, count] = [this.rise(`${name}_sum`), this.rise(`${name}_count`)];
    return sum === null || count === null || count === 0 ? null : sum / count;
  }

  /** The value that this share of what a histogram counted meanwhile did not exceed. */
  quantile(name: string, share: number, wanted?: Wanted): number | null {
    return quantileOf(this.#counted(name, wanted), share);
  }

  /** Hits among all questions to a cache, percent. */
  hitPercent(cache: string): number | null {
    const ofCache: Wanted = (labels) => labels.cache === cache;
    const hits = this.rise('quire_cache_hits_total', ofCache);
    const misses = this.rise('quire_cache_misses_total', ofCache);
    const asked = (hits ?? 0) + (misses ?? 0);
    return hits === null || asked === 0 ? null : (100 * hits) / asked;
  }

  /** The values that a label of a metric has now, in order. */
  labelValues(name: string, label: string): string[] {
    const values = [...this.#now.values()].flatMap((page) =>
      page.values(name).map(({ labels }) => labels[label] ?? ''),
    );
    return [...new Set(values)].sort();
  }

  #counted(name: string, wanted?: Wanted): Buckets {
    const counts = new Map<number, number>();
    for (const [address, page] of this.#now) {
      const before = new Map(this.#before.get(address)?.buckets(name, wanted));
      for (const [edge, count] of page.buckets(name, wanted)) {
        const rise = Math.max(0, count - (before.get(edge) ?? 0));
        counts.set(edge, (counts.get(edge) ?? 0) + rise);
      }
    }
    return [...counts].sort(([a], [b]) => a - b);
  }
}

const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

const scaled = (value: number | null, by: number): number | null => (value === null ? null : value * by);

/** A line of a chart and how it is read. */
type Line = readonly [name: string, title: string, read: (stretch: Stretch) => number | null];

interface Chart {
  group: string;
  unit: string;
  /** They may depend on which labels there are. */
  lines: (stretch: Stretch) => readonly Line[];
}

const is =
  (label: string, ...values: readonly string[]): Wanted =>
  (labels: Labels) =>
    values.includes(labels[label] ?? '');
const bytesPerMb = 1e6;
const msPerS = 1_000;

/** All that is read of the metrics. A metric that the target does not have leaves its line out. */
const charts: readonly Chart[] = [
  {
    ...{ group: 'Connections at the target', unit: '' },
    lines: () => [
      ['target.connections', 'Connections', (now) => now.sum('quire_connections')],
      [
        'target.sessions',
        'Editors and viewers',
        (now) => now.sum('quire_sessions', ({ kind }) => kind !== 'closed'),
      ],
      ['target.unauthenticated', 'Not signed in', (now) => now.sum('quire_unauthenticated_connections')],
    ],
  },
  {
    ...{ group: 'Messages at the target', unit: '1/s' },
    lines: () => [
      ['target.messages', 'Received', (now) => now.perS('quire_messages_total')],
      ['target.saves', 'Saves acknowledged', (now) => now.perS('quire_save_acknowledgement_seconds_count')],
      ['target.openings', 'Documents opened', (now) => now.perS('quire_opening_seconds_count')],
      ['target.fan-out', 'Changes passed on', (now) => now.perS('quire_fan_out_recipients_sum')],
    ],
  },
  {
    ...{ group: 'Traffic of the target', unit: 'MB/s' },
    lines: () => [
      [
        'target.received-bytes',
        'Received',
        (now) => scaled(now.perS('quire_received_bytes_total'), 1 / bytesPerMb),
      ],
      ['target.sent-bytes', 'Sent', (now) => scaled(now.perS('quire_sent_bytes_total'), 1 / bytesPerMb)],
    ],
  },
  {
    ...{ group: 'A save at the target', unit: 'ms' },
    lines: () => [
      ...([0.5, 0.99] as const).map(
        (share): Line => [
          `target.acknowledgement.p${share * 100}`,
          `Acknowledged, p${share * 100}`,
          (now) => scaled(now.quantile('quire_save_acknowledgement_seconds', share), msPerS),
        ],
      ),
      [
        'target.commit.p99',
        'Committed, p99',
        (now) => scaled(now.quantile('quire_change_commit_duration_seconds', 0.99), msPerS),
      ],
      [
        'target.lock-wait.p99',
        'Wait for the save lock, p99',
        (now) => scaled(now.quantile('quire_save_lock_wait_seconds', 0.99), msPerS),
      ],
    ],
  },
  {
    ...{ group: 'Saves in one transaction', unit: '' },
    lines: () => [['target.commit-batches', 'Mean', (now) => now.mean('quire_change_commit_batches')]],
  },
  {
    ...{ group: 'Delay of the event loop', unit: 'ms' },
    lines: () => [
      ...(['p99', 'max'] as const).map(
        (which): Line => [
          `target.loop-delay.${which}`,
          which === 'p99' ? 'Service, p99' : 'Service, longest',
          (now) => scaled(now.most(`quire_nodejs_eventloop_lag_${which}_seconds`), msPerS),
        ],
      ),
      [
        'target.converter.loop-delay.max',
        'Converter, longest',
        (now) => scaled(now.most('quire_converter_nodejs_eventloop_lag_max_seconds'), msPerS),
      ],
    ],
  },
  {
    ...{ group: 'Time in which the event loop was busy', unit: '%' },
    lines: () => [
      [
        'target.loop-busy',
        'Service, the busiest',
        (now) => scaled(now.most('quire_nodejs_eventloop_utilization_ratio'), 100),
      ],
    ],
  },
  {
    ...{ group: 'Garbage collection: time in each second', unit: 'ms/s' },
    lines: () => [
      ['target.gc.major', 'Major', (now) => collectionMsPerS(now, 'major')],
      ['target.gc.minor', 'Minor', (now) => collectionMsPerS(now, 'minor')],
      ['target.gc.incremental', 'Incremental', (now) => collectionMsPerS(now, 'incremental')],
    ],
  },
  {
    ...{ group: 'Garbage collection: the longest pause', unit: 'ms' },
    lines: () => [['target.gc.max', 'Service', longestPauseMs]],
  },
  {
    ...{ group: 'Heap of the service', unit: 'MB' },
    lines: () => [
      ['target.heap.used', 'Used', (now) => megabytes(now.sum('quire_nodejs_heap_size_used_bytes'))],
      [
        'target.heap.live',
        'Left by the last whole collection',
        (now) => megabytes(now.sum('quire_nodejs_heap_live_bytes')),
      ],
      ['target.heap.total', 'Reserved', (now) => megabytes(now.sum('quire_nodejs_heap_size_total_bytes'))],
      ['target.heap.external', 'Buffers', (now) => megabytes(now.sum('quire_nodejs_external_memory_bytes'))],
    ],
  },
  {
    ...{ group: 'Jobs and callbacks', unit: '' },
    lines: () => [
      [
        'target.jobs.waiting',
        'Jobs that wait',
        (now) => now.ofAllNodes('quire_jobs', is('state', 'waiting')),
      ],
      ['target.jobs.active', 'Jobs under way', (now) => now.ofAllNodes('quire_jobs', is('state', 'active'))],
      [
        'target.jobs.delayed',
        'Jobs to be tried again',
        (now) => now.ofAllNodes('quire_jobs', is('state', 'delayed')),
      ],
      ['target.outbox', 'Callbacks not yet accepted', (now) => now.ofAllNodes('quire_outbox_callbacks')],
    ],
  },
  {
    ...{ group: 'The oldest that waits', unit: 's' },
    lines: () => [
      ['target.oldest-job', 'Job', (now) => now.most('quire_oldest_job_seconds')],
      ['target.oldest-callback', 'Callback', (now) => now.most('quire_outbox_oldest_seconds')],
    ],
  },
  {
    ...{ group: 'Documents assembled and delivered', unit: '1/s' },
    lines: () => [
      [
        'target.delivered',
        'Accepted',
        (now) => now.perS('quire_deliveries_total', is('outcome', 'accepted')),
      ],
      [
        'target.delivery-retried',
        'To be tried again',
        (now) => now.perS('quire_deliveries_total', is('outcome', 'retried')),
      ],
    ],
  },
  {
    ...{ group: 'Connections to PostgreSQL', unit: '' },
    lines: () => [
      ['target.database.used', 'In use', (now) => now.sum('quire_database_connections', is('state', 'used'))],
      ['target.database.idle', 'Idle', (now) => now.sum('quire_database_connections', is('state', 'idle'))],
      ['target.database.waiting', 'Queries that wait for one', (now) => now.sum('quire_database_waiting')],
    ],
  },
  {
    ...{ group: 'Commands to Redis', unit: '1/s' },
    lines: () => [
      ['target.redis', 'Commands', (now) => now.perS('quire_redis_command_duration_seconds_count')],
    ],
  },
  {
    ...{ group: 'Time of a command to Redis', unit: 'ms' },
    lines: () => [
      [
        'target.redis.p99',
        'p99',
        (now) => scaled(now.quantile('quire_redis_command_duration_seconds', 0.99), msPerS),
      ],
    ],
  },
  {
    ...{ group: 'Found in caches', unit: '%' },
    lines: (stretch) =>
      stretch
        .labelValues('quire_cache_hits_total', 'cache')
        .map((cache) => [`target.cache.${cache}`, cache, (now) => now.hitPercent(cache)]),
  },
  {
    ...{ group: 'Size of caches', unit: 'MB' },
    lines: (stretch) =>
      stretch
        .labelValues('quire_cache_bytes', 'cache')
        .map((cache) => [
          `target.cache-size.${cache}`,
          cache,
          (now) => megabytes(now.sum('quire_cache_bytes', is('cache', cache))),
        ]),
  },
  {
    ...{ group: 'Entries of caches', unit: '' },
    lines: (stretch) =>
      stretch
        .labelValues('quire_cache_entries', 'cache')
        .map((cache) => [
          `target.cache-entries.${cache}`,
          cache,
          (now) => now.sum('quire_cache_entries', is('cache', cache)),
        ]),
  },
  {
    ...{ group: 'Documents in the database', unit: '' },
    lines: (stretch) =>
      stretch
        .labelValues('quire_stored_documents', 'state')
        .map((state) => [
          `target.documents.${state}`,
          state,
          (now) => now.ofAllNodes('quire_stored_documents', is('state', state)),
        ]),
  },
  {
    ...{ group: 'Refused or ended by the target', unit: '1/s' },
    lines: () => [
      ['target.refused.sign-ins', 'Sign-ins', (now) => now.perS('quire_sign_ins_refused_total')],
      ['target.refused.saves', 'Saves', (now) => now.perS('quire_saves_refused_total')],
      ['target.ended.slow', 'Slow peers', (now) => now.perS('quire_slow_peers_closed_total')],
      ['target.ended.greedy', 'Greedy peers', (now) => now.perS('quire_greedy_peers_closed_total')],
    ],
  },
];

const megabytes = (bytes: number | null): number | null => scaled(bytes, 1 / bytesPerMb);

const collectionMsPerS = (now: Stretch, kind: string): number | null =>
  scaled(now.perS('quire_nodejs_gc_duration_seconds_sum', is('kind', kind)), msPerS);

/**
 * What the service says, else the edge of the histogram below which all collections were, which is an upper bound: earlier versions
 * do not say it. Zero when there were none.
 */
function longestPauseMs(now: Stretch): number | null {
  const longest = now.most('quire_nodejs_gc_longest_seconds');
  if (longest !== null) return longest * msPerS;
  const collections = now.rise('quire_nodejs_gc_duration_seconds_count');
  if (collections === 0) return 0;
  return scaled(now.quantile('quire_nodejs_gc_duration_seconds', 1), msPerS);
}

/** What the metrics say of the time between two moments. Lines of which nothing is known are left out. */
export function targetSeries(before: MetricsPages, now: MetricsPages, elapsedS: number): SeriesValue[] {
  const stretch = new Stretch(before, now, elapsedS);
  return charts.flatMap(({ group, unit, lines }) =>
    lines(stretch).flatMap(([name, title, read]) => {
      const value = read(stretch);
      const info: SeriesInfo = { name, title, unit, group };
      return value === null ? [] : [{ ...info, value }];
    }),
  );
}
