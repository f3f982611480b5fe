import type { LoadResult } from '../result.ts';

/** Parts of a target whose costs are fitted. */
export const parts = ['service', 'redis', 'database', 'converter'] as const;
export type Part = (typeof parts)[number];

/** Actions of people by the names of their rates, and what one of them is called. */
export const actionTitles = {
  'logins.rate': 'log-in',
  'saves.rate': 'save',
  'chats.rate': 'message',
  'cursors.rate': 'cursor',
  'closes.rate': 'closing of a document',
} as const;
export type Action = keyof typeof actionTitles;
export const actions = Object.keys(actionTitles) as Action[];

/** A stretch of a run, with means over it. */
export interface Window {
  people: number;
  /** A second. */
  rates: Readonly<Record<Action, number>>;
  /** Equal processes that people are connected to: nodes, or workers of one. */
  nodes: number;
  parts: Readonly<Record<Part, { cores: number; memoryMb: number; processes: number }>>;
  /** Whether as many people were there as ever before: memory that was once needed is not given back. */
  isFull: boolean;
}

/** Long enough that collections of garbage, which come every few seconds, are in each. */
const windowS = 20;
const bytesPerMb = 1e6;
const fullFrom = 0.95;
/** Where so much of the most people ever there leave in a stretch, or no more of them are left, it costs what is not told apart: to leave, and the files that are made then. */
const leavingFrom = 0.02;

/** A run in stretches of equal length. Those of which the CPU is not known are left out, and those in which people leave or have left. */
export function windowsOf(result: LoadResult): Window[] {
  const windows: Window[] = [];
  const people = seriesOf(result, 'people');
  let most = 0;
  for (let from = 0; from < result.timesS.length; ) {
    const startS = result.timesS[from - 1] ?? 0;
    let to = from + 1;
    while (to < result.timesS.length && result.timesS[to]! - startS <= windowS) to += 1;
    const window = windowOf(result, from, to);
    const left = (people[from] ?? 0) - (people[to - 1] ?? 0);
    if (window) {
      const { people: present } = window;
      most = Math.max(most, present);
      const few = leavingFrom * most;
      if (left <= few && present >= few)
        windows.push({ ...window, isFull: present > 0 && present >= fullFrom * most });
    }
    from = to;
  }
  return windows;
}

/** The windows in which about as many people were there as ever in the run. */
export function plateauOf(windows: readonly Window[]): Window[] {
  const most = Math.max(0, ...windows.map(({ people }) => people));
  return windows.filter(({ people }) => people >= fullFrom * most);
}

function windowOf(result: LoadResult, from: number, to: number): Omit<Window, 'isFull'> | null {
  const mean = (points: readonly (number | null)[]) => {
    const known = points.slice(from, to).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  const seriesMean = (name: string) => mean(seriesOf(result, name)) ?? 0;
  const part = (role: Part) => {
    const processes = result.processes.filter((one) => one.role === role && mean(one.cpuCores) !== null);
    const sum = (of: (one: (typeof processes)[number]) => number | null) =>
      processes.reduce((all, one) => all + (of(one) ?? 0), 0);
    return {
      cores: sum(({ cpuCores }) => mean(cpuCores)),
      memoryMb: sum(({ memoryBytes }) => mean(memoryBytes)) / bytesPerMb,
      processes: processes.length,
    };
  };
  const found = Object.fromEntries(parts.map((role) => [role, part(role)] as const)) as Window['parts'];
  if (found.service.processes === 0) return null;
  const rates = Object.fromEntries(
    actions.map((name) => [name, seriesMean(name)] as const),
  ) as Window['rates'];
  return { people: seriesMean('people'), rates, nodes: nodesOf(result), parts: found };
}

const seriesOf = ({ series }: LoadResult, name: string): readonly (number | null)[] =>
  series.find((one) => one.name === name)?.points ?? [];

/** Workers where there are any: their first process then only starts them. */
function nodesOf({ processes }: LoadResult): number {
  const services = processes.filter(({ role }) => role === 'service');
  const workers = services.filter(({ name }) => name.startsWith('worker'));
  return Math.max(1, workers.length > 0 ? workers.length : services.length);
}
