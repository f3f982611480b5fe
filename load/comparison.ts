import { QuireError } from '../platform/quire-error.ts';
import { meanOf, mostOf } from './report/figures.ts';
import type { LoadResult } from './result.ts';

/** One figure of two runs. */
export interface Compared {
  title: string;
  unit: string;
  first: number | null;
  second: number | null;
  /** The second run's figure for one of the first; null where one of them is missing or nothing. */
  ratio: number | null;
  /** Which of the two is good; null where neither is. */
  wanted: 'less' | 'more' | null;
  /** By more than the tolerance in the direction that is not wanted. */
  isWorse: boolean;
}

export interface ComparedGroup {
  title: string;
  rows: Compared[];
}

export class ComparisonError extends QuireError<'not_alike'> {}

interface Options {
  /** Compares runs that are not of one scenario and scale. */
  anyway: boolean;
  /** From how much more (or less, where more is wanted) a figure counts as worse: 0.1 is a tenth. */
  tolerance: number;
}

/** Smaller differences say nothing, whatever their ratio: by unit. */
const least: Readonly<Record<string, number>> = { ms: 0.2, cores: 0.01, MB: 5 };

const bytesPerMb = 1e6;
const msPerS = 1_000;

/** Roles in the order in which they are shown. */
const roles = ['service', 'database', 'redis', 'converter', 'other', 'generator'] as const;
type Role = (typeof roles)[number];
const roleTitles: Readonly<Record<Role, string>> = {
  service: 'Service',
  database: 'PostgreSQL',
  redis: 'Redis',
  converter: 'Converter',
  other: 'Other',
  generator: 'Load generator',
};

/**
 * Two runs side by side.
 *
 * @throws ComparisonError when they are not alike and `anyway` is not set: their figures mean different things then
 */
export function comparisonOf(first: LoadResult, second: LoadResult, options: Options): ComparedGroup[] {
  const unlike = differencesOf(first, second);
  if (unlike.length > 0 && !options.anyway) {
    throw new ComparisonError(
      'not_alike',
      `The runs are not alike: ${unlike.join('; ')}. With --anyway they are compared all the same.`,
    );
  }
  const row = (
    title: string,
    unit: string,
    wanted: Compared['wanted'],
    of: (run: LoadResult) => number | null,
  ) => {
    const values = { first: of(first), second: of(second) };
    const ratio =
      values.first === null || values.second === null || values.first === 0
        ? null
        : values.second / values.first;
    return {
      title,
      unit,
      wanted,
      ...values,
      ratio,
      isWorse: isWorse(values, unit, wanted, options.tolerance),
    };
  };
  return [
    { title: 'Latencies', rows: latencyRows(first, second, row) },
    { title: 'Coming in', rows: comingRows(first, second, row) },
    { title: 'Rates', rows: rateRows(first, second, row) },
    { title: 'Transactions', rows: transactionRows(first, second, row) },
    { title: 'CPU for each action', rows: costRows(first, second, row) },
    {
      title: 'CPU',
      rows: processRows(first, second, (role) =>
        row(roleTitles[role], 'cores', 'less', (run) => coresOf(run, role)),
      ),
    },
    {
      title: 'Memory, most',
      rows: processRows(first, second, (role) =>
        row(roleTitles[role], 'MB', 'less', (run) => memoryOf(run, role)),
      ),
    },
  ].filter(({ rows }) => rows.length > 0);
}

/** Parameters by which the load is made, and which do not change it. */
const ofGenerator = ['processes', 'publicHost'];

/** Why figures of two runs cannot be compared, for people. */
export function differencesOf(first: LoadResult, second: LoadResult): string[] {
  const names = new Set([...Object.keys(first.parameters), ...Object.keys(second.parameters)]);
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['scenario', first.scenario.name, second.scenario.name],
    ['scale', first.scale, second.scale],
    ...[...names]
      .filter((name) => !ofGenerator.includes(name))
      .map((name) => [name, first.parameters[name], second.parameters[name]] as const),
  ];
  return pairs
    .filter(([, a, b]) => a !== b)
    .map(([name, a, b]) => `${name} ${a ?? 'not set'} and ${b ?? 'not set'}`);
}

type MakeRow = (
  title: string,
  unit: string,
  wanted: Compared['wanted'],
  of: (run: LoadResult) => number | null,
) => Compared;

function latencyRows(first: LoadResult, second: LoadResult, row: MakeRow): Compared[] {
  return inBoth(first.latencies, second.latencies).flatMap(({ name, title }) => {
    const find = (run: LoadResult) => run.latencies.find((one) => one.name === name);
    return (
      [
        ['mean', 'meanMs'],
        ['p50', 'p50Ms'],
        ['p95', 'p95Ms'],
        ['p99', 'p99Ms'],
        ['most', 'maxMs'],
      ] as const
    ).map(([figure, field]) =>
      // One slow answer among millions is chance, and how late the load was is nothing of the target.
      row(
        `${title}, ${figure}`,
        'ms',
        figure === 'most' || name === 'late' ? null : 'less',
        (run) => find(run)?.[field] ?? null,
      ),
    );
  });
}

const rateRows = (first: LoadResult, second: LoadResult, row: MakeRow): Compared[] =>
  inBoth(first.series, second.series)
    .filter(({ unit }) => unit === '1/s')
    .map(({ name, group, title }) =>
      row(`${group}: ${title}`, '1/s', null, (run) =>
        meanOf((run.series.find((one) => one.name === name)?.points ?? []).filter((value) => value !== null)),
      ),
    );

/** How many got through, and what became of the others. Results of earlier versions do not say it. */
function comingRows(first: LoadResult, second: LoadResult, row: MakeRow): Compared[] {
  const total = (run: LoadResult, name: string) => run.counters.find((one) => one.name === name)?.value;
  if (total(first, 'refused') === undefined || total(second, 'refused') === undefined) return [];
  const number = (title: string, name: string, wanted: Compared['wanted']) =>
    row(title, '', wanted, (run) => total(run, name) ?? null);
  return [
    row('Goodput: log-ins that got through while people came', '1/s', 'more', goodputOf),
    // A server beyond its limit refuses on purpose.
    number('Refused', 'refused', null),
    number('Attempts made again', 'retried', null),
    number('Gave up', 'givenUp', 'less'),
  ];
}

/** Mean over the intervals in which somebody got in or was refused. */
function goodputOf({ series }: LoadResult): number | null {
  const pointsOf = (name: string) => series.find((one) => one.name === name)?.points ?? [];
  const refused = pointsOf('refused.rate');
  return meanOf(
    pointsOf('opened.rate').flatMap((rate, at) =>
      rate === null || rate + (refused[at] ?? 0) === 0 ? [] : [rate],
    ),
  );
}

const transactionRows = (first: LoadResult, second: LoadResult, row: MakeRow): Compared[] =>
  inBoth(first.transactions, second.transactions).map(({ name, title }) =>
    row(`${title}, failed`, '%', 'less', (run) => {
      const { passed, failed } = run.transactions.find((one) => one.name === name)!;
      return passed + failed === 0 ? null : (100 * failed) / (passed + failed);
    }),
  );

/** What people do that costs the target something, by the names of counters: whoever comes in, saves, says or points. */
const actions = ['logins', 'saves', 'chats', 'cursors'];

/** What each part of the target spent on everything, for one action of any kind. */
function costRows(first: LoadResult, second: LoadResult, row: MakeRow): Compared[] {
  const perAction = (run: LoadResult, role: Role) => {
    const counted = run.counters.filter(({ name }) => actions.includes(name));
    const count = counted.reduce((sum, { value }) => sum + value, 0);
    const cores = coresOf(run, role);
    return count === 0 || cores === null ? null : (cores * run.elapsedS * msPerS) / count;
  };
  return processRows(first, second, (role) =>
    row(`${roleTitles[role]}, for each log-in, save, message and cursor`, 'ms CPU', 'less', (run) =>
      perAction(run, role),
    ),
  );
}

const processRows = (first: LoadResult, second: LoadResult, make: (role: Role) => Compared): Compared[] =>
  roles
    .filter((role) => [first, second].every((run) => run.processes.some((one) => one.role === role)))
    .map(make);

/** Cores that the processes of a role used on average. */
function coresOf({ processes }: LoadResult, role: Role): number | null {
  return meanOf(sumsOf(processes.filter((one) => one.role === role).map(({ cpuCores }) => cpuCores)));
}

/** Most memory that the processes of a role had together, megabytes. */
function memoryOf({ processes }: LoadResult, role: Role): number {
  const sums = sumsOf(processes.filter((one) => one.role === role).map(({ memoryBytes }) => memoryBytes));
  return (mostOf(sums) ?? 0) / bytesPerMb;
}

/** The values of several lines together, at each time at which any is known. */
function sumsOf(lines: readonly (readonly (number | null)[])[]): number[] {
  const times = lines[0]?.map((_, at) => at) ?? [];
  return times.flatMap((at) => {
    const values = lines.map((line) => line[at] ?? null).filter((value) => value !== null);
    return values.length === 0 ? [] : [values.reduce((sum, value) => sum + value, 0)];
  });
}

function inBoth<Named extends { name: string }>(first: readonly Named[], second: readonly Named[]): Named[] {
  const names = new Set(second.map(({ name }) => name));
  return first.filter(({ name }) => names.has(name));
}

function isWorse(
  { first, second }: Pick<Compared, 'first' | 'second'>,
  unit: string,
  wanted: Compared['wanted'],
  tolerance: number,
): boolean {
  if (wanted === null || first === null || second === null) return false;
  const more = wanted === 'less' ? second - first : first - second;
  const allowed = Math.max(tolerance * first, least[unit] ?? 0);
  return more > allowed;
}
