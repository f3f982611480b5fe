import { QuireError } from '../../platform/quire-error.ts';
import type { LoadResult } from '../result.ts';
import { type Fit, nonNegativeFit } from './least-squares.ts';
import {
  type Action,
  actions,
  actionTitles,
  type Part,
  parts,
  plateauOf,
  type Window,
  windowsOf,
} from './windows.ts';

const msPerS = 1_000;
const kbPerMb = 1_000;

/** One cost of a part. */
export interface Cost {
  title: string;
  unit: string;
  value: number;
  /** Standard error; null where the runs do not tell this cost from others. */
  error: number | null;
}

export interface PartCosts {
  part: Part;
  cpu: Cost[];
  memory: Cost[];
  /** What the fit leaves, root of the mean square: cores and megabytes. */
  cpuResidualCores: number;
  memoryResidualMb: number;
}

/** How much of everything there is, of which the costs are computed. */
export type Load = Pick<Window, 'people' | 'rates' | 'nodes'> & { processes: Readonly<Record<Part, number>> };

/** A column of the fit: what there is of something that costs. */
interface Column {
  title: string;
  unit: string;
  amount: (load: Load, part: Part) => number;
  /** By which a coefficient (milliseconds a second, or megabytes) is shown in the unit. */
  shownTimes: number;
}

export class CapacityError extends QuireError<'too_little'> {}

/**
 * What each part of a target spends on a process that runs, on a connection and on each kind of action, fitted to all moments of
 * several runs together. Moments with few people and with many, and with other mixes of actions, tell these apart; runs with
 * different numbers of nodes also tell what an action costs more when others in the document are on another node.
 */
export class CostModel {
  readonly #cpuColumns: readonly Column[];
  readonly #fits: ReadonlyMap<Part, { cpu: Fit; memory: Fit }>;
  readonly #windows: readonly Window[];

  /** @throws CapacityError when the runs have fewer moments than there are costs */
  constructor(runs: readonly LoadResult[]) {
    this.#windows = runs.flatMap(windowsOf);
    this.#cpuColumns = cpuColumnsOf(this.#windows);
    if (this.#windows.length <= this.#cpuColumns.length) {
      throw new CapacityError(
        'too_little',
        `The runs have ${this.#windows.length} stretches of 20 s with figures of processes, too few for ${this.#cpuColumns.length} costs`,
      );
    }
    this.#fits = new Map(
      parts
        .filter((part) => this.#windows.some((window) => window.parts[part].processes > 0))
        .map((part) => [part, this.#fit(part)]),
    );
  }

  get parts(): Part[] {
    return [...this.#fits.keys()];
  }

  costsOf(part: Part): PartCosts {
    const { cpu, memory } = this.#fits.get(part)!;
    const costs = (columns: readonly Column[], { coefficients, errors }: Fit) =>
      columns.map(({ title, unit, shownTimes }, at) => {
        const error = errors[at] ?? null;
        return {
          title,
          unit,
          value: coefficients[at]! * shownTimes,
          error: error === null ? null : error * shownTimes,
        };
      });
    return {
      ...{ part, cpu: costs(this.#cpuColumns, cpu), memory: costs(memoryColumns, memory) },
      ...{ cpuResidualCores: cpu.residual / msPerS, memoryResidualMb: memory.residual },
    };
  }

  coresOf(part: Part, load: Load): number {
    return total(this.#cpuColumns, this.#fits.get(part)!.cpu, load, part) / msPerS;
  }

  memoryMbOf(part: Part, load: Load): number {
    return total(memoryColumns, this.#fits.get(part)!.memory, load, part);
  }

  /** Pairs of things that rise and fall together in the runs, so that the cost of one may stand at the other. */
  inseparable(): (readonly [string, string])[] {
    const lines = this.#cpuColumns.map(({ title, amount }) => ({
      title,
      values: this.#windows.map((window) => amount(loadOf(window), 'service')),
    }));
    return lines.flatMap((one, at) =>
      lines
        .slice(at + 1)
        .filter((other) => Math.abs(correlationOf(one.values, other.values)) > 0.995)
        .map((other) => [one.title, other.title] as const),
    );
  }

  #fit(part: Part): { cpu: Fit; memory: Fit } {
    const rows = (columns: readonly Column[], windows: readonly Window[]) =>
      windows.map((window) => columns.map(({ amount }) => amount(loadOf(window), part)));
    const full = this.#windows.filter(({ isFull }) => isFull);
    return {
      cpu: nonNegativeFit(
        rows(this.#cpuColumns, this.#windows),
        this.#windows.map((window) => window.parts[part].cores * msPerS),
      ),
      memory: nonNegativeFit(
        rows(memoryColumns, full),
        full.map((window) => window.parts[part].memoryMb),
      ),
    };
  }
}

const total = (columns: readonly Column[], { coefficients }: Fit, load: Load, part: Part): number =>
  columns.reduce((sum, { amount }, at) => sum + coefficients[at]! * amount(load, part), 0);

export const loadOf = ({ people, rates, nodes, parts: found }: Window): Load => ({
  ...{ people, rates, nodes },
  processes: Object.fromEntries(
    parts.map((part) => [part, found[part].processes] as const),
  ) as Load['processes'],
});

/** The mean of the stretches in which most people were there, as a load and as what was measured. */
export function plateauLoad(result: LoadResult): { load: Load; measured: Window['parts'] } {
  const windows = plateauOf(windowsOf(result));
  const [first] = windows;
  if (!first) throw new CapacityError('too_little', 'A run has no figures of processes');
  const mean = (of: (window: Window) => number) =>
    windows.reduce((sum, one) => sum + of(one), 0) / windows.length;
  const measured = Object.fromEntries(
    parts.map((part) => [
      part,
      {
        cores: mean((one) => one.parts[part].cores),
        memoryMb: mean((one) => one.parts[part].memoryMb),
        processes: first.parts[part].processes,
      },
    ]),
  ) as Window['parts'];
  const rates = Object.fromEntries(
    actions.map((name) => [name, mean((one) => one.rates[name])]),
  ) as Load['rates'];
  return { load: { ...loadOf(first), people: mean(({ people }) => people), rates }, measured };
}

/** Actions that others in the document get: a part of them are on other nodes. */
const toOthers: readonly Action[] = ['saves.rate', 'chats.rate', 'cursors.rate'];

/** How many of these go to another node in a second, where the people of a document are spread by chance. */
const acrossNodes = ({ rates, nodes }: Load): number =>
  toOthers.reduce((sum, name) => sum + rates[name], 0) * (1 - 1 / nodes);

function cpuColumnsOf(windows: readonly Window[]): Column[] {
  const done = actions.filter((name) => windows.some(({ rates }) => rates[name] > 0));
  const hasSeveral = new Set(windows.map(({ nodes }) => nodes)).size > 1;
  return [
    {
      title: 'a process',
      unit: 'cores',
      shownTimes: 1 / msPerS,
      amount: ({ processes }, part) => processes[part],
    },
    { title: 'a connection', unit: 'µs/s', shownTimes: 1_000, amount: ({ people }) => people },
    ...done.map((name) => ({
      ...{ title: `a ${actionTitles[name]}`, unit: 'ms', shownTimes: 1 },
      amount: ({ rates }: Load) => rates[name],
    })),
    ...(hasSeveral
      ? [
          {
            title: 'an action that goes to another node, more',
            unit: 'ms',
            shownTimes: 1,
            amount: acrossNodes,
          },
        ]
      : []),
  ];
}

const memoryColumns: readonly Column[] = [
  { title: 'a process', unit: 'MB', shownTimes: 1, amount: ({ processes }, part) => processes[part] },
  { title: 'a connection', unit: 'KB', shownTimes: kbPerMb, amount: ({ people }) => people },
];

function correlationOf(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  const product = a.reduce((sum, value, at) => sum + (value - meanA) * (b[at]! - meanB), 0);
  const size =
    Math.hypot(...a.map((value) => value - meanA)) * Math.hypot(...b.map((value) => value - meanB));
  return size === 0 ? 0 : product / size;
}
