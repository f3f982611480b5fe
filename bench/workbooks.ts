/**
 * What workbooks keep when they are opened as spreadsheets of ours and written again: each file of a folder is saved untouched;
 * then with some cells set, which must leave all else as it was; then with a row inserted in the middle of each sheet, which
 * LibreOffice does to the same file, and the formulas and values of both are compared.
 *
 *     node dist/bench/workbooks.js --files DIR [--office] [--python PYTHON] [--schemas DIR] [--deeds] [--only WORDS]
 *         [--office-every 1] [--seconds 100000] [--part 1/1] [--limit 10000] [--shown 20]
 *
 * `--office`: compare with LibreOffice (needs its UNO for /usr/bin/python3); `--python`: one that has openpyxl, to read results
 * with as well; `--schemas`: a folder with `sml.xsd` of ECMA-376 and those that it names, by which parts are looked at (needs lxml);
 * `--deeds`: instead of all that, each operation that there is, alone, to each file (`support/workbook-deeds/`), of which `--only`
 * takes those with these words, `--office-every` has LibreOffice read every so many of a file, others with each file, and
 * `--seconds` begins no further one after so long with a file, and says so; `--part`: only one of so many parts of the files;
 * `--shown`: of every kind of difference so many examples are shown.
 */
import './support/help.ts';

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { OfficePackage } from '../converter/engines/ooxml/package/office-package.ts';
import { ThreadCalculation } from '../converter/engines/ooxml/xlsx/calculation.ts';
import { xlsxEngine } from '../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { ConversionError } from '../converter/errors.ts';
import { contains } from '../model/cell/area.ts';
import { parseWorkbook } from '../model/cell/document.ts';
import type { CellOperation } from '../model/cell/operations.ts';
import { itemsOf, sheetOf, type Workbook } from '../model/cell/workbook.ts';
import { percentile, progress, type Row, report, rounded } from './support/report.ts';
import type { OfficeAct } from './support/workbook-deeds/deed.ts';
import { placeIn, workbookDeeds } from './support/workbook-deeds/workbook-deeds.ts';
import { WorkbookReaders } from './support/workbook-readers.ts';
import {
  difference,
  filledAreas,
  isSheetOfCells,
  otherCells,
  readingOf,
  textInFile,
  WorkbookTrial,
  written,
} from './support/workbook-trial.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string' },
    office: { type: 'boolean', default: false },
    'office-every': { type: 'string', default: '1' },
    seconds: { type: 'string', default: '100000' },
    python: { type: 'string' },
    schemas: { type: 'string' },
    deeds: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    part: { type: 'string', default: '1/1' },
    limit: { type: 'string', default: '10000' },
    shown: { type: 'string', default: '20' },
  },
});
if (!values.files) throw new Error('say where the files are: --files DIR');
const directory = values.files;
const engine = xlsxEngine();
const calculatingEngine = xlsxEngine(new ThreadCalculation({ patienceMs: 20_000 }).values);
const readers = await WorkbookReaders.start(values);

const counts = new Map<string, number>();
const count = (what: string, by = 1) => counts.set(what, (counts.get(what) ?? 0) + by);
const openMs: number[] = [];
const saveMs: number[] = [];

function cpuMs<T>(times: number[], act: () => T): T {
  const before = process.cpuUsage();
  const result = act();
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1000);
  return result;
}

function note(what: string, example: string): void {
  count(what);
  if (counts.get(what)! <= Number(values.shown)) console.log(`${what}: ${example}`);
}

const isEqual = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;
const reread = (bytes: Uint8Array): Workbook => parseWorkbook(engine.open(bytes).model);

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
  const sheet = workbook.sheets.find(isSheetOfCells);
  if (!sheet) return;
  // A heading of a table is its column's name, too, which formulas elsewhere follow.
  const isHeading = ([row, column]: readonly [number, number, ...unknown[]]) =>
    [...itemsOf(sheet, 'table').values()].some(
      ({ area }) => row === area[0] && contains(area, [row, column, row, column]),
    );
  const cells = cellsSet
    .filter((cell) => !isHeading(cell))
    .map(([row, column, v]) => [row, column, { v }] as const);
  const operations: CellOperation[] = [{ op: 'set', sheet: sheet.id, cells }];
  const saved = cpuMs(saveMs, () => written(bytes, workbook, operations));
  const others = changedParts(bytes, saved.bytes).filter((name) => !mayChange.test(name));
  if (others.length > 1) note('cells set: other parts changed', `${file}: ${others.join()}`);
  const [expected, reopened] = [textInFile(saved.workbook), textInFile(reread(saved.bytes))];
  if (expected === reopened) count('cells set: all else as it was');
  else note('cells set: something else changed', `${file}: ${difference(expected, reopened)}`);
  const [before, after] = [await readers.openpyxl(bytes), await readers.openpyxl(saved.bytes)];
  if (!before || !after) return;
  const { name } = sheet.properties;
  const isSet = (on: string, row: number, column: number) =>
    on === name && cellsSet.some((cell) => cell[0] === row && cell[1] === column);
  if (before.error !== undefined) count('openpyxl does not read the file itself');
  else if (after.error !== undefined) note('openpyxl does not read the result', `${file}: ${after.error}`);
  else {
    const other = otherCells(before.sheets, after.sheets, { further: true, except: isSet });
    if (other.length > 0) note('openpyxl sees other cells changed', `${file}: ${other[0]}`);
    else count('openpyxl sees nothing else changed');
  }
}

/** Sets the first number of a file, with its dependents calculated: no other cell may change. */
function setOne(file: string, bytes: Uint8Array, workbook: Workbook): void {
  for (const sheet of workbook.sheets) {
    for (const [row, { cells, columns }] of sheet.grid.rows()) {
      const at = cells.findIndex(({ value, formula }) => typeof value === 'number' && !formula);
      if (at < 0) continue;
      const column = columns[at]!;
      const v = (cells[at]!.value as number) + 1;
      const operations: CellOperation[] = [{ op: 'set', sheet: sheet.id, cells: [[row, column, { v }]] }];
      const saved = written(bytes, workbook, operations, calculatingEngine);
      if (saved.skipped) {
        count(`one number set: refused, ${saved.skipped}`);
        return;
      }
      const after = reread(saved.bytes);
      const filled = new Map(workbook.sheets.map((one) => [one.properties.name, filledAreas(one)]));
      const isSet = (name: string, ...[r = 0, c = 0]: number[]) =>
        (name === sheet.properties.name && r === row && c === column) ||
        (filled.get(name) ?? []).some((area) => contains(area, [r, c, r, c]));
      const other = otherCells(readingOf(workbook), readingOf(after), { further: false, except: isSet });
      if (other.length > 0) note('one number set: other cells changed', `${file}: ${other[0]}`);
      else count('one number set: that and values of formulas alone');
      for (const before of workbook.sheets)
        count('values of formulas that followed', followers(before, after));
      return;
    }
  }
  count('one number set: there is none');
}

function followers({ id, grid }: Workbook['sheets'][number], after: Workbook): number {
  let followed = 0;
  const now = sheetOf(after, id)!.grid;
  for (const [row, { cells, columns }] of grid.rows()) {
    for (const [index, { value, formula }] of cells.entries()) {
      if (!formula) continue;
      if (JSON.stringify(now.cell(row, columns[index]!).value) !== JSON.stringify(value)) followed++;
    }
  }
  return followed;
}

async function insertRows(file: string, bytes: Uint8Array, workbook: Workbook): Promise<void> {
  const places = workbook.sheets.flatMap((sheet, index) =>
    isSheetOfCells(sheet) ? [{ index, id: sheet.id, at: Math.max(1, sheet.grid.height >> 1) }] : [],
  );
  const operations = places.map(
    ({ id, at }): CellOperation => ({ op: 'insert', axis: 'row', sheet: id, at, count: 1 }),
  );
  const saved = written(bytes, workbook, operations);
  if (saved.skipped) {
    count(`rows inserted: refused, ${saved.skipped}`);
    return;
  }
  const [expected, reopened] = [textInFile(saved.workbook), textInFile(reread(saved.bytes))];
  if (expected === reopened) count('rows inserted: read again as meant');
  else note('rows inserted: read otherwise', `${file}: ${difference(expected, reopened)}`);
  if (!readers.hasOffice) return;
  const acts = places.map(({ index, at }): OfficeAct => ['insert', index, 0, at, 1]);
  const theirs = await readers.office(bytes, acts);
  if (!theirs || theirs.error !== undefined) {
    count('LibreOffice cannot do it to the file itself');
    return;
  }
  const ours = await readers.office(saved.bytes);
  if (!ours || ours.error !== undefined) {
    note('LibreOffice does not open the result', `${file}: ${ours?.error}`);
    return;
  }
  const cells = theirs.sheets.flatMap(([, all]) => all);
  const isFormula = (content: unknown) => typeof content === 'string' && /^\{?=/.test(content);
  count('formulas compared', cells.filter(([, , content]) => isFormula(content)).length);
  count('cells compared', cells.length);
  const other = otherCells(theirs.sheets, ours.sheets, { further: true });
  count('cells that differ', other.length);
  if (other.length === 0) count('LibreOffice agrees');
  else note('LibreOffice does not agree', `${file} (${other.length}): ${other[0]}`);
}

interface DeedCounts {
  files: number;
  ok: number;
  differing: number;
  readonly refused: Map<string, number>;
  readonly read: Map<string, number>;
  shown: number;
}

const deeds = workbookDeeds.filter(({ name }) => name.includes(values.only));
const deedCounts = new Map<string, DeedCounts>(
  deeds.map(({ name }) => [
    name,
    { files: 0, ok: 0, differing: 0, refused: new Map(), read: new Map(), shown: 0 },
  ]),
);

async function doDeeds(file: string, bytes: Uint8Array, workbook: Workbook, turn: number): Promise<void> {
  const place = placeIn(workbook);
  if (!place) return;
  const trial = await WorkbookTrial.of(bytes, place, readers);
  const add = (counted: Map<string, number>, what: string) => counted.set(what, (counted.get(what) ?? 0) + 1);
  const until = performance.now() + Number(values.seconds) * 1000;
  // Where time runs out it does so at other operations with each file.
  const inTurn = [...deeds.keys()].map((_, at) => (at + turn * 17) % deeds.length);
  for (const [done, index] of inTurn.entries()) {
    const deed = deeds[index]!;
    if (performance.now() > until) {
      note('time ran out', `${file}: ${deeds.length - done} operations left`);
      return;
    }
    const all = deedCounts.get(deed.name)!;
    let faults: string[];
    try {
      const tried = await trial.try(deed, (index + turn) % Number(values['office-every']) === 0);
      if (!tried) continue;
      all.files++;
      if (tried.refused) {
        add(all.refused, tried.refused);
        continue;
      }
      for (const reader of tried.read) add(all.read, reader);
      faults = tried.faults;
    } catch (error) {
      all.files++;
      faults = [`thrown: ${(error as Error).stack?.slice(0, 400)}`];
    }
    if (faults.length === 0) all.ok++;
    else {
      all.differing++;
      if (all.shown++ < Number(values.shown))
        console.log(`${deed.name} ${file}: ${faults.slice(0, 3).join(' ## ').slice(0, 600)}`);
    }
  }
}

const told = (counted: ReadonlyMap<string, number>) =>
  [...counted].map(([what, number]) => `${what} ${number}`).join(', ');

const [part = 1, parts = 1] = values.part.split('/').map(Number);
const files = (await readdir(directory))
  .filter((name) => /\.xl[st][xm]$/i.test(name))
  .sort()
  .slice(0, Number(values.limit))
  .filter((_name, index) => index % parts === part - 1);
try {
  for (const [index, file] of files.entries()) {
    progress(`${index + 1} of ${files.length}: ${file}`);
    const bytes = new Uint8Array(await readFile(path.join(directory, file)));
    let workbook: Workbook;
    try {
      workbook = cpuMs(openMs, () => reread(bytes));
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      count(`refused: ${error.code}`);
      continue;
    }
    count('opened');
    if (isEqual(written(bytes, workbook, []).bytes, bytes)) count('untouched: the same bytes');
    else note('untouched: other bytes', file);
    try {
      if (values.deeds) await doDeeds(file, bytes, workbook, index);
      else {
        await setCells(file, bytes, workbook);
        setOne(file, bytes, workbook);
        await insertRows(file, bytes, workbook);
      }
    } catch (error) {
      note('failed', `${file}: ${(error as Error).stack?.slice(0, 300)}`);
    }
  }
} finally {
  await readers.close();
}

const rows: Row[] = [...counts].map(([what, number]) => ({ what, count: number }));
rows.push({
  what: 'CPU of an opening, ms (p50, p95)',
  count: `${rounded(percentile(openMs, 0.5))}, ${rounded(percentile(openMs, 0.95))}`,
});
if (values.deeds) {
  const table = [...deedCounts].map(([what, { files, ok, differing, refused, read }]) => ({
    ...{ what, files, ok, differing, refused: told(refused), 'read by': told(read) },
  }));
  report('workbooks, each operation', values, table, { files: rows });
} else {
  rows.push({
    what: 'CPU of a save with cells set, ms (p50, p95)',
    count: `${rounded(percentile(saveMs, 0.5))}, ${rounded(percentile(saveMs, 0.95))}`,
  });
  report('workbooks', { files: files.length, ...values }, rows);
}
