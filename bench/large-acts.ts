/**
 * What acts on all cells of a large sheet cost the page of the person who does them: bold and cleared columns, each taken back and made
 * again, and a cell that somebody else sets while they can be taken back. CPU time of this process, user and system, with what the
 * calculation is told; the texts that are sent; and, with Node's `--expose-gc`, how much more memory is kept than before the act: what
 * takes it back, and the cells as they are now in place of those that they were.
 *
 *     node dist/bench/large-acts.js [--rows 190000] [--columns 10] [--profile FILE]
 *
 * `--profile`: leaves a CPU profile of the acts there.
 */
import './support/help.ts';

import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { parseArgs } from 'node:util';
import { type CellChange, CellReplica } from '../client/cell/cell-replica.ts';
import { differences } from '../model/cell/calculation-feed.ts';
import { encodeChange } from '../model/cell/change.ts';
import { blankWorkbook, parseWorkbook, type RowJson } from '../model/cell/document.ts';
import type { CellOperation } from '../model/cell/operations.ts';
import type { Workbook } from '../model/cell/workbook.ts';
import { numbersFrom } from './support/bench-run.ts';
import { progress, type Row, report, rounded } from './support/report.ts';

const options = numbersFrom({ rows: 190_000, columns: 10 });
const { profile } = parseArgs({ options: { profile: { type: 'string' } }, strict: false }).values;
const sheet = 's1';

/** Numbers and words; every third column looks otherwise. */
function largeSheet(): Workbook {
  const rows = Array.from(
    { length: options.rows },
    (_, row) =>
      [
        ...[0, 0],
        ...Array.from({ length: options.columns }, (_unused, column) => [
          ...[column, column % 3 === 0 ? 1 : 0],
          column === 1 ? `word ${row % 1_000}` : (row * column) % 9_973,
        ]).flat(),
      ] as unknown as RowJson,
  );
  return parseWorkbook({
    ...blankWorkbook(),
    formats: [{}, { fill: { pattern: 'solid', color: { rgb: 'FFEEAA' } } }],
    sheets: [{ id: sheet, properties: { name: 'Data' }, rows }],
  });
}

let number = 0;
const replica = new CellReplica({
  document: largeSheet(),
  version: 0,
  nextName: () => ({ clientId: 'bench', number: number++ }),
  holderOf: () => null,
  hasLocks: () => false,
  when: () => [Date.UTC(2026, 0, 1), 7],
  onChange: () => undefined,
});

const heapMb = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** What the calculation is told of a change, as the page does. */
function told(before: Workbook): number {
  let count = 0;
  for (const _change of differences(before, replica.document)) count++;
  return count;
}

const rows: Row[] = [];
function measure(what: string, change: CellChange): void {
  progress(what);
  let before: Workbook | null = replica.document;
  const heap = heapMb();
  const act = cpuMs(() => replica.dispatch(change));
  const telling = cpuMs(() => told(before!));
  // Nobody needs it any more.
  before = null;
  const made = replica.local.map(({ operation }) => operation);
  const chars = made.reduce((sum, operation) => sum + encodeChange('bench', operation, 0).length, 0);
  replica.acknowledge(made.length);
  rows.push({
    what,
    'CPU ms': rounded(act, 0),
    'telling the calculation ms': rounded(telling, 0),
    changes: made.length,
    'sent MB': rounded(chars / 2 ** 20, 2),
    'kept MB': rounded(heapMb() - heap, 0),
  });
}

/** Somebody else sets a cell, and what can be taken back goes on behind that. */
function othersSet(what: string, row: number): void {
  const set: CellOperation = { op: 'set', sheet, cells: [[row, 2, { v: 'theirs' }]] };
  const cpu = cpuMs(() => replica.rebase([{ operation: set, name: null }]));
  rows.push({ what, 'CPU ms': rounded(cpu, 1) });
}

const areas = [[0, 0, 1_048_575, options.columns - 1]] as const;
const session = profile ? new Session() : null;
if (session) {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
}
measure('bold', { operations: [{ op: 'format', sheet, areas, patch: { font: { bold: true } } }] });
othersSet('a cell of others meanwhile', 20);
measure('bold, taken back', { history: 'undo' });
measure('bold, made again', { history: 'redo' });
measure('contents cleared', { operations: [{ op: 'clear', sheet, areas, part: 'content' }] });
othersSet('a cell of others meanwhile', 40);
othersSet('another one, beside the data', options.rows + 9);
measure('cleared, taken back', { history: 'undo' });
measure('cleared, made again', { history: 'redo' });
if (session) await writeFile(String(profile), JSON.stringify((await session.post('Profiler.stop')).profile));
report('large-acts', options, rows);
