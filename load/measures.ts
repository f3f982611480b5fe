import type { LoadResult, Threshold } from './result.ts';
import type { Measure, Scenario } from './scenario.ts';

type Measured = Pick<LoadResult, 'series' | 'latencies' | 'transactions' | 'counters'>;

/**
 * A figure of a run, in milliseconds where it is a time; null where nothing was measured. `rate` of a counter is the median
 * of its rates in the intervals in which there was anything, a second; `max`, `mean` and `last` are also of series.
 */
export function measured(result: Measured, { of, figure }: Measure): number | null {
  const named = <One extends { name: string }>(list: readonly One[]) => list.find(({ name }) => name === of);
  const latency = named(result.latencies);
  switch (figure) {
    case 'p50':
    case 'p90':
    case 'p95':
    case 'p99':
    case 'p999':
      return latency?.[`${figure}Ms`] ?? null;
    case 'count':
      return latency?.count ?? null;
    case 'mean':
      return latency?.meanMs ?? meanOf(pointsOf(result, of));
    case 'max':
      return latency?.maxMs ?? maxOf(pointsOf(result, of));
    case 'last':
      return pointsOf(result, of).at(-1) ?? null;
    case 'total':
      return named(result.counters)?.value ?? null;
    case 'failed':
    case 'passed':
      return named(result.transactions)?.[figure] ?? null;
    case 'rate':
      return medianOf(pointsOf(result, `${of}.rate`).filter((rate) => rate > 0));
    default:
      throw new TypeError(`No figure is called ${figure satisfies never}`);
  }
}

const pointsOf = ({ series }: Measured, name: string): number[] =>
  series.find((one) => one.name === name)?.points.filter((point) => point !== null) ?? [];

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

const maxOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((most, value) => Math.max(most, value));

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** Each threshold with what was measured. What was not measured does not pass. */
export function thresholdsOf(result: Measured, scenario: Scenario, scale: number): Threshold[] {
  return scenario.thresholds.flatMap(({ title, unit, measure, atMost, atLeast, scales }) => {
    const value = measured(result, measure);
    const of = (bound: Threshold['bound'], limit: number | undefined): Threshold[] => {
      if (limit === undefined) return [];
      const wanted = scales ? limit * scale : limit;
      const passed = value !== null && (bound === 'at most' ? value <= wanted : value >= wanted);
      return [
        { name: `${measure.of}.${measure.figure}`, title, unit, bound, wanted, measured: value, passed },
      ];
    };
    return [...of('at most', atMost), ...of('at least', atLeast)];
  });
}

/** Published figures beside those of the run. */
export function comparisonOf(result: Measured, scenario: Scenario): LoadResult['comparison'] {
  return scenario.comparison.map(({ what, theirs, ours, unit }) => {
    const value = measured(result, ours);
    const shown =
      value === null
        ? 'not measured'
        : value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 });
    return { what, theirs, ours: value === null ? shown : `${shown} ${unit}`.trimEnd() };
  });
}
