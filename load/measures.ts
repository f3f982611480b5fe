import { rateIn } from './phase-recording.ts';
import type { LoadResult, Threshold } from './result.ts';
import type { Measure, Scenario } from './scenario.ts';

type Measured = Pick<LoadResult, 'timesS' | 'series' | 'phases' | 'latencies' | 'transactions' | 'counters'>;

/**
 * A figure of a run, or of one phase of it, in milliseconds where it is a time; null where nothing was measured. `rate` of a
 * counter is the median of its rates in the intervals in which there was anything, in a phase the mean, a second; `max`,
 * `mean` and `last` are also of series.
 */
export function measured(result: Measured, { of, figure, during }: Measure): number | null {
  if (during === undefined) return figureOf(result, of, figure);
  const phase = result.phases.find(({ name }) => name === during);
  if (!phase) return null;
  if (figure === 'rate') return rateIn(phase, of);
  if (figure === 'failed') {
    return phase.counters.find(({ name }) => name === `${of}.failed`)?.value ?? null;
  }
  const isIn = result.timesS.map((timeS) => timeS > phase.fromS && timeS <= phase.toS);
  const series = result.series.map((one) => ({ ...one, points: one.points.filter((_, at) => isIn[at]) }));
  const counters = phase.counters.map((counter) => ({ ...counter, title: counter.name }));
  return figureOf({ ...result, series, counters, latencies: phase.latencies, transactions: [] }, of, figure);
}

function figureOf(result: Measured, of: string, figure: Measure['figure']): number | null {
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
  return scenario.thresholds.flatMap(({ title, unit, measure, atMost, atLeast, scales, times }) => {
    const value = measured(result, measure);
    const unitOfLimit = times === undefined ? (scales ? scale : 1) : (measured(result, times) ?? 0);
    const name = `${measure.during === undefined ? '' : `${measure.during}: `}${measure.of}.${measure.figure}`;
    const of = (bound: Threshold['bound'], limit: number | undefined): Threshold[] => {
      if (limit === undefined) return [];
      const wanted = limit * unitOfLimit;
      const isKept = value !== null && (bound === 'at most' ? value <= wanted : value >= wanted);
      // Of a figure that was not measured nothing is a share.
      const passed = isKept && unitOfLimit > 0;
      return [{ name, title, unit, bound, wanted, measured: value, passed }];
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
