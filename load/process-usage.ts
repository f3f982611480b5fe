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
  return (await childrenByParent()).get(parent) ?? [];
}

/** All processes below a process, or those of them whose program has this name. */
export async function descendantsOf(ancestor: number, program?: string): Promise<number[]> {
  const below = descendantsIn(await childrenByParent(), ancestor);
  const named = await Promise.all(below.map((pid) => isCalled(pid, program)));
  return below.filter((_pid, position) => named[position]);
}

/** The children of every process that has any. */
export async function childrenByParent(): Promise<Map<number, number[]>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(pids.map(async (pid) => (await statFields(pid))?.[field.parent]));
  const children = new Map<number, number[]>();
  for (const [position, pid] of pids.entries()) {
    const parent = parents[position];
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  return children;
}

/** All processes below a process, parents before their children. */
export function descendantsIn(children: ReadonlyMap<number, readonly number[]>, ancestor: number): number[] {
  return (children.get(ancestor) ?? []).flatMap((child) => [child, ...descendantsIn(children, child)]);
}

async function isCalled(pid: number, program: string | undefined): Promise<boolean> {
  if (program === undefined) return true;
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  return name.trim() === program;
}

/**
 * CPU time of a process until now, milliseconds; zero when it is gone. `withEnded` adds that of its children that have ended,
 * which is where the time of a database connection goes when it closes.
 */
export async function cpuMsOf(pid: number, options: { withEnded: boolean }): Promise<number> {
  const stat = await statFields(pid);
  if (!stat) return 0;
  const ticks =
    stat[field.userTime]! +
    stat[field.systemTime]! +
    (options.withEnded ? stat[field.childUserTime]! + stat[field.childSystemTime]! : 0);
  return ticks * tickMs;
}

/** What a process used until now, as `cpuMsOf` has it; zero when it is gone. */
export async function usageOf(pid: number, options: { withEnded: boolean }): Promise<Usage> {
  const cpuMs = await cpuMsOf(pid, options);
  const memory = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return { cpuMs, pssBytes: kilobytes(memory, 'Pss') * 1024, rssBytes: kilobytes(memory, 'Rss') * 1024 };
}

/**
 * Memory of processes that share most of their pages with each other, such as those of a database: what is shared counts once,
 * as the largest share of any. Unlike the proportional size it costs the processes nothing, however large they are.
 */
export async function sharedMemoryBytes(pids: readonly number[]): Promise<number> {
  const statuses = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')),
  );
  const sizes = (name: string) => statuses.map((status) => kilobytes(status, name));
  const own = sizes('RssAnon').reduce((sum, size) => sum + size, 0);
  return (own + Math.max(0, ...sizes('RssShmem')) + Math.max(0, ...sizes('RssFile'))) * 1024;
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
