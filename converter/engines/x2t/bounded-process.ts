import { spawn } from 'node:child_process';
import type { Command } from './confinement.ts';

/** What a program may use. */
export interface ProcessLimits {
  timeoutMs: number;
  /** Memory that is its own, MiB. */
  memoryMb: number;
  /** Largest file it may write, bytes. */
  fileBytes: number;
}

/** How a program ended: `timeout` when it was killed because its time was over. */
export interface Ended {
  how: 'exited' | 'killed' | 'timeout';
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** The beginning of what it wrote to its outputs. */
  output: string;
}

/** So much of what a program says is kept, characters. */
const keptOutput = 4_000;

/** POSIX counts `ulimit -f` in these, bytes. */
const fileBlockBytes = 512;

/**
 * Runs a program in a process group of its own, without anything of this process's environment, until it ends or its
 * time is over; then the whole group is killed. The limit on processor time is for the case that this process dies first.
 * @throws Error when the program cannot be started at all
 */
export async function runBounded(
  [program, ...argumentsOf]: Command,
  { directory, limits }: { directory: string; limits: ProcessLimits },
): Promise<Ended> {
  const script = [
    'ulimit -c 0',
    `ulimit -t ${Math.ceil(limits.timeoutMs / 1_000) + 1}`,
    `ulimit -f ${Math.ceil(limits.fileBytes / fileBlockBytes)}`,
    `ulimit -d ${limits.memoryMb * 1_024}`,
    'exec "$0" "$@"',
  ].join(' && ');
  const child = spawn('/bin/sh', ['-c', script, program, ...argumentsOf], {
    cwd: directory,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LANG: 'C.UTF-8', HOME: directory, TMPDIR: directory },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < keptOutput) output = (output + text).slice(0, keptOutput);
    });
  }
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    killGroup(child.pid);
  }, limits.timeoutMs);
  try {
    return await new Promise<Ended>((resolve, reject) => {
      child.once('error', reject);
      // What it may have started must not outlive it, nor keep its outputs open.
      child.once('exit', () => killGroup(child.pid));
      child.once('close', (exitCode, signal) => {
        const how = late ? 'timeout' : signal ? 'killed' : 'exited';
        resolve({ how, exitCode, signal, output });
      });
    });
  } finally {
    clearTimeout(timer);
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
