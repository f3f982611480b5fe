/**
 * The calculation engine of spreadsheets: how fast it is, and whether it gives the values that other programs have stored in
 * their files. Cells that depend on time or chance, and formulas with references to other workbooks or with functions of macros,
 * are left out of the comparison; a cell whose formula is not calculated (`docs/spreadsheets.md`) counts as different, unless `--stale kept`.
 *
 *     node dist/bench/calculation.js [--files DIR] [--differences 0] [--stale different] [--rows 10000]
 *
 * `--files`: compares all xlsx and xlsm below this folder; `--differences`: shows so many of each file.
 */
import './support/help.ts';

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type CellValue, type Change, isFormula, type Workbook } from '../model/calculation/calculation.ts';
import { compileEngine, type EngineModule } from '../model/calculation/engine-instance.ts';
import { openCalculation } from '../model/calculation/workbook-calculation.ts';
import { CalculationFeed, type CalculationRequest } from '../model/cell/calculation-feed.ts';
import { CalculationHost } from '../model/cell/calculation-host.ts';
import { applyOperation } from '../model/cell/change.ts';
import { parseWorkbook, WORKBOOK_FORMAT } from '../model/cell/document.ts';
import { movedSheets } from '../model/cell/moved-sheets.ts';
import type { CellOperation } from '../model/cell/operations.ts';
import { WORKBOOK_VERSION } from '../model/cell/version.ts';
import type { Workbook as ModelWorkbook } from '../model/cell/workbook.ts';
import { packageRoot } from '../platform/package-root.ts';
import { progress, type Row, report, rounded } from './support/report.ts';
import { readWorkbookFile } from './support/workbook-file.ts';

const { values: options } = parseArgs({
  options: {
    files: { type: 'string' },
    differences: { type: 'string', default: '0' },
    stale: { type: 'string', default: 'different' },
    rows: { type: 'string', default: '10000' },
  },
});
const moment = { timeMs: Date.UTC(2026, 0, 15, 12), timeZone: 'UTC', seed: 1 };
const wasm = readFileSync(path.join(packageRoot, 'model', 'calculation', 'engine', 'calculation.wasm'));

/** Runs `task`; gives the milliseconds of processor time that it took. */
function cost(task: () => void): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return rounded((user + system) / 1000, 1);
}

function workbookOf(changes: readonly Change[]): Workbook {
  const content = new Map(
    changes.flatMap((change) =>
      'content' in change ? [[`${change.row}:${change.column}`, change.content]] : [],
    ),
  );
  return {
    sheets: ['Sheet'],
    names: [],
    tables: [],
    from1904: false,
    iterates: false,
    changes: () => changes,
    content: (_sheet, row, column) => content.get(`${row}:${column}`) ?? null,
  };
}

interface Step {
  what: string;
  changes?: readonly Change[];
}

/** Cells of one sheet, and what is then done to them. */
interface Case {
  name: string;
  changes: Change[];
  edits: readonly Step[];
}

const value = (row: number, column: number, content: CellValue): Change => ({
  sheet: 0,
  row,
  column,
  content,
});
const formula = (row: number, column: number, text: string): Change => ({
  sheet: 0,
  row,
  column,
  content: { formula: text, kind: 'single' },
});

/** Ten numbers a row, their sum, and a formula that reads the sum and the first cell. */
function table(rows: number): Case {
  const changes: Change[] = [];
  for (let row = 1; row <= rows; row++) {
    for (let column = 1; column <= 10; column++) changes.push(value(row, column, row * column * 1.37));
    changes.push(formula(row, 11, `SUM(A${row}:J${row})`), formula(row, 12, `K${row}*1.1+$A$1`));
  }
  return {
    name: `${rows * 10} numbers and ${rows * 2} formulas`,
    changes,
    edits: [
      ...[1, 2, 3, 4, 5].map((turn) => ({
        what: `one value with ${rows} dependents`,
        changes: [value(1, 1, turn)],
      })),
      { what: 'one value with 2 dependents', changes: [value(500, 2, 7)] },
      { what: 'one value that nothing reads', changes: [value(500, 14, 7)] },
    ],
  };
}

function lookups(rows: number): Case {
  const changes: Change[] = [];
  for (let row = 1; row <= rows; row++) changes.push(value(row, 1, `key ${row}`), value(row, 2, row));
  const count = Math.floor(rows / 4);
  for (let row = 1; row <= count; row++)
    changes.push(
      value(row, 4, `key ${row * 3}`),
      formula(row, 5, `VLOOKUP(D${row},$A$1:$B$${rows},2,FALSE)`),
    );
  return {
    name: `${count} exact lookups in ${rows} rows`,
    changes,
    edits: [
      { what: 'one value looked for', changes: [value(7, 4, 'key 5')] },
      { what: 'one value looked through', changes: [value(9, 1, 'key nine')] },
      { what: 'one value that nothing reads', changes: [value(500, 14, 7)] },
    ],
  };
}

function criteria(rows: number): Case {
  const changes: Change[] = [];
  const count = Math.floor(rows / 4);
  for (let row = 1; row <= rows; row++) changes.push(value(row, 1, `key ${row % count}`), value(row, 2, row));
  for (let row = 1; row <= count; row++) {
    changes.push(value(row, 4, `key ${row}`));
    changes.push(formula(row, 5, `SUMIF($A$1:$A$${rows},D${row},$B$1:$B$${rows})`));
  }
  return {
    name: `${count} sums with a criterion over ${rows} rows`,
    changes,
    edits: [
      { what: 'one criterion', changes: [value(7, 4, 'key 5')] },
      { what: 'one value added up', changes: [value(9, 2, 1)] },
    ],
  };
}

function growingSums(rows: number): Case {
  const count = Math.floor(rows / 2);
  const changes: Change[] = [];
  for (let row = 1; row <= count; row++)
    changes.push(value(row, 1, row), formula(row, 2, `SUM($A$1:A${row})`));
  return {
    name: `${count} growing sums`,
    changes,
    edits: [
      { what: 'the last value', changes: [value(count, 1, 7)] },
      { what: 'one value that nothing reads', changes: [value(500, 14, 7)] },
    ],
  };
}

function speeds(module: EngineModule, rows: number): Row[] {
  return [table(rows), lookups(rows), criteria(rows), growingSums(rows)].flatMap((one) =>
    speedsOf(module, one),
  );
}

function speedsOf(module: EngineModule, { name, changes, edits }: Case): Row[] {
  const workbook = workbookOf(changes);
  const before = process.memoryUsage().rss;
  let calculation!: ReturnType<typeof openCalculation>;
  const result: Row[] = [];
  const step = (what: string, task: () => number | undefined) => {
    let told: number | undefined;
    const ms = cost(() => {
      told = task();
    });
    result.push({ what, 'ms CPU': ms, ...(told !== undefined && { results: told }) });
  };
  step(`${name}: load`, () => {
    calculation = openCalculation(module, workbook);
    return undefined;
  });
  for (const { what, changes: made = [] } of [{ what: 'first calculation' }, ...edits] as readonly Step[]) {
    step(what, () => {
      calculation.apply(made);
      calculation.recalculate(moment);
      return calculation.changed().length;
    });
  }
  result.push({
    what: 'memory of the process, MB more',
    results: rounded((process.memoryUsage().rss - before) / 2 ** 20, 0),
  });
  return result;
}

/** The same numbers and formulas as `table` has, as a workbook of the model. */
function modelTable(rows: number): ModelWorkbook {
  const rowOf = (_: unknown, at: number) => {
    const row = at + 1;
    const numbers = Array.from({ length: 10 }, (_unused, column) => [column, 0, row * (column + 1) * 1.37]);
    const formulas = [
      [10, 0, { f: `SUM(A${row}:J${row})` }],
      [11, 0, { f: `K${row}*1.1+$A$1` }],
    ];
    return [0, 0, ...numbers.flat(), ...formulas.flat()];
  };
  return parseWorkbook({
    format: WORKBOOK_FORMAT,
    version: WORKBOOK_VERSION,
    formats: [{}],
    sheets: [{ id: 's1', properties: { name: 'Sheet' }, rows: Array.from({ length: rows }, rowOf) }],
  });
}

/** Rows put in and taken out: what it costs to say what differs, and to calculate. */
function movedRows(module: EngineModule, rows: number, movesRows: boolean): Row[] {
  const [feed, host] = [
    new CalculationFeed('en', () => (movesRows ? movedSheets : undefined)),
    new CalculationHost(module),
  ];
  const tell = (workbook: ModelWorkbook) => {
    let requests: CalculationRequest[] = [];
    const tellingMs = cost(() => {
      requests = [...feed.next(workbook)].map((request) => structuredClone(request));
    });
    let told = 0;
    const calculatingMs = cost(() => {
      for (const request of requests) told += host.take(request)?.values.length ?? 0;
    });
    return { 'telling ms CPU': tellingMs, 'ms CPU': calculatingMs, results: told };
  };
  let workbook = modelTable(rows);
  tell(workbook);
  const lines = { sheet: 's1', axis: 'row', count: 1 } as const;
  const steps: readonly (readonly [what: string, operation: CellOperation])[] = [
    ...[9, 9, 9].map((at) => ['a row put in below the heading', { op: 'insert', ...lines, at }] as const),
    ['a row put in in the middle', { op: 'insert', ...lines, at: rows / 2 }],
    ['a row taken out below the heading', { op: 'delete', ...lines, at: 9 }],
    ['a row put in above all', { op: 'insert', ...lines, at: 0 }],
  ];
  return steps.map(([what, operation]) => {
    workbook = applyOperation(workbook, operation) as ModelWorkbook;
    return { what: `${what}, told ${movesRows ? 'as such' : 'cell by cell'}`, ...tell(workbook) };
  });
}

/** Two moments that make everything different that depends on time or chance. */
const moments = [moment, { timeMs: Date.UTC(2031, 6, 4, 3), timeZone: 'UTC', seed: 99 }] as const;
const otherWorkbook = /\[\d+\]|\.xls/i;
/** They tell of the machine or of where a document lies. */
const ofTheMachine = /\b(CELL|INFO)\(/i;

function isEqual(stored: CellValue, value: CellValue | undefined): boolean {
  if (value === undefined) return false;
  if (typeof stored === 'object' || typeof value === 'object') {
    return typeof stored === 'object' && typeof value === 'object' && stored.error === value.error;
  }
  if (typeof stored === 'number' && typeof value === 'number') {
    return stored === value || Math.abs(stored - value) <= 5e-8 * Math.max(1, Math.abs(stored));
  }
  // Some writers store booleans as numbers and numbers as texts.
  if (typeof stored === 'boolean') return Number(stored) === Number(value);
  if (typeof stored === 'string')
    return stored === String(value) || (stored !== '' && Number(stored) === value);
  return false;
}

const totals = { files: 0, equalFiles: 0, cells: 0, equal: 0, stale: 0, leftOut: 0, failures: 0 };
const seen = new Set<string>();
const worst: { file: string; different: number; cells: number }[] = [];
const why = new Map<string, number>();

function compare(module: EngineModule, file: string, folder: string): void {
  let book: ReturnType<typeof readWorkbookFile>;
  try {
    const bytes = readFileSync(file);
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (seen.has(hash)) return;
    seen.add(hash);
    book = readWorkbookFile(bytes);
  } catch {
    return;
  }
  const cells = new Map(
    book.changes.flatMap((change) =>
      'content' in change ? [[`${change.sheet}:${change.row}:${change.column}`, change.content]] : [],
    ),
  );
  const formulas = [...cells].filter(
    ([, content]) =>
      isFormula(content) &&
      content.stored !== undefined &&
      !ofTheMachine.test(content.formula) &&
      !otherWorkbook.test(content.formula),
  );
  if (formulas.length === 0) return;
  const workbook: Workbook = {
    ...book,
    changes: () => book.changes,
    content: (sheet, row, column) => cells.get(`${sheet}:${row}:${column}`) ?? null,
  };
  const name = path.relative(folder, file);
  const results = new Map<string, CellValue | null>();
  const fleeting = new Set<string>();
  let calculation: ReturnType<typeof openCalculation>;
  const startedAt = performance.now();
  try {
    calculation = openCalculation(module, workbook);
    calculation.recalculate(moments[0]);
    for (const { sheet, row, column, value } of calculation.changed())
      results.set(`${sheet}:${row}:${column}`, value);
    calculation.recalculate(moments[1]);
    for (const { sheet, row, column } of calculation.changed()) fleeting.add(`${sheet}:${row}:${column}`);
  } catch (error) {
    totals.failures += 1;
    progress(`${name}: ${error}`);
    return;
  }
  const elapsedMs = performance.now() - startedAt;
  if (elapsedMs > 2000) progress(`${name}: ${Math.round(elapsedMs)} ms`);
  let different = 0;
  for (const [key, content] of formulas) {
    if (!isFormula(content)) continue;
    const [sheet, row, column] = key.split(':').map(Number) as [number, number, number];
    const stale = calculation.stale(sheet, row, column);
    if (stale === 'unknown-function' || stale === 'external' || fleeting.has(key)) {
      totals.leftOut += 1;
      continue;
    }
    totals.cells += 1;
    if (stale !== undefined) {
      totals.stale += 1;
      why.set(stale, (why.get(stale) ?? 0) + 1);
    }
    const value = results.get(key) ?? undefined;
    if (stale === undefined || options.stale === 'kept' ? isEqual(content.stored!, value) : false) {
      totals.equal += 1;
      continue;
    }
    different += 1;
    if (different <= Number(options.differences)) {
      progress(`${name} ${key} ${stale ?? ''} =${content.formula.slice(0, 160)}`);
      progress(`    stored ${JSON.stringify(content.stored)} calculated ${JSON.stringify(value)}`);
    }
  }
  totals.files += 1;
  if (different === 0) totals.equalFiles += 1;
  else worst.push({ file: name, different, cells: formulas.length });
}

const module = compileEngine(wasm);
const rows: Row[] = options.rows === '0' ? [] : speeds(module, Number(options.rows));
if (options.rows !== '0')
  for (const movesRows of [false, true, false, true])
    rows.push(...movedRows(module, Number(options.rows), movesRows));
if (options.files !== undefined) {
  const folder = options.files;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.xls[xm]$/i.test(name),
  );
  for (const name of names.sort()) compare(module, path.join(folder, name), folder);
  worst.sort((a, b) => b.different - a.different);
  for (const { file, different, cells } of worst.slice(0, 40))
    progress(`${different} of ${cells} differ: ${file}`);
  rows.push({
    what: `values of ${totals.files} files equal, of ${totals.cells}`,
    results: totals.equal,
    '%': rounded((100 * totals.equal) / totals.cells),
  });
}
report('calculation', options, rows, { totals, stale: Object.fromEntries(why) });
