import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  endlessJob,
  isRunning,
  needsOffice,
  officeProcesses,
  realOffice,
  signalOffice,
  startOffice,
  textToPdf,
} from '../../../test/support/office.ts';
import { ConversionError } from '../../errors.ts';
import { OfficeEnded, type OfficeEndReason } from './office-ended.ts';
import type { OfficePool } from './office-pool.ts';
import type { OfficeJob } from './office-task.ts';

const endless = endlessJob();

/** Begins a conversion that does not end and resolves when LibreOffice works on it. */
async function underWay(pool: OfficePool, job: Partial<OfficeJob<string>> = {}) {
  let begun = (): void => undefined;
  let attempts = 0;
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const result = pool.run({
    ...endless,
    ...job,
    async prepare(directory) {
      attempts += 1;
      if (attempts > 1) return textToPdf('short').prepare(directory);
      const task = await endless.prepare(directory);
      setImmediate(begun);
      return task;
    },
  });
  result.catch(() => undefined);
  await isBegun;
  return { result, attempts: () => attempts };
}

/** Those on which the first thread of a process may run, as the kernel lists them; nothing when it has ended. */
async function allowedProcessors(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^Cpus_allowed_list:\s*(.+)$/m.exec(status)?.[1] ?? '';
}

/** A conversion that has its place and does not go on before it is told to. */
function heldBack() {
  let begin = (): void => undefined;
  let goOn = (): void => undefined;
  const isBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const prepare = async (directory: string) => {
    begin();
    await gate;
    return textToPdf('held').prepare(directory);
  };
  return { isBegun, goOn, job: { prepare } };
}

describe.skipIf(!realOffice)(`processes of LibreOffice, ${needsOffice}`, () => {
  let pool: OfficePool;
  const ends: OfficeEndReason[] = [];
  let recycled = 0;
  const listener = {
    ended: (reason: OfficeEndReason) => void ends.push(reason),
    recycled: () => {
      recycled += 1;
    },
  };

  beforeAll(async () => {
    pool = await startOffice({
      listener,
      pingEveryMs: 1_000,
      recycle: { jobs: 12, memoryMb: 1_024 },
      limits: { timeoutMs: 20_000, memoryMb: 120, resultBytes: 8 * 1_048_576 },
    });
  });
  afterAll(async () => {
    const pids = await officeProcesses();
    await pool.close();
    expect(await Promise.all(pids.map(isRunning))).not.toContain(true);
  });

  it('[LO1] convert one file after the other in the same process, each in a directory of its own', async () => {
    const places = new Set<string>();
    const collect = async (directory: string) => {
      places.add(directory);
      return (await readFile(path.join(directory, 'result.pdf'))).subarray(0, 5).toString();
    };
    const before = await pool.run(textToPdf('some words', { collect }));
    const pids = await officeProcesses();
    expect([before, await pool.run(textToPdf('other words', { collect }))]).toEqual(['%PDF-', '%PDF-']);
    expect(await officeProcesses()).toEqual(pids);
    expect(places.size).toBe(2);
    for (const place of places) await expect(readdir(place)).rejects.toThrow('ENOENT');
  });

  it('[LO2] say that a file is damaged, and go on', async () => {
    const damaged = textToPdf('');
    const prepare = async (directory: string) => {
      const task = await damaged.prepare(directory);
      return { ...task, source: { file: 'source.txt', filter: 'MS Word 2007 XML' } };
    };
    const refused = pool.run({ ...damaged, prepare });
    await expect(refused).rejects.toThrow(ConversionError);
    await expect(refused).rejects.toMatchObject({ code: 'corrupted' });
    await pool.run(textToPdf('words'));
    expect(ends).toEqual([]);
  });

  it.each(['soffice.bin', 'bridge'] as const)(
    '[LO3] that are killed in a conversion (%s) are followed by another one that does it',
    async (what) => {
      const { result, attempts } = await underWay(pool);
      await signalOffice('SIGKILL', what);
      expect(await result).toMatch(/result\.pdf$/);
      expect(attempts()).toBe(2);
      expect(ends.splice(0)).toEqual(['killed']);
    },
  );

  it.each(['soffice.bin', 'bridge'] as const)(
    '[LO3] that are killed (%s), so that a file cannot be written, are followed by another one that does the conversion',
    async (what) => {
      const job = textToPdf('words');
      let attempts = 0;
      const prepare = async (directory: string) => {
        attempts += 1;
        if (attempts > 1) return job.prepare(directory);
        await signalOffice('SIGKILL', what);
        throw new Error('the directory is gone');
      };
      expect(await pool.run({ ...job, prepare })).toMatch(/result\.pdf$/);
      expect(attempts).toBe(2);
      expect(ends.splice(0)).toEqual(['killed']);
    },
  );

  it('[LO16] that crash are followed by another one that does the conversion', async () => {
    const { result, attempts } = await underWay(pool);
    await signalOffice('SIGSEGV', 'soffice.bin');
    expect(await result).toMatch(/result\.pdf$/);
    expect(attempts()).toBe(2);
    expect(ends.splice(0)).toEqual(['crashed']);
  });

  it('[LO4] that stand still are noticed and replaced', async () => {
    const { result } = await underWay(pool);
    await signalOffice('SIGSTOP', 'soffice.bin');
    expect(await result).toMatch(/result\.pdf$/);
    expect(ends.splice(0)).toEqual(['hung']);
  });

  it('[LO5] that are slow to answer once are left alone', async () => {
    const pids = await officeProcesses('soffice.bin');
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    const converted = pool.run(textToPdf('words'));
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    await converted;
    expect(await officeProcesses('soffice.bin')).toEqual(pids);
    expect(ends).toEqual([]);
  });

  it('[LO6] are tried once more and no further', async () => {
    const job = textToPdf('words');
    let attempts = 0;
    const prepare = async (directory: string) => {
      attempts += 1;
      await signalOffice('SIGKILL', 'soffice.bin');
      return job.prepare(directory);
    };
    const failed = pool.run({ ...job, prepare });
    await expect(failed).rejects.toThrow(OfficeEnded);
    await expect(failed).rejects.toMatchObject({ code: 'killed' });
    expect(attempts).toBe(2);
    expect(ends.splice(0)).toEqual(['killed', 'killed']);
  });

  it('[LO7] do what somebody waits for while batch work has all places, and that in its order', async () => {
    const held = heldBack();
    const done: string[] = [];
    const run = (name: string, job: Partial<OfficeJob<string>> = {}) =>
      pool.run(textToPdf(name, job)).then(() => done.push(name));
    const jobs = [run('held', held.job)];
    await held.isBegun;
    jobs.push(run('first'), run('second'));
    await run('open', { lane: 'interactive' });
    const meanwhile = [[...done], pool.waiting];
    held.goOn();
    await Promise.all(jobs);
    expect(meanwhile).toEqual([['open'], 2]);
    expect(done).toEqual(['open', 'held', 'first', 'second']);
  });

  it('[LO8] that take too much memory are ended, and the file is refused', async () => {
    const failed = pool.run(endless);
    await expect(failed).rejects.toMatchObject({ code: 'memory' });
    expect(ends.splice(0)).toContain('memory');
  });

  it('[LO9] are ended when nobody wants the result any more', async () => {
    const control = new AbortController();
    const { result } = await underWay(pool, { signal: control.signal });
    const waiting = pool.run(textToPdf('words', { signal: control.signal }));
    waiting.catch(() => undefined);
    control.abort(new Error('not wanted'));
    await expect(result).rejects.toThrow('not wanted');
    await expect(waiting).rejects.toThrow('not wanted');
    await pool.run(textToPdf('words'));
    expect(ends).toEqual([]);
  });

  it.skipIf(os.availableParallelism() === 1)(
    '[LO19] have one processor for a conversion as long as it is short',
    async () => {
      const all = await allowedProcessors(process.pid);
      const control = new AbortController();
      const { result } = await underWay(pool, { signal: control.signal });
      const seen = new Set<string>();
      for (let now = ''; now !== all || seen.size === 1; await turn()) {
        for (const pid of await officeProcesses('soffice.bin')) {
          now = await allowedProcessors(pid);
          if (now !== '') seen.add(now);
        }
      }
      expect([...seen].filter((processors) => /^\d+$/.test(processors))).toHaveLength(1);
      control.abort(new Error('not wanted'));
      await expect(result).rejects.toThrow('not wanted');
      for (let run = 0; run < 3; run += 1) {
        await pool.run(textToPdf('words'));
        for (const pid of await officeProcesses()) expect(await allowedProcessors(pid)).toBe(all);
      }
    },
  );

  it('[LO10] are replaced after so many conversions, by one that was made ready meanwhile', async () => {
    const before = await officeProcesses('soffice.bin');
    const count = recycled;
    while (recycled === count) await pool.run(textToPdf('words'));
    await pool.run(textToPdf('words'));
    const after = await officeProcesses('soffice.bin');
    expect(after.length).toBe(before.length);
    expect(before.filter((pid) => after.includes(pid)).length).toBe(before.length - 1);
    expect(ends).toEqual([]);
  });
});

describe.skipIf(!realOffice)(`limits of LibreOffice, ${needsOffice}`, () => {
  let pool: OfficePool;
  const ends: OfficeEndReason[] = [];

  beforeAll(async () => {
    pool = await startOffice({
      listener: { ended: (reason: OfficeEndReason) => void ends.push(reason), recycled: () => undefined },
      limits: { timeoutMs: 8_000, memoryMb: 1_024, resultBytes: 1_048_576 },
    });
  });
  afterAll(() => pool.close());

  it('[LO17] end a conversion that works longer than it may; it is not tried again', async () => {
    const { result, attempts } = await underWay(pool);
    await expect(result).rejects.toMatchObject({ code: 'time' });
    expect(attempts()).toBe(1);
    expect(ends.splice(0)).toEqual(['time']);
    await pool.run(textToPdf('words'));
  });

  it('[LO17] end a conversion that writes more than it may; it is not tried again', async () => {
    const job = textToPdf(`${'words '.repeat(10)}\n`.repeat(20_000));
    const prepare = async (directory: string) => ({
      ...(await job.prepare(directory)),
      outputs: [{ file: 'result.txt', filter: 'Text (encoded)', filterOptions: 'UTF8' }],
    });
    await expect(pool.run({ ...job, prepare })).rejects.toMatchObject({ code: 'size' });
    expect(ends.splice(0)).toEqual(['size']);
    await pool.run(textToPdf('words'));
  });

  it('[LO17] are told from a crash, as LibreOffice ends when its processor time is over', async () => {
    const endsAsLibreOffice = [
      'import os, resource, signal',
      'signal.signal(signal.SIGXCPU, lambda *_: os.abort())',
      'resource.setrlimit(resource.RLIMIT_CPU, (1, 60))',
      'while True: pass',
    ];
    const program = [
      'import subprocess, sys',
      'from office import Office',
      "office = Office('', '.', '')",
      "office._process = subprocess.Popen([sys.executable, '-c', sys.argv[1]])",
      'office._cpu_limit_s = 1',
      'print(office.wait())',
    ];
    const { stdout } = await promisify(execFile)(
      realOffice!.python,
      ['-B', '-c', program.join('\n'), endsAsLibreOffice.join('\n')],
      { cwd: path.join(import.meta.dirname, 'bridge') },
    );
    expect(Number(stdout)).toBe(-os.constants.signals.SIGXCPU);
  });

  it.each(['python', 'program'] as const)(
    '[LO20] that cannot start (%s) are tried three times, and what waits for them fails',
    async (what) => {
      const reported: string[] = [];
      const broken = await startOffice({
        installation: { ...realOffice!, [what]: '/bin/false' },
        listener: { ended: (reason) => reported.push(reason), recycled: () => undefined },
      });
      try {
        const reason = what === 'python' ? 'failed' : 'crashed';
        await expect(broken.run(textToPdf('words'))).rejects.toMatchObject({ code: reason });
        expect(new Set(reported)).toEqual(new Set([reason]));
      } finally {
        await broken.close();
      }
    },
  );

  it('[LO18] wait for a process however often one is killed while it starts', async () => {
    await signalOffice('SIGKILL', 'soffice.bin');
    let kills = 0;
    const result = pool.run(textToPdf('words'));
    while (kills < 3) {
      kills += await signalOffice('SIGKILL', 'bridge');
      await turn();
    }
    expect(await result).toMatch(/result\.pdf$/);
    expect(ends.splice(0)).not.toContain('failed');
  });
});
