import { spawn } from 'node:child_process';
import os from 'node:os';
import { type Command, limited, type ResourceLimits } from './command.ts';

/** What a program may use that ends by itself. */
interface ProcessLimits extends Omit<ResourceLimits, 'processorSeconds'> {
  timeoutMs: number;
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

/**
 * Runs a program in a process group of its own, without anything of this process's environment, until it ends or its
 * time is over or the signal says so; then the whole group is killed. The limit on processor time is for the case that this process dies first.
 * @throws Error when the program cannot be started at all
 */
export async function runBounded(
  command: Command,
  {
    directory,
    limits,
    signal: ended,
  }: { directory: string; limits: ProcessLimits; signal?: AbortSignal | undefined },
): Promise<Ended> {
  ended?.throwIfAborted();
  const processorSeconds = Math.ceil(limits.timeoutMs / 1_000) + 1;
  const [program, ...argumentsOf] = limited(command, { ...limits, processorSeconds });
  const child = spawn(program, argumentsOf, {
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
  const abort = () => killGroup(child.pid);
  ended?.addEventListener('abort', abort);
  try {
    return await new Promise<Ended>((resolve, reject) => {
      child.once('error', reject);
      // What it may have started must not outlive it, nor keep its outputs open.
      child.once('exit', () => killGroup(child.pid));
      child.once('close', (exitCode, signal) => {
        const killer = signal ?? signalIn(exitCode);
        const how = late ? 'timeout' : killer ? 'killed' : 'exited';
        resolve({ how, exitCode, signal: killer, output });
      });
    });
  } finally {
    clearTimeout(timer);
    ended?.removeEventListener('abort', abort);
  }
}

/** A shell around a program reports a signal that ended it as exit code 128 plus the number of the signal. */
function signalIn(exitCode: number | null): NodeJS.Signals | null {
  const number = (exitCode ?? 0) - 128;
  const found = Object.entries(os.constants.signals).find(([, value]) => value === number);
  return found ? (found[0] as NodeJS.Signals) : null;
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
