import { z } from 'zod';

/**
 * The result of a load test, as `quire load --result` writes it and as reports and comparisons read it. Numbers carry
 * their unit in the name; where a unit is a field, it is one for people: `1/s`, `ms`, `MB`, `cores`, `%`, or empty for
 * plain counts.
 *
 * `version` rises when a reader of the earlier form would misread the new one; fields may be added without that.
 */
export const resultVersion = 1;

const count = z.number().int().nonnegative();
const seconds = z.number().nonnegative();
const milliseconds = z.number().nonnegative();
/** One value for each interval; null where nothing was measured in it. */
const points = z.array(z.number().nullable());

const publishedSchema = z.object({
  /** Who published the figures and where. */
  source: z.string(),
  /** Null where it is not known. */
  year: z.number().int().nullable(),
  /** What the published test ran on. */
  machine: z.string(),
});

const seriesInfo = {
  /** Unique among all series, such as `save.p99`. */
  name: z.string(),
  title: z.string(),
  unit: z.string(),
  /** Title of the chart that this is one line of. Lines of one chart have one unit. */
  group: z.string(),
};

const processInfo = {
  /** Unique among the processes of a run, such as `service`, `worker 2` or `generator 1`. */
  name: z.string(),
  role: z.enum(['service', 'converter', 'database', 'redis', 'generator', 'other']),
  pid: z.number().int().nullable(),
};

const latencySchema = z.object({
  name: z.string(),
  /** What lies between beginning and end, for people. */
  title: z.string(),
  count,
  meanMs: milliseconds,
  standardDeviationMs: milliseconds,
  p50Ms: milliseconds,
  p90Ms: milliseconds,
  p95Ms: milliseconds,
  p99Ms: milliseconds,
  p999Ms: milliseconds,
  maxMs: milliseconds,
});

const transactionSchema = z.object({
  name: z.string(),
  title: z.string(),
  passed: count,
  failed: count,
  /** Of those that passed, from when it was due to the end of the answer. */
  meanMs: milliseconds,
  standardDeviationMs: milliseconds,
  /** Mean time to the first byte of an answer; null where an answer is one message. */
  firstByteMs: milliseconds.nullable(),
});

const phaseSchema = z.object({
  name: z.string(),
  title: z.string(),
  /** Seconds from the start of the run. */
  fromS: seconds,
  toS: seconds,
  latencies: z.array(latencySchema),
  counters: z.array(z.object({ name: z.string(), value: z.number() })),
});

const loadLimitSchema = z.object({
  /** Name and title of the phase. */
  phase: z.string(),
  title: z.string(),
  /** Those that used about a whole core, mean of the phase. */
  processes: z.array(z.object({ name: z.string(), cores: z.number().nonnegative() })),
  /** How late the load began what was due. */
  lateP99Ms: milliseconds,
});

const thresholdSchema = z.object({
  name: z.string(),
  title: z.string(),
  unit: z.string(),
  bound: z.enum(['at most', 'at least']),
  wanted: z.number(),
  /** Null when nothing was measured, which does not pass. */
  measured: z.number().nullable(),
  passed: z.boolean(),
});

const checkSchema = z.object({
  name: z.string(),
  title: z.string(),
  /** Acknowledgements, files or texts that were compared. */
  compared: count,
  different: count,
  /** The first of the differences, for people. */
  differences: z.array(z.string()),
});

export const resultSchema = z
  .object({
    format: z.literal('quire-load'),
    version: z.literal(resultVersion),
    scenario: z.object({
      name: z.string(),
      title: z.string(),
      published: publishedSchema.nullable(),
    }),
    /** What the run was given beside the scenario, by name: durations, numbers, the transport. */
    parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    scale: z.number().positive(),
    seed: z.number().int(),
    target: z.object({
      url: z.string(),
      /** Version of the target; null when it does not say. */
      version: z.string().nullable(),
    }),
    /** Where the generator ran. */
    machine: z.object({
      cpu: z.string(),
      cores: count,
      memoryBytes: count,
      node: z.string(),
      /** Whether the target ran on the same machine and shared its cores. */
      sharedWithTarget: z.boolean(),
    }),
    /** ISO 8601, UTC. */
    startedAt: z.string(),
    elapsedS: seconds,
    /** Why the run ended before its time, for people; null when it ran to its end. */
    cut: z.string().nullable(),
    /** Ends of the intervals, seconds from the start; all series have one value for each. */
    timesS: z.array(seconds),
    series: z.array(z.object({ ...seriesInfo, points })),
    /** What was measured in each phase; results of earlier versions have none. */
    phases: z.array(phaseSchema).default([]),
    /** Phases in which the load itself was the limit; results of earlier versions do not say it. */
    loadLimits: z.array(loadLimitSchema).default([]),
    latencies: z.array(latencySchema),
    transactions: z.array(transactionSchema),
    counters: z.array(z.object({ name: z.string(), title: z.string(), value: z.number() })),
    processes: z.array(
      z.object({
        ...processInfo,
        /** Cores in use: CPU seconds in each second of the interval. */
        cpuCores: points,
        memoryBytes: points,
      }),
    ),
    thresholds: z.array(thresholdSchema),
    /** Published figures beside those of this run, each with its unit, for people. */
    comparison: z.array(z.object({ what: z.string(), theirs: z.string(), ours: z.string() })),
    /** What was proved right. No figure counts from a run with a difference. */
    checks: z.array(checkSchema),
  })
  .refine(
    ({ timesS, series, processes }) =>
      [
        ...series.map((one) => one.points),
        ...processes.flatMap((one) => [one.cpuCores, one.memoryBytes]),
      ].every((line) => line.length === timesS.length),
    { error: 'A series has not as many points as there are intervals' },
  );

export type LoadResult = z.infer<typeof resultSchema>;
export type Latency = LoadResult['latencies'][number];
export type PhaseFigures = LoadResult['phases'][number];
export type LoadLimit = LoadResult['loadLimits'][number];
export type Transaction = LoadResult['transactions'][number];
export type Threshold = LoadResult['thresholds'][number];
export type Check = LoadResult['checks'][number];
export type Series = LoadResult['series'][number];
export type ProcessSeries = LoadResult['processes'][number];

/** Names one line of one chart. */
export type SeriesInfo = Omit<Series, 'points'>;

/** The value of one series now. */
export interface SeriesValue extends SeriesInfo {
  value: number | null;
}

/** What one process has used until now. */
export interface ProcessUsage extends Omit<ProcessSeries, 'cpuCores' | 'memoryBytes'> {
  /** CPU time since its start, seconds; the run makes cores of it. */
  cpuS: number;
  /** Resident, or proportional where the system tells it. */
  memoryBytes: number;
}

export interface Sample {
  values: SeriesValue[];
  processes: ProcessUsage[];
}

/**
 * Looks at the target from outside, once an interval; the run itself tells of the generator's processes. Series and
 * processes may come and go: what a sample lacks is null in the result.
 */
export interface Sampler {
  /** Never rejects: what cannot be read is left out. */
  sample(): Promise<Sample>;
}

/** Reads a result. Throws a `ZodError` that names the fields that are wrong. */
export function parseResult(text: string): LoadResult {
  return resultSchema.parse(JSON.parse(text));
}
