import { readdir, readFile } from 'node:fs/promises';

/** CPU time and memory of one process or of several together. */
export interface Usage {
  /** User and system time since the start, milliseconds. */
  cpuMs: number;
  /** Memory with shared pages divided among those who share them, bytes. */
  pssBytes: number;
  rssBytes: number;
}

/** Linux reports CPU time to programs in ticks of this length on every architecture. */
const tickMs = 10;

/** Fields of `/proc/<pid>/stat` behind the name, which is in parentheses and may hold anything: proc_pid_stat(5). */
const field = { parent: 1, userTime: 11, systemTime: 12, childUserTime: 13, childSystemTime: 14 } as const;

async function statFields(pid: number): Promise<number[] | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return null;
  }
}

/** The processes that a process has started and that run now. */
export async function childrenOf(parent: number): Promise<number[]> {
  const names = await readdir('/proc');
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(pids.map(async (pid) => (await statFields(pid))?.[field.parent]));
  return pids.filter((_pid, position) => parents[position] === parent);
}

/** All processes below a process, or those of them whose program has this name. */
export async function descendantsOf(ancestor: number, program?: string): Promise<number[]> {
  const children = await childrenOf(ancestor);
  const below = await Promise.all(children.map((child) => descendantsOf(child, program)));
  const named = await Promise.all(children.map((child) => isCalled(child, program)));
  return [...children.filter((_child, position) => named[position]), ...below.flat()];
}

async function isCalled(pid: number, program: string | undefined): Promise<boolean> {
  if (program === undefined) return true;
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  return name.trim() === program;
}

/**
 * What a process used until now; zero when it is gone. `withEnded` adds the CPU time of its children that have ended,
 * which is where the time of a database connection goes when it closes.
 */
export async function usageOf(pid: number, options: { withEnded: boolean }): Promise<Usage> {
  const stat = await statFields(pid);
  if (!stat) return { cpuMs: 0, pssBytes: 0, rssBytes: 0 };
  const ticks =
    stat[field.userTime]! +
    stat[field.systemTime]! +
    (options.withEnded ? stat[field.childUserTime]! + stat[field.childSystemTime]! : 0);
  const memory = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return {
    cpuMs: ticks * tickMs,
    pssBytes: kilobytes(memory, 'Pss') * 1024,
    rssBytes: kilobytes(memory, 'Rss') * 1024,
  };
}

const kilobytes = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);

export function sumOf(usages: readonly Usage[]): Usage {
  const sum: Usage = { cpuMs: 0, pssBytes: 0, rssBytes: 0 };
  for (const usage of usages) {
    sum.cpuMs += usage.cpuMs;
    sum.pssBytes += usage.pssBytes;
    sum.rssBytes += usage.rssBytes;
  }
  return sum;
}

/** CPU time of the whole machine that was not idle, all cores together, milliseconds since it started: proc_stat(5). */
export async function machineCpuMs(): Promise<number> {
  const line = (await readFile('/proc/stat', 'utf8')).split('\n', 1)[0]!;
  const [user, nice, system, , , interrupt, softInterrupt, steal] = line.split(/\s+/).slice(1).map(Number);
  return (user! + nice! + system! + interrupt! + softInterrupt! + steal!) * tickMs;
}
