import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
} from 'hdr-histogram-js';

/** Latencies are kept in steps of this, milliseconds. */
const stepMs = 0.001;
/** One in a hundred is as exact as a report needs, and a histogram of it is packed in less than a millisecond. */
const significantDigits = 2;
/** Ten minutes; a longer time counts as that. */
const longest = 600_000 / stepMs;

export const emptyHistogram = (): Histogram =>
  build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: longest,
    numberOfSignificantValueDigits: significantDigits,
    autoResize: false,
    bitBucketSize: 32,
  });

/** Records a time, milliseconds. */
export type Recorder = (elapsedMs: number) => void;

/** What a generator measured in an interval. */
export interface MeterReadings {
  /** Histograms of latencies by name, packed. */
  latencies: Record<string, string>;
  /** What was counted in the interval. */
  counts: Record<string, number>;
  /** How things are now. */
  gauges: Record<string, number>;
}

/** What a generator measures. Names are those of the result. */
export class Meters {
  readonly #latencies = new Map<string, Histogram>();
  #counts: Record<string, number> = {};
  readonly gauges: Record<string, number> = {};

  latency(name: string): Recorder {
    const histogram = this.#latencies.get(name) ?? emptyHistogram();
    this.#latencies.set(name, histogram);
    return (elapsedMs) =>
      histogram.recordValue(Math.max(0, Math.min(longest, Math.round(elapsedMs / stepMs))));
  }

  count(name: string, more = 1): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + more;
  }

  /** Adds to a gauge. */
  shift(name: string, by: number): void {
    this.gauges[name] = (this.gauges[name] ?? 0) + by;
  }

  /** What was measured since the last call. */
  take(): MeterReadings {
    const latencies: Record<string, string> = {};
    for (const [name, histogram] of this.#latencies) {
      if (histogram.totalCount === 0) continue;
      latencies[name] = encodeIntoCompressedBase64(histogram);
      histogram.reset();
    }
    const counts = this.#counts;
    this.#counts = {};
    return { latencies, counts, gauges: { ...this.gauges } };
  }
}

/** The histogram in a reading. */
export const unpacked = (packed: string): Histogram => decodeFromCompressedBase64(packed) as Histogram;

/** What a value of a histogram is in milliseconds. */
export const inMs = (value: number): number => value * stepMs;
