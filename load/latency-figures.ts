import type { Histogram } from 'hdr-histogram-js';
import { inMs } from './meters.ts';
import { latencyTitle } from './names.ts';
import type { Latency } from './result.ts';

/** What a result says of a latency. */
export function latencyFigures(name: string, histogram: Histogram): Latency {
  const at = (percentile: number) => inMs(histogram.getValueAtPercentile(percentile));
  return {
    name,
    title: latencyTitle(name),
    count: histogram.totalCount,
    meanMs: inMs(histogram.mean),
    standardDeviationMs: inMs(histogram.stdDeviation),
    p50Ms: at(50),
    p90Ms: at(90),
    p95Ms: at(95),
    p99Ms: at(99),
    p999Ms: at(99.9),
    maxMs: inMs(histogram.maxValue),
  };
}
