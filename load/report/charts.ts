import type { LoadResult, Series } from '../result.ts';
import type { Chart, ChartLine } from './figures.ts';

/** From how many times the smallest of its values the largest makes an axis logarithmic. */
const logarithmicFrom = 100;
const bytesPerMb = 1e6;

type Roles = readonly LoadResult['processes'][number]['role'][];

/** All charts of a run: what people saw first, then the processes, then the inside of the target. */
export function chartsOf(result: LoadResult): Chart[] {
  const outside = result.series.filter(({ name }) => !isOfTarget(name));
  const inside = result.series.filter(({ name }) => isOfTarget(name));
  return [
    ...groups(outside).map((lines) => chartOfSeries(result, lines)),
    ...processCharts(result),
    ...pausesAndLatency(result),
    ...groups(inside).map((lines) => chartOfSeries(result, lines)),
  ].filter(({ lines }) => lines.some(({ values }) => values.some((value) => value !== null)));
}

/** Whether there is anything to see: errors, refusals and queues are often nothing but zero. */
export const isFlatZero = ({ lines }: Chart): boolean =>
  lines.every(({ values }) => values.every((value) => (value ?? 0) === 0));

/** Whether a series is what the target says of itself, as `TargetSampler` names it. */
const isOfTarget = (name: string): boolean => name.startsWith('target.');

/** Series of one chart together, in the order in which they come. */
function groups(series: readonly Series[]): Series[][] {
  const byGroup = new Map<string, Series[]>();
  for (const one of series) byGroup.set(one.group, [...(byGroup.get(one.group) ?? []), one]);
  return [...byGroup.values()];
}

function chartOfSeries(result: LoadResult, series: readonly Series[]): Chart {
  const [{ group, unit }] = series as [Series];
  const names = new Set(series.map(({ name }) => name));
  return chartOf(result, group, unit, {
    lines: series.map(({ title, points }) => ({ title, values: points })),
    limits: result.thresholds
      .filter((one) => names.has(one.name) && one.unit === unit)
      .map(({ title, wanted }) => ({ title, value: wanted })),
  });
}

function processCharts(result: LoadResult): Chart[] {
  const lines = (roles: Roles, of: 'cpuCores' | 'memoryBytes', scale: number) =>
    result.processes
      .filter(({ role }) => roles.includes(role))
      .map((one) => ({
        title: one.name,
        values: one[of].map((value) => (value === null ? null : value * scale)),
      }));
  const target: Roles = ['service', 'converter', 'database', 'redis', 'other'];
  return [
    chartOf(result, 'CPU of the target’s processes', 'cores', { lines: lines(target, 'cpuCores', 1) }),
    chartOf(result, 'Memory of the target’s processes', 'MB', {
      lines: lines(target, 'memoryBytes', 1 / bytesPerMb),
    }),
    chartOf(result, 'CPU of the load generator', 'cores', { lines: lines(['generator'], 'cpuCores', 1) }),
    chartOf(result, 'Memory of the load generator', 'MB', {
      lines: lines(['generator'], 'memoryBytes', 1 / bytesPerMb),
    }),
  ];
}

/** Latencies that people feel, by name: those that pass through the most first. */
const felt = ['monitor.message', 'monitor.presence', 'message', 'presence', 'save', 'chat', 'change', 'open'];
const mostFelt = 3;

/** Whether what people waited for came from pauses of the service. */
function pausesAndLatency(result: LoadResult): Chart[] {
  const pauses = result.series.filter(({ name }) =>
    ['target.gc.max', 'target.loop-delay.max'].includes(name),
  );
  const latencies = felt
    .flatMap((name) => result.series.filter((one) => one.name === `${name}.p99` && one.unit === 'ms'))
    .slice(0, mostFelt);
  if (pauses.length === 0 || latencies.length === 0) return [];
  return [
    chartOf(result, 'Latency beside the pauses of the service', 'ms', {
      lines: [...latencies, ...pauses].map(({ name, title, group, points }) => ({
        title: name === 'target.gc.max' ? 'Longest collection' : lineTitle(group, title),
        values: points,
      })),
    }),
  ];
}

/** The title of a line outside its own chart. */
const lineTitle = (group: string, title: string): string =>
  title.toLowerCase().startsWith(group.toLowerCase()) ? title : `${group}: ${title}`;

function chartOf(
  { timesS }: LoadResult,
  title: string,
  unit: string,
  { lines, limits = [] }: { lines: readonly ChartLine[]; limits?: Chart['limits'] },
): Chart {
  return { ...{ title, unit, timesS, lines, limits }, isLogarithmic: isWide(unit, lines), isOfTwo: false };
}

/** Only times: of numbers and shares people expect that twice the height is twice the value. */
function isWide(unit: string, lines: readonly ChartLine[]): boolean {
  if (unit !== 'ms') return false;
  const values = lines.flatMap((line) => line.values).filter((value) => value !== null && value > 0);
  return (
    values.length > 0 && Math.max(...(values as number[])) >= logarithmicFrom * quarterOf(values as number[])
  );
}

/** A quarter of the values are at most so large. */
function quarterOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 4)]!;
}

/** The same charts of two runs, each line twice: what only one of them has is left out. */
export function chartsOfBoth(
  [first, second]: readonly [LoadResult, LoadResult],
  [firstName, secondName]: readonly [string, string],
): Chart[] {
  const others = new Map(chartsOf(second).map((chart) => [chart.title, chart]));
  return chartsOf(first).flatMap((chart) => {
    const other = others.get(chart.title);
    if (other === undefined) return [];
    const timesS = [...new Set([...chart.timesS, ...other.timesS])].sort((a, b) => a - b);
    const spread = (from: Chart, values: readonly (number | null)[]) => {
      const byTime = new Map(from.timesS.map((time, at) => [time, values[at] ?? null]));
      return timesS.map((time) => byTime.get(time) ?? null);
    };
    const lines = chart.lines.flatMap(({ title, values }) => {
      const counterpart = other.lines.find((line) => line.title === title);
      if (counterpart === undefined) return [];
      return [
        { title: `${title}, ${firstName}`, values: spread(chart, values) },
        { title: `${title}, ${secondName}`, values: spread(other, counterpart.values) },
      ];
    });
    const isLogarithmic = chart.isLogarithmic || other.isLogarithmic;
    return lines.length === 0 ? [] : [{ ...chart, timesS, lines, isLogarithmic, isOfTwo: true }];
  });
}
