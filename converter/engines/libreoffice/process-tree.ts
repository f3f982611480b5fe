import { readFile } from 'node:fs/promises';

/** What a process and all that it has started use together. */
interface TreeUsage {
  /** Memory that is their own, without what they share with the files of programs, bytes. */
  memoryBytes: number;
  /** Processor time since they started, that of descendants included which have ended, milliseconds. */
  cpuMs: number;
}

/** Linux reports processor time to programs in ticks of this length on every architecture. */
const tickMs = 10;

/** Fields of `/proc/<pid>/stat` behind the name, proc_pid_stat(5): utime, stime, cutime, cstime. */
const times = [11, 12, 13, 14];

/** What a process and its descendants use now; nothing when it is gone. */
export async function usageOfTree(pid: number): Promise<TreeUsage> {
  const sum: TreeUsage = { memoryBytes: 0, cpuMs: 0 };
  for (const each of await tree(pid)) {
    const [status, stat] = await Promise.all([textOf(`/proc/${each}/status`), textOf(`/proc/${each}/stat`)]);
    sum.memoryBytes += (kilobytes(status, 'RssAnon') + kilobytes(status, 'RssShmem')) * 1_024;
    sum.cpuMs += ticksOf(stat) * tickMs;
  }
  return sum;
}

async function tree(pid: number): Promise<number[]> {
  const children = (await textOf(`/proc/${pid}/task/${pid}/children`)).trim().split(' ').filter(Boolean);
  const below = await Promise.all(children.map((child) => tree(Number(child))));
  return [pid, ...below.flat()];
}

/** Processes end while they are looked at. */
const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

const kilobytes = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);

function ticksOf(stat: string): number {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return times.reduce((sum, at) => sum + (fields[at] ?? 0), 0);
}
