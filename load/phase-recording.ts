import type { Histogram } from 'hdr-histogram-js';
import { latencyFigures } from './latency-figures.ts';
import { emptyHistogram } from './meters.ts';
import { alwaysCounted } from './names.ts';
import type { PhaseFigures } from './result.ts';

/** Collects what was measured in one phase. */
export class PhaseRecording {
  readonly #name: string;
  readonly #title: string;
  readonly #fromS: number;
  #toS: number;
  readonly #latencies = new Map<string, Histogram>();
  readonly #counts = new Map<string, number>(alwaysCounted.map((name) => [name, 0]));

  /** @param fromS when it began, seconds since the start of the run */
  constructor(name: string, title: string, fromS: number) {
    this.#name = name;
    this.#title = title;
    this.#fromS = fromS;
    this.#toS = fromS;
  }

  count(name: string, more: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + more);
  }

  /** Takes the latencies of an interval. */
  add(name: string, interval: Histogram): void {
    const total = this.#latencies.get(name) ?? emptyHistogram();
    total.add(interval);
    this.#latencies.set(name, total);
  }

  /** The phase has gone on until then. */
  extend(toS: number): void {
    this.#toS = toS;
  }

  result(): PhaseFigures {
    return {
      ...{ name: this.#name, title: this.#title, fromS: this.#fromS, toS: this.#toS },
      latencies: [...this.#latencies].map(([name, histogram]) => latencyFigures(name, histogram)),
      counters: [...this.#counts].map(([name, value]) => ({ name, value })),
    };
  }
}

/** How often something was counted in a phase, a second; null where it never was. */
export function rateIn({ counters, fromS, toS }: PhaseFigures, name: string): number | null {
  const value = counters.find((counter) => counter.name === name)?.value;
  return value === undefined || toS <= fromS ? null : value / (toS - fromS);
}
