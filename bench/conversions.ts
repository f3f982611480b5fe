/**
 * LibreOffice: one conversion, the first one after a start, as many at once as there are cores compared with one at a time,
 * very many, and processes that are killed all the time.
 *
 *     node dist/bench/conversions.js [--runs 100] [--turns 10] [--count 0] [--files DIR] [--kill-every-ms 0] [--seconds 60]
 *
 * `--count` converts so many of the files below `--files`, to one format after the other, and says what is left behind.
 * `--kill-every-ms` kills all processes of LibreOffice so often while files are converted, as jobs of the queue are: what
 * was killed twice is tried again after a pause, five times at most.
 */
import './support/help.ts';

import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { ConversionEngine } from '../converter/engines/conversion-engine.ts';
import { findOffice, type OfficeInstallation } from '../converter/engines/libreoffice/installation.ts';
import { type Office, openOffice } from '../converter/engines/libreoffice/libreoffice-engine.ts';
import { OfficeEnded } from '../converter/engines/libreoffice/office-ended.ts';
import { usageOfTree } from '../converter/engines/libreoffice/process-tree.ts';
import { ConversionError, EngineEnded } from '../converter/errors.ts';
import { descendantsOf } from '../load/process-usage.ts';
import { loadConfig, processEnvironment } from '../platform/config.ts';
import { inParallel } from './support/bench-run.ts';
import { longDocument } from './support/long-document.ts';
import { progress, type Row, report, rounded, timesOf } from './support/report.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    turns: { type: 'string', default: '10' },
    count: { type: 'string', default: '0' },
    files: { type: 'string' },
    'kill-every-ms': { type: 'string', default: '0' },
    seconds: { type: 'string', default: '60' },
  },
});
const options = {
  runs: Number(values.runs),
  turns: Number(values.turns),
  count: Number(values.count),
  killEveryMs: Number(values['kill-every-ms']),
  seconds: Number(values.seconds),
};
const cores = os.availableParallelism();
/** Conversions of a process each time that a rate is measured. */
const burst = 30;
const computingMs = 1_000;
const targets = ['pdf', 'docx', 'odt', 'xlsx', 'ods', 'pptx', 'odp', 'txt', 'png'];
/** As the job queue does it. */
const queueAttempts = 5;
const firstQueuePauseMs = 1_000;

interface Source {
  name: string;
  type: string;
  bytes(): Promise<Uint8Array>;
}

const page = longDocument(1);
const config = { ...loadConfig(processEnvironment()), converterJobTimeoutMs: 60_000 };
const silent = { info: () => undefined, warn: () => undefined };

async function withOffice<Result>(
  installation: OfficeInstallation,
  processes: number,
  work: (office: Office) => Promise<Result>,
): Promise<Result> {
  const office = await openOffice(
    installation,
    { ...config, libreofficeProcesses: processes },
    { log: silent },
  );
  try {
    return await work(office);
  } finally {
    await office.pool.close();
  }
}

const toPdf = (engine: ConversionEngine) =>
  engine.convert(page, { fromType: 'docx', toType: 'pdf', options: {} }, []);

async function measureFirst(installation: OfficeInstallation): Promise<Row> {
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const startedAt = performance.now();
    await withOffice(installation, cores, async ({ engine }) => {
      await toPdf(engine);
      times.push(performance.now() - startedAt);
    });
  }
  return { measured: 'first conversion after a start', ...timesOf('one', times) };
}

/** Milliseconds of a conversion, one after the other. */
async function measureWarm(installation: OfficeInstallation): Promise<Row> {
  return withOffice(installation, 1, async ({ engine }) => {
    await rateOf(engine, 1);
    const times: number[] = [];
    for (let run = 0; run < options.runs; run += 1) {
      const startedAt = performance.now();
      await toPdf(engine);
      times.push(performance.now() - startedAt);
    }
    return { measured: 'one page, docx to pdf', ...timesOf('one', times) };
  });
}

/** Conversions a second when every process has work. */
async function rateOf(engine: ConversionEngine, processes: number): Promise<number> {
  const count = burst * processes;
  const startedAt = performance.now();
  await inParallel(count, 2 * processes, async () => void (await toPdf(engine)));
  return count / ((performance.now() - startedAt) / 1_000);
}

/** What threads that only compute, and share nothing, do in a second. */
async function computingRate(threads: number): Promise<number> {
  const program = `
    const until = performance.now() + ${computingMs};
    let rounds = 0;
    for (; performance.now() < until; rounds += 1) for (let x = 0, i = 0; i < 1e5; i += 1) x = (x * 31 + i) | 0;
    require('node:worker_threads').parentPort.postMessage(rounds);`;
  const rounds = await Promise.all(
    Array.from({ length: threads }, async () => {
      const [count] = await once(new Worker(program, { eval: true }), 'message');
      return Number(count);
    }),
  );
  return rounds.reduce((sum, count) => sum + count, 0) / (computingMs / 1_000);
}

/**
 * A process for each core against one, by turns, since a machine is not equally fast all the time; beside it what all cores
 * are worth to a plain computation in the same minutes, which no pool can exceed.
 */
async function measureScaling(installation: OfficeInstallation): Promise<Row[]> {
  const rates = async (name: string, one: () => Promise<number>, all: () => Promise<number>) => ({
    ...{ name, one: await one(), all: await all() },
  });
  return withOffice(installation, 1, (single) =>
    withOffice(installation, cores, async (pool) => {
      const offices = [() => rateOf(single.engine, 1), () => rateOf(pool.engine, cores)] as const;
      for (const warmUp of offices) await warmUp();
      const turns: Awaited<ReturnType<typeof rates>>[] = [];
      let cpuMs = 0;
      for (let turn = 0; turn < options.turns; turn += 1) {
        const begun = (await usageOfTree(process.pid)).cpuMs;
        turns.push(await rates('conversions', ...offices));
        cpuMs += (await usageOfTree(process.pid)).cpuMs - begun;
        turns.push(
          await rates(
            'computing',
            () => computingRate(1),
            () => computingRate(cores),
          ),
        );
      }
      return ['conversions', 'computing'].map((name) => {
        const own = turns.filter((turn) => turn.name === name);
        return {
          measured: `${name}, ${cores} at once against one`,
          'one a second': rounded(median(own.map(({ one }) => one)), 1),
          'all a second': rounded(median(own.map(({ all }) => all)), 1),
          'of cores × one': rounded(median(own.map(({ one, all }) => all / one / cores)), 2),
          ...(name === 'conversions' && {
            'cpu ms each': rounded(cpuMs / (burst * (cores + 1) * own.length), 1),
          }),
        };
      });
    }),
  );
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

async function sourcesOf(engine: ConversionEngine): Promise<Source[]> {
  if (values.files === undefined) return [{ name: 'page.docx', type: 'docx', bytes: async () => page }];
  const root = values.files;
  const names = (await readdir(root, { recursive: true })).sort();
  return names
    .map((name) => ({
      name,
      type: path.extname(name).slice(1).toLowerCase(),
      bytes: () => readFile(path.join(root, name)),
    }))
    .filter(({ type }) => engine.ability.pairs.has(type));
}

type Outcome = 'done' | 'refused' | 'limit' | 'killed';

async function convertOne(
  engine: ConversionEngine,
  sources: readonly Source[],
  number: number,
): Promise<Outcome> {
  const { type, bytes } = sources[number % sources.length]!;
  const possible = targets.filter((target) => engine.ability.pairs.get(type)!.has(target));
  const toType = possible[Math.floor(number / sources.length) % possible.length]!;
  try {
    await engine.convert(await bytes(), { fromType: type, toType, options: {} }, []);
    return 'done';
  } catch (error) {
    if (error instanceof EngineEnded) return 'limit';
    if (error instanceof ConversionError) return 'refused';
    if (error instanceof OfficeEnded) return 'killed';
    throw error;
  }
}

/** What this process holds. */
async function holdings(): Promise<Row> {
  const { rss } = process.memoryUsage();
  const [files, temporary, processes] = await Promise.all([
    readdir('/proc/self/fd'),
    readdir(os.tmpdir()),
    descendantsOf(process.pid),
  ]);
  return {
    'rss MB': Math.round(rss / 2 ** 20),
    'LibreOffice MB': Math.round((await usageOfTree(process.pid)).memoryBytes / 2 ** 20),
    'open files': files.length,
    'in tmp': temporary.filter((name) => name.startsWith('quire-office-') || name.startsWith('OSL_PIPE'))
      .length,
    processes: processes.length,
  };
}

async function convertMany(installation: OfficeInstallation): Promise<Row[]> {
  const rows: Row[] = [{ when: 'before', ...(await holdings()) }];
  await withOffice(installation, cores, async ({ engine }) => {
    const sources = await sourcesOf(engine);
    const outcomes: Record<Outcome, number> = { done: 0, refused: 0, limit: 0, killed: 0 };
    const startedAt = performance.now();
    let ended = 0;
    await inParallel(options.count, 2 * cores, async (number) => {
      outcomes[await convertOne(engine, sources, number)] += 1;
      ended += 1;
      if (ended % Math.ceil(options.count / 10) !== 0) return;
      const elapsedS = Math.round((performance.now() - startedAt) / 1_000);
      const row = { when: `after ${ended}, ${elapsedS} s`, ...outcomes, ...(await holdings()) };
      progress(JSON.stringify(row));
      rows.push(row);
    });
  });
  rows.push({ when: 'when all is closed', ...(await holdings()) });
  return rows;
}

/** Whether it was there to be killed. */
function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

async function convertUnderFire(installation: OfficeInstallation): Promise<Row[]> {
  return withOffice(installation, cores, async ({ engine }) => {
    const sources = await sourcesOf(engine);
    const until = performance.now() + options.seconds * 1_000;
    const outcomes: Record<Outcome, number> = { done: 0, refused: 0, limit: 0, killed: 0 };
    let kills = 0;
    let requeued = 0;
    const timer = setInterval(async () => {
      for (const pid of await descendantsOf(process.pid, 'soffice.bin')) {
        if (killed(pid)) kills += 1;
      }
    }, options.killEveryMs);
    let begun = 0;
    const oneAfterTheOther = async () => {
      while (performance.now() < until) {
        const number = begun;
        begun += 1;
        let outcome: Outcome = 'killed';
        for (let attempt = 1; outcome === 'killed' && attempt <= queueAttempts; attempt += 1) {
          if (attempt > 1) {
            requeued += 1;
            await pause(firstQueuePauseMs * 2 ** (attempt - 2));
          }
          outcome = await convertOne(engine, sources, number);
        }
        outcomes[outcome] += 1;
      }
    };
    const stopFire = pause(options.seconds * 1_000).then(() => clearInterval(timer));
    await Promise.all([stopFire, ...Array.from({ length: 2 * cores }, oneAfterTheOther)]);
    const { killed: givenUp, ...ended } = outcomes;
    const lost = begun - ended.done - ended.refused - ended.limit - givenUp;
    return [
      { kills, jobs: begun, ...ended, 'tried again by the queue': requeued, 'given up': givenUp, lost },
    ];
  });
}

const { office: installation, missing } = await findOffice({ ...config, converterUnconfined: true });
if (!installation) throw new Error(`LibreOffice cannot be used: ${missing}.`);
progress(`LibreOffice ${installation.version}`);
const rows =
  options.killEveryMs > 0
    ? await convertUnderFire(installation)
    : options.count > 0
      ? await convertMany(installation)
      : [
          await measureFirst(installation),
          await measureWarm(installation),
          ...(await measureScaling(installation)),
        ];
report(
  'conversions',
  { ...options, version: installation.version, level: installation.confinement.level },
  rows,
);
process.exit();
