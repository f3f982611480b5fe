import type { Histogram } from 'prom-client';

/** Upper bounds in seconds, from a save in memory to a long conversion. */
export const timeBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300];

/** Upper bounds for how many there are of something at once. */
export const countBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 4_096];

/** Records a time measured in milliseconds: the one place where it becomes seconds. */
export function recordMs<Label extends string>(
  histogram: Histogram<Label>,
  durationMs: number,
  labels: Partial<Record<Label, string>> = {},
): void {
  histogram.observe(labels, durationMs / 1000);
}

/** A metric that costs a query is read at most so often, however many ask for metrics. */
const keptMs = 5_000;

/** Asks `query` for values that several metrics share; null when it fails. */
export function sharedQuery<Values>(query: () => Promise<Values>): () => Promise<Values | null> {
  let answer: Promise<Values | null> | null = null;
  let askedAtMs = 0;
  return () => {
    const nowMs = performance.now();
    if (!answer || nowMs - askedAtMs > keptMs) {
      askedAtMs = nowMs;
      answer = query().catch(() => null);
    }
    return answer;
  };
}
