/**
 * What workbooks keep when they are opened as spreadsheets of ours and written again: each file of a folder is saved untouched;
 * then with some cells set, which must leave all else as it was; then with a row inserted in the middle of each sheet, which
 * LibreOffice does to the same file, and the formulas and values of both are compared.
 *
 *     node dist/bench/workbooks.js --files DIR [--office] [--python PYTHON] [--limit 1000] [--shown 20]
 *
 * `--office`: compare with LibreOffice (needs its UNO for /usr/bin/python3); `--python`: one that has openpyxl, to read results
 * with as well; `--shown`: so many examples of differences are shown.
 */
import './support/help.ts';

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { OfficePackage } from '../converter/engines/ooxml/package/office-package.ts';
import { xlsxEngine } from '../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { ConversionError } from '../converter/errors.ts';
import { cellModel } from '../model/cell/cell-model.ts';
import { parseWorkbook, workbookJsonOf } from '../model/cell/document.ts';
import type { CellOperation } from '../model/cell/operations.ts';
import type { Workbook } from '../model/cell/workbook.ts';
import { packageRoot } from '../platform/package-root.ts';
import { LineProcess } from './support/line-process.ts';
import { percentile, progress, type Row, report, rounded } from './support/report.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string' },
    office: { type: 'boolean', default: false },
    python: { type: 'string' },
    limit: { type: 'string', default: '1000' },
    shown: { type: 'string', default: '20' },
  },
});
if (!values.files) throw new Error('say where the files are: --files DIR');
const directory = values.files;
const engine = xlsxEngine();
const support = path.join(packageRoot, 'bench/support');
const folder = await mkdtemp(path.join(os.tmpdir(), 'quire-workbooks-'));
const office = values.office
  ? new LineProcess('/usr/bin/python3', [path.join(support, 'workbook-office.py')])
  : undefined;
const openpyxl = values.python
  ? new LineProcess(values.python, [path.join(support, 'workbook-openpyxl.py')])
  : undefined;

const counts = new Map<string, number>();
const count = (what: string, by = 1) => counts.set(what, (counts.get(what) ?? 0) + by);
const examples: string[] = [];
const openMs: number[] = [];
const saveMs: number[] = [];

function cpuMs<T>(times: number[], act: () => T): T {
  const before = process.cpuUsage();
  const result = act();
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1000);
  return result;
}

function assembled(bytes: Uint8Array, operations: readonly CellOperation[]): Uint8Array {
  const changes = operations.map((operation, index) => cellModel.encode('bench', operation, index));
  return engine.assemble(bytes, { checkpoint: null, changes, wantsCheckpoint: false }, {}).bytes;
}

function afterwards(workbook: Workbook, operations: readonly CellOperation[]): Workbook {
  return operations.reduce((doc, operation) => {
    const next = cellModel.apply(doc, cellModel.encode('bench', operation, 0), null);
    return typeof next === 'string' ? doc : next;
  }, workbook);
}

const cellSheets = ({ sheets }: Workbook) =>
  sheets.filter(({ properties }) => (properties.type ?? 'cells') === 'cells');
/** Which format a format was made from is not written. */
const jsonOf = (workbook: Workbook) =>
  JSON.stringify(workbookJsonOf(workbook), (name, value) => (name === 'base' ? undefined : value));
const isEqual = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

/** Parts that differ, of two packages. */
function changedParts(before: Uint8Array, after: Uint8Array): string[] {
  const [one, other] = [new OfficePackage(before), new OfficePackage(after)];
  const names = new Set([...one.archive.entries, ...other.archive.entries].map(({ name }) => name));
  const recordOf = ({ archive }: OfficePackage, name: string) => {
    const entry = archive.find(name);
    return entry && `${entry.crc} ${entry.sizeBytes}`;
  };
  return [...names].filter((name) => recordOf(one, name) !== recordOf(other, name));
}

/** Parts that setting a cell may change: its sheet, and, where there are formulas, what says that they are to be calculated. */
const mayChange = /(?:^|\/)(?:workbook\d*\.xml(?:\.rels)?|calcChain\.xml|\[Content_Types\]\.xml)$/i;

const cellsSet = [
  [0, 0, 'Quire <&> here'],
  [2, 1, 42],
  [4_999, 2, true],
] as const;

async function setCells(file: string, bytes: Uint8Array, workbook: Workbook): Promise<void> {
  const [sheet] = cellSheets(workbook);
  if (!sheet) return;
  const cells = cellsSet.map(([row, column, v]) => [row, column, { v }] as const);
  const operations: CellOperation[] = [{ op: 'set', sheet: sheet.id, cells }];
  const saved = cpuMs(saveMs, () => assembled(bytes, operations));
  const others = changedParts(bytes, saved).filter((name) => !mayChange.test(name));
  if (others.length > 1) note('cells set: other parts changed', `${file}: ${others.join()}`);
  const expected = jsonOf(afterwards(workbook, operations));
  const reopened = jsonOf(parseWorkbook(engine.open(saved).model));
  if (expected === reopened) count('cells set: all else as it was');
  else note('cells set: something else changed', `${file}: ${difference(expected, reopened)}`);
  if (!openpyxl) return;
  const [before, after] = await Promise.all([stored('before', bytes), stored('after', saved)]);
  const except = cellsSet.map(([row, column]) => [sheet.properties.name, row + 1, column + 1]);
  const answer = await openpyxl.ask<{ error?: string; failed?: string; cells: number; other: unknown[] }>({
    ...{ before, after, except },
  });
  if (answer.error !== undefined) count('openpyxl does not read the file itself');
  else if (answer.failed !== undefined)
    note('openpyxl does not read the result', `${file}: ${answer.failed}`);
  else if (answer.other.length > 0)
    note('openpyxl sees other cells changed', `${file}: ${JSON.stringify(answer.other)}`);
  else count('openpyxl sees nothing else changed');
}

function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return `…${one.slice(at - 40, at + 80)}… / …${other.slice(at - 40, at + 80)}…`;
}

function note(what: string, example: string): void {
  count(what);
  if (examples.length < Number(values.shown)) examples.push(`${what}: ${example}`);
}

async function stored(name: string, bytes: Uint8Array): Promise<string> {
  const file = path.join(folder, `${name}.xlsx`);
  await writeFile(file, bytes);
  return file;
}

type ReadSheets = readonly (readonly [
  string,
  readonly (readonly [number, number, string, string | number])[],
])[];
interface OfficeAnswer {
  readonly error?: string;
  readonly sheets: ReadSheets;
}

const volatile = /\b(?:RAND|RANDBETWEEN|RANDARRAY|NOW|TODAY|CELL|INFO)\b|\bcom\.sun/i;

async function insertRows(file: string, bytes: Uint8Array, workbook: Workbook): Promise<void> {
  const places = workbook.sheets.map((sheet) =>
    (sheet.properties.type ?? 'cells') === 'cells' ? Math.max(1, sheet.grid.height >> 1) : null,
  );
  const operations = workbook.sheets.flatMap(({ id }, index): CellOperation[] => {
    const at = places[index];
    return at === null || at === undefined ? [] : [{ op: 'insert', axis: 'row', sheet: id, at, count: 1 }];
  });
  const saved = assembled(bytes, operations);
  const expected = jsonOf(afterwards(workbook, operations));
  const reopened = jsonOf(parseWorkbook(engine.open(saved).model));
  if (expected === reopened) count('rows inserted: read again as meant');
  else note('rows inserted: read otherwise', `${file}: ${difference(expected, reopened)}`);
  if (!office) return;
  const [before, after] = [await stored('before', bytes), await stored('after', saved)];
  const theirs = await office.ask<OfficeAnswer>({ file: before, rows: places });
  if (theirs.error !== undefined) {
    count('LibreOffice cannot do it to the file itself');
    return;
  }
  const ours = await office.ask<OfficeAnswer>({ file: after, rows: [] });
  if (ours.error !== undefined) {
    note('LibreOffice does not open the result', `${file}: ${ours.error}`);
    return;
  }
  compare(file, theirs.sheets, ours.sheets);
}

function compare(file: string, theirs: ReadSheets, ours: ReadSheets): void {
  let other = 0;
  let example = '';
  for (const [index, [name, cells]] of theirs.entries()) {
    const mine = new Map((ours[index]?.[1] ?? []).map((cell) => [`${cell[0]},${cell[1]}`, cell]));
    for (const [row, column, formula, value] of cells) {
      const found = mine.get(`${row},${column}`);
      mine.delete(`${row},${column}`);
      const isFormula = formula.startsWith('=') || formula.startsWith('{=');
      count(isFormula ? 'formulas compared' : 'other cells compared');
      if (volatile.test(formula)) continue;
      if (found && found[2] === formula && isSameValue(found[3], value)) continue;
      other++;
      count(
        found?.[2] === formula
          ? 'values that differ'
          : isFormula
            ? 'formulas that differ'
            : 'other cells that differ',
      );
      if (example === '')
        example = `${name} R${row + 1}C${column + 1}: ${formula} = ${value} / ${found?.[2]} = ${found?.[3]}`;
    }
    for (const [row, column, formula] of mine.values()) {
      other++;
      count('cells that only we have');
      if (example === '') example = `${name} R${row + 1}C${column + 1}: nothing / ${formula}`;
    }
  }
  if (other === 0) count('LibreOffice agrees');
  else note('LibreOffice does not agree', `${file} (${other}): ${example}`);
}

const isSameValue = (one: string | number, other: string | number): boolean =>
  one === other ||
  (typeof one === 'number' && typeof other === 'number' && Math.abs(one - other) <= 1e-9 * Math.abs(one));

const files = (await readdir(directory))
  .filter((name) => /\.xls[xm]$/i.test(name))
  .sort()
  .slice(0, Number(values.limit));
try {
  for (const [index, file] of files.entries()) {
    progress(`${index + 1} of ${files.length}: ${file}`);
    const bytes = new Uint8Array(await readFile(path.join(directory, file)));
    let workbook: Workbook;
    try {
      workbook = cpuMs(openMs, () => parseWorkbook(engine.open(bytes).model));
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      count(`refused: ${error.code}`);
      continue;
    }
    count('opened');
    if (isEqual(assembled(bytes, []), bytes)) count('untouched: the same bytes');
    else note('untouched: other bytes', file);
    try {
      await setCells(file, bytes, workbook);
      await insertRows(file, bytes, workbook);
    } catch (error) {
      note('failed', `${file}: ${(error as Error).stack?.slice(0, 300)}`);
    }
  }
} finally {
  await Promise.all([office?.close(), openpyxl?.close()]);
  await rm(folder, { recursive: true, force: true });
}

for (const example of examples) console.log(example);
const rows: Row[] = [...counts].map(([what, number]) => ({ what, count: number }));
rows.push({
  what: 'CPU of an opening, ms (p50, p95)',
  count: `${rounded(percentile(openMs, 0.5))}, ${rounded(percentile(openMs, 0.95))}`,
});
rows.push({
  what: 'CPU of a save with cells set, ms (p50, p95)',
  count: `${rounded(percentile(saveMs, 0.5))}, ${rounded(percentile(saveMs, 0.95))}`,
});
report('workbooks', { files: files.length, office: values.office, openpyxl: openpyxl !== undefined }, rows);
