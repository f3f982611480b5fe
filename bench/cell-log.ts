/**
 * What it costs to replay a log of 10,000 operations on a workbook of 120,000 cells, 20,000 of them formulas, and what single
 * operations cost on it. CPU time of this process, user and system; the log as the converter and every newcomer read it, from its texts.
 * Run: npm run build && node dist/bench/cell-log.js
 */
import './support/help.ts';

import { applyChange, applyOperation, encodeChange } from '../model/cell/change.ts';
import { blankWorkbook, parseWorkbook, type RowJson, workbookJsonOf } from '../model/cell/document.ts';
import type { CellOperation } from '../model/cell/operations.ts';
import type { Workbook } from '../model/cell/workbook.ts';
import { columnName } from '../model/cell-address.ts';

const ROWS = 10_000;
const VALUE_COLUMNS = 10;
const FORMULA_COLUMNS = 2;
const OPERATIONS = 10_000;
/** One of so many operations inserts, deletes or moves rows or columns. */
const STRUCTURE_EVERY = 100;

function workbookText(): string {
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const values = Array.from({ length: VALUE_COLUMNS }, (_unused, column) => [column, 0, row * column]);
    const formulas = Array.from({ length: FORMULA_COLUMNS }, (_unused, at) => {
      const column = VALUE_COLUMNS + at;
      const range = `${columnName(at)}${row + 1}:${columnName(column - 1)}${row + 1}`;
      return [column, 0, { f: `SUM(${range})+$A$${(row % 100) + 1}`, v: row }];
    });
    return [0, 0, ...values.flat(), ...formulas.flat()] as unknown as RowJson;
  });
  return JSON.stringify({ ...blankWorkbook(), sheets: [{ id: 's1', properties: { name: 'Data' }, rows }] });
}

function operationAt(at: number): CellOperation {
  const sheet = 's1';
  const row = (at * 7_919) % ROWS;
  if (at % STRUCTURE_EVERY === 0) {
    const kind = (at / STRUCTURE_EVERY) % 4;
    if (kind === 0) return { op: 'insert', sheet, axis: 'row', at: row, count: 1, like: 'before' };
    if (kind === 1) return { op: 'delete', sheet, axis: 'row', at: row, count: 1 };
    if (kind === 2) return { op: 'move', sheet, axis: 'row', at: row, count: 2, to: (row * 3) % ROWS };
    return { op: 'insert', sheet, axis: 'row', at: row, count: 2 };
  }
  if (at % 10 === 1) return { op: 'set', sheet, cells: [[row, 15, { f: `SUM(A${row + 1}:C${row + 9})` }]] };
  if (at % 10 === 2) {
    return { op: 'format', sheet, areas: [[row, 0, row + 3, 4]], patch: { font: { bold: at % 20 === 2 } } };
  }
  return { op: 'set', sheet, cells: [[row, at % VALUE_COLUMNS, { v: at }]] };
}

function timed<Result>(name: string, run: () => Result): Result {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  console.log(`${name.padEnd(52)} ${((user + system) / 1_000).toFixed(1).padStart(9)} ms of CPU`);
  return result;
}

const megabytes = (): string => `${Math.round(process.memoryUsage().heapUsed / 1_048_576)} MB of heap`;

const text = workbookText();
console.log(`workbook as JSON: ${(text.length / 1_048_576).toFixed(1)} MB`);
const json = timed('parse its JSON', () => JSON.parse(text) as unknown);
const workbook = timed('read the workbook', () => parseWorkbook(json));
globalThis.gc?.();
console.log(`with the workbook: ${megabytes()}`);

const changes = Array.from({ length: OPERATIONS }, (_, at) => encodeChange('bench', operationAt(at), at));
let skipped = 0;
const replayed = timed(`replay ${OPERATIONS} operations, ${OPERATIONS / STRUCTURE_EVERY} of structure`, () =>
  changes.reduce<Workbook>((current, change) => {
    const after = applyChange(current, change);
    if (typeof after === 'string') skipped += 1;
    return typeof after === 'string' ? current : after;
  }, workbook),
);
if (skipped > 0) throw new Error(`${skipped} operations were skipped`);

const one = (name: string, operation: CellOperation) =>
  timed(name, () => {
    const after = applyOperation(replayed, operation);
    if (typeof after === 'string') throw new Error(`${name}: ${after}`);
    return after;
  });
one('set one cell', { op: 'set', sheet: 's1', cells: [[5_000, 3, { v: 1 }]] });
one('insert a row in the middle', { op: 'insert', sheet: 's1', axis: 'row', at: 5_000, count: 1 });
one('insert a row at the top', { op: 'insert', sheet: 's1', axis: 'row', at: 0, count: 1 });
one('insert a column at the left', { op: 'insert', sheet: 's1', axis: 'column', at: 0, count: 1 });
const order = Array.from({ length: ROWS - 1 }, (_, at) => ROWS - 1 - at);
one('sort all rows', { op: 'sort', sheet: 's1', axis: 'row', band: [0, 11], order });
one('format a column', {
  op: 'format',
  sheet: 's1',
  areas: [[0, 2, 1_048_575, 2]],
  patch: { number: '0.00' },
});
timed('write the workbook as JSON', () => JSON.stringify(workbookJsonOf(replayed)));
console.log(`at the end: ${megabytes()}`);
