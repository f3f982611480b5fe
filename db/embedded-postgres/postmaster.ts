import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isRunning } from '../../platform/running-process.ts';

const run = promisify(execFile);
const pollMs = 25;

/** What `postmaster.pid` says of a running server (PostgreSQL documentation, "Database File Layout"). */
export interface Postmaster {
  pid: number;
  port: number;
  status: string;
}

/** Reads `postmaster.pid`; null when there is none or it is not complete yet. */
export async function readPostmaster(dataDirectory: string): Promise<Postmaster | null> {
  let text: string;
  try {
    text = await readFile(lockFile(dataDirectory), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  // Lines: pid, data directory, start time, port, socket directory, address, shared memory key, status.
  const lines = text.split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  const port = Number.parseInt(lines[3] ?? '', 10);
  return pid > 0 ? { pid, port, status: (lines[7] ?? '').trim() } : null;
}

/**
 * The server that runs on this data directory already, left behind by a process that was killed. One that is
 * stopping is waited for. A lock file whose process is gone, or whose number now belongs to another program, is
 * removed; should that judgement ever be wrong, PostgreSQL's shared memory check still refuses a second server.
 *
 * @param deadline `Date.now()` by which a stopping server must be gone
 */
export async function findRunning(dataDirectory: string, deadline: number): Promise<Postmaster | null> {
  for (;;) {
    const postmaster = await readPostmaster(dataDirectory);
    if (!postmaster) return null;
    if (!(await servesDirectory(postmaster.pid, dataDirectory))) {
      await rm(lockFile(dataDirectory), { force: true });
      return null;
    }
    if (postmaster.status === 'ready') return postmaster;
    if (Date.now() > deadline) {
      throw new Error(
        `PostgreSQL (process ${postmaster.pid}) is ${postmaster.status || 'starting'} for too long.`,
      );
    }
    await delay(pollMs);
  }
}

/**
 * Waits until the server with this process number accepts connections.
 *
 * @param isOver becomes true when there is nothing left to wait for: the process has ended, or is to end
 * @returns whether it is ready; false when it was over before that
 * @throws Error when the deadline (as of `Date.now()`) passes
 */
export async function becomesReady(
  dataDirectory: string,
  pid: number,
  isOver: () => boolean,
  deadline: number,
): Promise<boolean> {
  while (!isOver()) {
    const postmaster = await readPostmaster(dataDirectory);
    if (postmaster?.pid === pid && postmaster.status === 'ready') return true;
    if (Date.now() > deadline) throw new Error('PostgreSQL did not become ready in time.');
    await delay(pollMs);
  }
  return false;
}

/**
 * Shuts a server down: fast first (open transactions are rolled back, then a checkpoint), and past the deadline
 * immediately (the next start recovers from the log; nothing that was committed is lost).
 *
 * @throws Error when it is still there after both
 */
export async function shutDown(
  pid: number,
  hasEnded: () => boolean | Promise<boolean>,
  fastTimeoutMs: number,
): Promise<void> {
  const stages = [
    { signal: 'SIGINT', timeoutMs: fastTimeoutMs },
    { signal: 'SIGQUIT', timeoutMs: 10_000 },
  ] as const;
  for (const { signal, timeoutMs } of stages) {
    const deadline = Date.now() + timeoutMs;
    if (await hasEnded()) return;
    if (!sendSignal(pid, signal)) return;
    while (Date.now() < deadline) {
      if (await hasEnded()) return;
      await delay(pollMs);
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop.`);
}

/**
 * Whether a server that is nobody's child here has ended. The file goes last in a clean shutdown; asking it as well
 * as the process, since perhaps nobody reaps that.
 */
export async function hasLeft(dataDirectory: string, pid: number): Promise<boolean> {
  return (await readPostmaster(dataDirectory))?.pid !== pid || !isRunning(pid);
}

const lockFile = (dataDirectory: string) => path.join(dataDirectory, 'postmaster.pid');

async function servesDirectory(pid: number, dataDirectory: string): Promise<boolean> {
  if (!isRunning(pid)) return false;
  try {
    if (process.platform === 'linux') {
      return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(dataDirectory));
    }
    return (await run('ps', ['-p', String(pid), '-o', 'comm='])).stdout.trim().endsWith('postgres');
  } catch {
    return false;
  }
}

function sendSignal(pid: number, signal: 'SIGINT' | 'SIGQUIT'): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
