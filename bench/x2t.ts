/**
 * The converter x2t: opening, assembling and converting documents, one after the other and as many at once as there
 * are cores. Times include the start of the process and the job's directory.
 *
 *     X2T_DIR=… node dist/bench/x2t.js [--runs 10] [--pages 40]
 */
import './support/help.ts';

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findX2t } from '../converter/engines/x2t/installation.ts';
import { X2tEngine, type X2tSource } from '../converter/engines/x2t/x2t-engine.ts';
import { loadConfig, processEnvironment } from '../platform/config.ts';
import { inParallel, numbersFrom } from './support/bench-run.ts';
import { longDocument } from './support/long-document.ts';
import { progress, type Row, report, rounded, timesOf } from './support/report.ts';

const options = numbersFrom({ runs: 10, pages: 40 });

/** Times of a job in milliseconds, and jobs a second when the cores are busy with it. */
async function measure(name: string, job: () => Promise<unknown>): Promise<Row> {
  progress(name);
  const times: number[] = [];
  for (let run = 0; run < options.runs; run += 1) {
    const startedAt = performance.now();
    await job();
    times.push(performance.now() - startedAt);
  }
  const startedAt = performance.now();
  await inParallel(options.runs, os.availableParallelism(), async () => void (await job()));
  const elapsedS = (performance.now() - startedAt) / 1_000;
  return { job: name, ...timesOf('one', times), 'all cores, a second': rounded(options.runs / elapsedS, 1) };
}

async function measureDocument(engine: X2tEngine, pages: number): Promise<Row[]> {
  const source: X2tSource = { bytes: longDocument(pages), fileType: 'docx' };
  const opened = await engine.open(source);
  const name = `docx, ${pages} page(s), ${Math.round(source.bytes.length / 1_024)} KB`;
  return [
    await measure(`open ${name}`, () => engine.open(source)),
    await measure(`assemble ${name}`, () => engine.assemble({ ...opened, changes: ['[]'], toType: 'docx' })),
    await measure(`to PDF ${name}`, () => engine.convert(source, 'pdf')),
    await measure(`to text ${name}`, () => engine.convert({ ...source, options: { encoding: 46 } }, 'txt')),
  ];
}

async function measureTable(engine: X2tEngine): Promise<Row[]> {
  const lines = Array.from({ length: 5_000 }, (_, row) => `${row};text ${row};=A${row + 1}*2`);
  const csv = {
    bytes: Buffer.from(lines.join('\n')),
    fileType: 'csv',
    options: { encoding: 46, delimiter: 2 },
  };
  const table = { bytes: await engine.convert(csv, 'xlsx'), fileType: 'xlsx' };
  const opened = await engine.open(table);
  return [
    await measure('open xlsx, 15,000 cells', () => engine.open(table)),
    await measure('assemble xlsx, 15,000 cells', () =>
      engine.assemble({ ...opened, changes: ['[]'], toType: 'xlsx' }),
    ),
  ];
}

const config = loadConfig(processEnvironment());
const installation = await findX2t(config);
if (!installation) throw new Error('x2t is not installed: run `quire install x2t`, or set X2T_DIR.');
const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-bench-x2t-'));
try {
  const engine = await X2tEngine.start(installation, {
    dataDir: directory,
    timeoutMs: 120_000,
    memoryMb: config.converterMemoryMb,
    log: { warn: (_fields: unknown, message?: string) => progress(message ?? '') },
  });
  const rows = [
    ...(await measureDocument(engine, 1)),
    ...(await measureDocument(engine, options.pages)),
    ...(await measureTable(engine)),
  ];
  report('x2t', { ...options, version: installation.version }, rows);
} finally {
  await rm(directory, { recursive: true, force: true });
}
