/**
 * CPU time (user and system, this process with the thread that calculates) of opening an xlsx and of making its file anew, with
 * everything that formulas come to, by an engine that has done so before: a workbook of a few cells, and one of 175,000 cells, 29,000 of
 * them formulas. Memory is that of this process: what its threads hold, and the most that it ever had.
 *
 *     node dist/bench/workbook-saves.js [--runs 15] [--rows 14584] [--profile FILE]
 *
 * With Node's `--expose-gc` memory is that after a collection. `--rows`: of the large workbook, twelve cells each; `--profile`: leaves a CPU profile of the large workbook's saves there.
 */
import './support/help.ts';

import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ThreadCalculation } from '../converter/engines/ooxml/xlsx/calculation.ts';
import { openXlsx, xlsxEngine } from '../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { cellModel } from '../model/cell/cell-model.ts';
import { parseWorkbook } from '../model/cell/document.ts';
import type { CellOperation } from '../model/cell/operations.ts';
import type { CellValue } from '../model/cell/values.ts';
import { numbersFrom } from './support/bench-run.ts';
import { largeWorkbook } from './support/large-workbook.ts';
import { percentile, progress, type Row, report, rounded } from './support/report.ts';

const options = numbersFrom({ runs: 15, rows: 14_584 });
const { profile } = parseArgs({ options: { profile: { type: 'string' } }, strict: false }).values;
const WARM_UP_RUNS = 5;

const calculating = xlsxEngine(new ThreadCalculation({ patienceMs: 120_000 }).values);
const plain = xlsxEngine();

/** CPU milliseconds that some work took, this process with its threads. */
function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function warm(work: (run: number) => unknown): Promise<{ cpu: number[]; wall: number[] }> {
  const [cpu, wall]: [number[], number[]] = [[], []];
  for (let run = 0; run < WARM_UP_RUNS + options.runs; run++) {
    const started = performance.now();
    const used = cpuMs(() => work(run));
    if (run >= WARM_UP_RUNS) {
      cpu.push(used);
      wall.push(performance.now() - started);
    }
    // What is thrown away is collected between the runs of a thread, too.
    await pause();
  }
  return { cpu, wall };
}

const tailOf = (operation: CellOperation) => ({
  checkpoint: null,
  changes: [cellModel.encode('bench', operation, 0)],
  wantsCheckpoint: false,
});

interface Workbook {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The sum in the last but one cell of the second row, without what stands in D2. */
  readonly rest: number;
  readonly column: number;
}

/** The file with D2 set: what depends on it must be in it. */
function savedWithOneCell({ bytes, rest, column }: Workbook, run: number): Uint8Array {
  const [{ sheets }, value] = [openXlsxOnce(bytes), 5_000 + run];
  const set: CellOperation = { op: 'set', sheet: sheets[0]!.id, cells: [[1, 3, { v: value }]] };
  const saved = calculating.assemble(bytes, tailOf(set), {}).bytes;
  lastSaved = { bytes: saved, column, expected: rest + value };
  return saved;
}

let lastSaved: { bytes: Uint8Array; column: number; expected: number };
const opened = new Map<Uint8Array, ReturnType<typeof openXlsx>['model']>();
const openXlsxOnce = (bytes: Uint8Array) => {
  const model = opened.get(bytes) ?? openXlsx(bytes).model;
  opened.set(bytes, model);
  return model;
};

function valueIn(bytes: Uint8Array, row: number, column: number): CellValue {
  return parseWorkbook(openXlsx(bytes).model).sheets[0]!.grid.cell(row, column).value;
}

async function measure(workbook: Workbook): Promise<Row[]> {
  const { name, bytes } = workbook;
  progress(`${name}, ${Math.round(bytes.length / 1024)} KB`);
  const sheet = openXlsxOnce(bytes).sheets[0]!.id;
  const insert: CellOperation = { op: 'insert', sheet, axis: 'row', at: 1, count: 1 };
  const oneCell: CellOperation = { op: 'set', sheet, cells: [[1, 3, { v: 1 }]] };
  const works: readonly (readonly [string, (run: number) => unknown])[] = [
    ['opening', () => openXlsx(bytes)],
    ['saving with one cell set, nothing calculated', () => plain.assemble(bytes, tailOf(oneCell), {})],
    ['saving with one cell set', (run) => savedWithOneCell(workbook, run)],
    ['saving with a row inserted', () => calculating.assemble(bytes, tailOf(insert), {})],
  ];
  const rows: Row[] = [];
  for (const [what, work] of works) {
    const { cpu, wall } = await warm(work);
    rows.push({
      workbook: name,
      what,
      'CPU p50 ms': rounded(percentile(cpu, 0.5), 1),
      'CPU p95 ms': rounded(percentile(cpu, 0.95), 1),
      'wall p50 ms': rounded(percentile(wall, 0.5), 1),
    });
  }
  const value = valueIn(lastSaved.bytes, 1, lastSaved.column);
  if (value !== lastSaved.expected) throw new Error(`${name}: ${value} instead of ${lastSaved.expected}`);
  globalThis.gc?.();
  const { heapUsed, rss, arrayBuffers } = process.memoryUsage();
  const megabytes = (bytesOf: number) => rounded(bytesOf / 2 ** 20, 0);
  rows.push({
    workbook: name,
    what: 'memory afterwards',
    'heap MB': megabytes(heapUsed),
    'buffers MB': megabytes(arrayBuffers),
    'process MB': megabytes(rss),
    'most MB': megabytes(process.resourceUsage().maxRSS * 1024),
  });
  return rows;
}

/** A workbook of so many rows, ten values and two formulas in each. */
function workbookOf(name: string, rows: number): Workbook {
  let rest = 0;
  for (let column = 4; column < 10; column++) rest += ((1 * column) % 997) / 4;
  return { name, bytes: largeWorkbook({ rows, values: 10, formulas: true }), rest, column: 10 };
}

const small = await measure(workbookOf('24 cells', 2));
const session = profile ? new Session() : null;
if (session) {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
}
const large = await measure(workbookOf(`${options.rows * 12} cells`, options.rows));
if (session) await writeFile(String(profile), JSON.stringify((await session.post('Profiler.stop')).profile));
report('workbook-saves', options, [...small, ...large]);
process.exit(0);
