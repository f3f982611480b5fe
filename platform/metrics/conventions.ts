import type { Histogram } from 'prom-client';
import { late, within } from '../within.ts';

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
/** A page waits so long for a value; then it says that the value is missing. */
const waitMs = 1_500;

/**
 * Asks `query` for values that several metrics share; null when it fails, or does not answer in time. While a query has no
 * answer it is not asked again: a part that is away gets no pile of questions.
 */
export function sharedQuery<Values>(
  query: () => Promise<Values>,
  { keepMs = keptMs } = {},
): () => Promise<Values | null> {
  let asked: Promise<Values | null> | null = null;
  let kept: { values: Values | null; atMs: number } | null = null;
  let askedAtMs = 0;
  const ask = async (): Promise<Values | null> => {
    const values = await query().catch(() => null);
    kept = { values, atMs: performance.now() };
    asked = null;
    return values;
  };
  return () => {
    if (kept && !asked && performance.now() - kept.atMs <= keepMs) return Promise.resolve(kept.values);
    if (!asked) {
      askedAtMs = performance.now();
      asked = ask();
    }
    return inTime(asked, askedAtMs + waitMs - performance.now());
  };
}

async function inTime<Values>(answer: Promise<Values>, leftMs: number): Promise<Values | null> {
  const values = await within(Math.max(0, leftMs), answer);
  return values === late ? null : values;
}
