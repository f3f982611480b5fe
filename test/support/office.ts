import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findOffice } from '../../converter/engines/libreoffice/installation.ts';
import { OfficePool, type OfficePoolOptions } from '../../converter/engines/libreoffice/office-pool.ts';
import type { OfficeJob } from '../../converter/engines/libreoffice/office-task.ts';
import { loadConfig } from '../../platform/config.ts';

const found = await findOffice({
  ...loadConfig({ LIBREOFFICE: process.env.LIBREOFFICE }),
  converterUnconfined: true,
});

/** The LibreOffice of this machine, for tests that need the real one; null where there is none. */
export const realOffice = found.office;

/** What the tests that need the real LibreOffice say where there is none. */
export const needsOffice = realOffice ? 'with LibreOffice' : `with LibreOffice (skipped: ${found.missing})`;

/** A pool with limits that tests can live with. */
export function startOffice(options: Partial<OfficePoolOptions> = {}): Promise<OfficePool> {
  return OfficePool.start({
    installation: realOffice!,
    size: 1,
    limits: { timeoutMs: 60_000, memoryMb: 1_024, resultBytes: 64 * 1_048_576 },
    recycle: { jobs: 1_000, memoryMb: 1_024 },
    log: { info: () => undefined, warn: () => undefined },
    ...options,
  });
}

/** Plain text as a PDF. */
export function textToPdf(text: string, job: Partial<OfficeJob<string>> = {}): OfficeJob<string> {
  return {
    lane: 'batch',
    async prepare(directory) {
      await writeFile(path.join(directory, 'source.txt'), text);
      return {
        source: { file: 'source.txt', filter: 'Text (encoded)', filterOptions: 'UTF8' },
        steps: [],
        outputs: [{ file: 'result.pdf', filter: 'writer_pdf_Export' }],
      };
    },
    collect: async (directory) => path.join(directory, 'result.pdf'),
    ...job,
  };
}

/** A document that LibreOffice works on until it is stopped: each line is a page. */
export const endlessJob = (): OfficeJob<string> =>
  textToPdf(Array.from({ length: 400_000 }, (_, line) => `line ${line}\f`).join('\n'));

/**
 * Process numbers of what this process has started for LibreOffice: its bridge, LibreOffice itself, and what these have
 * started. Nothing else that a test has running is among them.
 */
export async function officeProcesses(
  what: OfficePart | 'all' = 'all',
  above = process.pid,
): Promise<number[]> {
  const found: number[] = [];
  for (const pid of await childrenOf(above)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const part = officePartOf(command.split('\0'));
    if (what === 'all' && part !== null) found.push(pid, ...(await descendantsOf(pid)));
    else {
      if (what === part) found.push(pid);
      found.push(...(await officeProcesses(what, pid)));
    }
  }
  return found;
}

type OfficePart = 'soffice.bin' | 'bridge' | 'starter';

/** What a command line is to LibreOffice; the starter is the shell, or what confines it, that becomes the bridge. */
function officePartOf([program = '', ...words]: readonly string[]): OfficePart | null {
  if (program.endsWith('soffice.bin')) return 'soffice.bin';
  if (!words.some((word) => word.endsWith('bridge.py'))) return null;
  return program.includes('python') ? 'bridge' : 'starter';
}

async function descendantsOf(pid: number): Promise<number[]> {
  const children = await childrenOf(pid);
  const below = await Promise.all(children.map(descendantsOf));
  return [...children, ...below.flat()];
}

/** Sends a signal to those that {@link officeProcesses} finds. Returns how many of them were still there to get it. */
export async function signalOffice(signal: NodeJS.Signals, what: 'soffice.bin' | 'bridge'): Promise<number> {
  const pids = await officeProcesses(what);
  return pids.filter((pid) => signalled(pid, signal)).length;
}

/** Sends a signal to a process. Returns whether it was there. */
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = threads.map((thread) =>
    readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => ''),
  );
  return (await Promise.all(lists)).join(' ').split(/\s+/).filter(Boolean).map(Number);
}

/** Whether a process runs; one that has ended and that nobody has asked about does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^State:\s+[^ZX]/m.test(status);
}
