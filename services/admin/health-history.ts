import type { JobPace } from '../../jobs/job-pace.ts';
import type { PartHealth } from '../../platform/part-health.ts';
import {
  type HealthSample,
  type HistoryMoment,
  type NodeHistory,
  nodeNameOf,
} from '../../platform/ports/cluster.ts';
import type { HealthSamples } from './health-samples.ts';
import type { MetricsReader } from './metrics-reader.ts';

/** Time between two moments, milliseconds. */
const everyMs = 15_000;
/** Two hours. */
const kept = 480;

interface HealthHistoryDependencies {
  nodeId: string;
  samples: Pick<HealthSamples, 'since'>;
  metrics: Pick<MetricsReader, 'values'>;
  health: Pick<PartHealth, 'known'>;
  pace: Pick<JobPace, 'sinceLast'>;
}

/**
 * Remembers how the process was over the last two hours, about 75 KB, so that an operator sees when something began without
 * another program that collects. It is gone with the process.
 */
export class HealthHistory {
  readonly #deps: HealthHistoryDependencies;
  readonly #moments: (HistoryMoment & { atMs: number })[] = [];
  #lastMs = 0;
  #cacheBefore = { hits: 0, misses: 0 };
  #timer: NodeJS.Timeout | null = null;

  constructor(dependencies: HealthHistoryDependencies) {
    this.#deps = dependencies;
  }

  start(onError: (error: unknown) => void): void {
    this.#lastMs = Date.now();
    this.#timer = setInterval(() => {
      this.look().catch(onError);
    }, everyMs);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Remembers this moment. */
  async look(): Promise<void> {
    const { samples, health, pace } = this.#deps;
    const nowMs = Date.now();
    const minutes = Math.max(1, nowMs - this.#lastMs) / 60_000;
    const seen = samples.since(this.#lastMs);
    this.#lastMs = nowMs;
    const jobs = pace.sinceLast();
    const [sessions, waiting, active, delayed, unsavedS] = await Promise.all([
      this.#sum('quire_sessions', ({ kind }) => kind !== 'closed'),
      ...(['waiting', 'active', 'delayed'] as const).map((wanted) =>
        this.#sum('quire_jobs', ({ state }) => state === wanted),
      ),
      this.#most('quire_oldest_unsaved_change_seconds'),
    ]);
    const cacheHitPercent = await this.#cacheHits();
    this.#moments.push({
      atMs: nowMs,
      cacheHitPercent,
      sessions: sessions ?? 0,
      ...{ jobsWaiting: waiting!, jobsActive: active!, jobsDelayed: delayed!, unsavedS: unsavedS! },
      ...ofSamples(seen),
      partsDown: health.known().filter(({ isUp }) => isUp === false).length,
      jobsDonePerMin: rounded(jobs.done / minutes),
      jobsFailedPerMin: rounded(jobs.failed / minutes),
      jobMeanMs: jobs.meanMs === null ? null : rounded(jobs.meanMs),
    });
    if (this.#moments.length > kept) this.#moments.shift();
  }

  /** Moments after a time, milliseconds since 1970. */
  since(timeMs: number): NodeHistory {
    const wanted = this.#moments.filter(({ atMs }) => atMs > timeMs);
    const column = <Name extends keyof HistoryMoment>(name: Name) => wanted.map((one) => one[name]);
    return {
      nodeId: this.#deps.nodeId,
      name: nodeNameOf(this.#deps.nodeId),
      atMs: wanted.map(({ atMs }) => atMs),
      moments: {
        ...{ sessions: column('sessions'), savesPerS: column('savesPerS'), savesP99Ms: column('savesP99Ms') },
        ...{ cpuPercent: column('cpuPercent'), rssBytes: column('rssBytes') },
        ...{ loopDelayP99Ms: column('loopDelayP99Ms'), loopDelayMaxMs: column('loopDelayMaxMs') },
        ...{ gcLongestMs: column('gcLongestMs'), heapUsedBytes: column('heapUsedBytes') },
        ...{ cacheHitPercent: column('cacheHitPercent'), partsDown: column('partsDown') },
        ...{ jobsWaiting: column('jobsWaiting'), jobsActive: column('jobsActive') },
        ...{ jobsDelayed: column('jobsDelayed'), unsavedS: column('unsavedS') },
        ...{ jobsDonePerMin: column('jobsDonePerMin'), jobsFailedPerMin: column('jobsFailedPerMin') },
        jobMeanMs: column('jobMeanMs'),
      },
    };
  }

  /** What the caches had of what they were asked for since the last moment. */
  async #cacheHits(): Promise<number | null> {
    const [hits, misses] = await Promise.all(
      ['quire_cache_hits_total', 'quire_cache_misses_total'].map((name) => this.#sum(name, () => true)),
    );
    const now = { hits: hits ?? 0, misses: misses ?? 0 };
    const before = this.#cacheBefore;
    this.#cacheBefore = now;
    const asked = now.hits + now.misses - before.hits - before.misses;
    return asked === 0 ? null : rounded((100 * (now.hits - before.hits)) / asked);
  }

  /** Null when there is no such metric, or it is not known now. */
  async #sum(
    name: string,
    counts: (labels: Readonly<Partial<Record<string, string | number>>>) => boolean,
  ): Promise<number | null> {
    const values = (await this.#deps.metrics.values(name)).filter(({ labels }) => counts(labels));
    return known(values.reduce((sum, { value }) => sum + value, 0));
  }

  async #most(name: string): Promise<number | null> {
    const values = (await this.#deps.metrics.values(name)).map(({ value }) => value);
    return known(Math.max(0, ...values));
  }
}

type OfSamples = Pick<
  HistoryMoment,
  | 'savesPerS'
  | 'savesP99Ms'
  | 'cpuPercent'
  | 'rssBytes'
  | 'heapUsedBytes'
  | 'loopDelayP99Ms'
  | 'loopDelayMaxMs'
  | 'gcLongestMs'
>;

/** What a moment has of the samples since the one before it. */
function ofSamples(samples: readonly HealthSample[]): OfSamples {
  const mean = (of: (one: HealthSample) => number) =>
    rounded(samples.reduce((sum, one) => sum + of(one), 0) / Math.max(1, samples.length));
  const longest = (of: (one: HealthSample) => number) => Math.max(0, ...samples.map(of));
  const slowest = samples.map(({ savesP99Ms }) => savesP99Ms).filter((value) => value !== null);
  return {
    savesPerS: mean(({ savesPerS }) => savesPerS),
    savesP99Ms: slowest.length === 0 ? null : Math.max(...slowest),
    cpuPercent: mean(({ cpuPercent }) => cpuPercent),
    rssBytes: samples.at(-1)?.rssBytes ?? process.memoryUsage.rss(),
    heapUsedBytes: samples.at(-1)?.heapUsedBytes ?? process.memoryUsage().heapUsed,
    loopDelayP99Ms: longest(({ loopDelayP99Ms }) => loopDelayP99Ms),
    loopDelayMaxMs: longest(({ loopDelayMaxMs }) => loopDelayMaxMs),
    gcLongestMs: longest(({ gcLongestMs }) => gcLongestMs),
  };
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : rounded(value));
const rounded = (value: number): number => Math.round(value * 100) / 100;
