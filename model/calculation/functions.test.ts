import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Calculation, CellContent, CellFormula } from './calculation.ts';
import { compileEngine } from './engine-instance.ts';
import { cellOf } from './formula-tokens.ts';
import { notCalculated } from './functions.ts';
import { documentedCells } from './testing/documented-cells.ts';
import { documentedValues } from './testing/documented-values.ts';
import { excelFunctions } from './testing/excel-functions.ts';
import { openCalculation } from './workbook-calculation.ts';

const guide = readFileSync(new URL('../../docs/spreadsheets.md', import.meta.url), 'utf8');
const section = (title: string) => guide.split(`### ${title}\n`)[1]!.split('\n### ')[0]!;
const engine = compileEngine(readFileSync(new URL('./engine/calculation.wasm', import.meta.url)));
const firstRow = 30;

/** Calculates formulas, each in a row of its own from the thirtieth on, beside the cells that documented ones read. */
function calculated(formulas: readonly CellFormula[]): Calculation {
  const given = Object.entries(documentedCells).map(([address, content]) => ({
    ...{ sheet: 0, ...cellOf(address) },
    content,
  }));
  const asked = formulas.map((content, index) => ({ sheet: 0, row: firstRow + index, column: 30, content }));
  const cells: readonly { row: number; column: number; content: CellContent; sheet: number }[] = [
    ...given,
    ...asked,
  ];
  const contents = new Map(cells.map((cell) => [`${cell.row}:${cell.column}`, cell.content]));
  const calculation = openCalculation(engine, {
    ...{ sheets: ['Sheet1'], names: [], tables: [], from1904: false, iterates: false },
    changes: () => cells,
    content: (_sheet, row, column) => contents.get(`${row}:${column}`) ?? null,
  });
  calculation.recalculate({ timeMs: Date.UTC(2026, 2, 4), timeZone: 'UTC', seed: 7 });
  return calculation;
}

const staleNames = (names: readonly string[], formulas: readonly CellFormula[]) =>
  Object.fromEntries(
    [...calculated(formulas).staleCells()].map(({ row, why }) => [names[row - firstRow], why]),
  );

test('[CE18] the guide names the functions that are not calculated, and why', () => {
  const rows = [...section('Functions that are not calculated').matchAll(/^\| `([A-Z.]+)` +\| (.*?) +\|$/gm)];
  expect(Object.fromEntries(rows.map(([, name, why]) => [name, why]))).toEqual(notCalculated);
});

test('[CE18] every function of Excel is calculated, or is said not to be', () => {
  const special: Record<string, string> = { LAMBDA: 'LAMBDA(x,x)(1)', AGGREGATE: 'AGGREGATE(9,6,XFD1)' };
  const names = excelFunctions.filter((name) => !(name in notCalculated));
  const formulas = names.map((name) => ({
    formula: special[name] ?? `${name}(,,)`,
    kind: 'dynamic' as const,
  }));
  expect(new Set(excelFunctions).size).toBe(excelFunctions.length);
  expect(staleNames(names, formulas)).toEqual({});
});

test('[CE10] each function that is not calculated leaves the stored value, and so does one that nobody knows', () => {
  const names = [...Object.keys(notCalculated), 'NOSUCHFUNCTION'];
  const stored = (formula: string) => ({ formula, kind: 'single' as const, stored: 42 });
  const reasons = names.map((name) => [name, name in notCalculated ? 'not-supported' : 'unknown-function']);
  for (const prefix of ['', '_xlfn.', '_xlfn._xlws.']) {
    const formulas = names.map((name) => stored(`1+${prefix}${name}(A5,1)`));
    expect(staleNames(names, formulas)).toEqual(Object.fromEntries(reasons));
    // What reads them goes on with what is stored.
    const readers = names.map((_, index) => stored(`AD${firstRow + index}+1`));
    const values = calculated([...formulas, ...readers]).changed();
    const byRow = new Map(values.map(({ row, value }) => [row, value]));
    for (const index of names.keys()) {
      expect(byRow.get(firstRow + index)).toBe(42);
      expect(byRow.get(firstRow + names.length + index)).toBe(43);
    }
  }
});

test('[CE98] what CELL says of formats and INFO of a computer is as it is stored', () => {
  const ofCell = ['color', 'format', 'parentheses', 'prefix', 'protect', 'width'].map(
    (of) => `CELL("${of}",A5)`,
  );
  const unknown = [...ofCell, ...['directory', 'origin', 'osversion'].map((of) => `INFO("${of}")`)];
  const formulas = unknown.map((formula) => ({ formula, kind: 'single' as const, stored: 'kept' }));
  const calculation = calculated(formulas);
  expect([...calculation.staleCells()].map(({ why }) => why)).toEqual(unknown.map(() => 'not-supported'));
  expect(
    calculation
      .changed()
      .filter(({ row }) => row >= firstRow)
      .map(({ value }) => value),
  ).toEqual(unknown.map(() => 'kept'));
});

/** Of each function, how many of the documented formulas that call it come to what is documented. */
function rightOfEach(): Map<string, { right: number; all: number }> {
  const calculation = calculated(
    documentedValues.map(({ formula }) => ({ formula, kind: 'array', rows: 1, columns: 1 })),
  );
  const values = new Map(calculation.changed().map(({ row, value }) => [row, value]));
  const counts = new Map(excelFunctions.map((name) => [name, { right: 0, all: 0 }]));
  for (const [index, { formula, value, tolerance }] of documentedValues.entries()) {
    const found = values.get(firstRow + index);
    const isRight =
      calculation.stale(0, firstRow + index, 30) === undefined &&
      (typeof value === 'number' && typeof found === 'number'
        ? Math.abs(found - value) <= tolerance
        : JSON.stringify(found) === JSON.stringify(value));
    for (const name of new Set(formula.match(/[A-Z][A-Z0-9.]*(?=\()/g))) {
      const count = counts.get(name);
      if (!count) continue;
      count.all += 1;
      if (isRight) count.right += 1;
    }
  }
  return counts;
}

/** A table of names with what is found of each, several to a line. */
function table(entries: readonly (readonly [string, string])[]): string {
  const pairs = 4;
  const lines = [Array.from({ length: pairs }, () => ['function', 'right']).flat()];
  for (let first = 0; first < entries.length; first += pairs) {
    const cells = entries.slice(first, first + pairs).flat();
    lines.push([...cells, ...Array.from({ length: pairs * 2 - cells.length }, () => '')]);
  }
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  const written = [lines[0]!, widths.map((width) => '-'.repeat(width)), ...lines.slice(1)];
  return written
    .map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`)
    .join('\n');
}

test('[CE55] the guide says of each function how many of its documented values are right', () => {
  const found = [...rightOfEach()].map(([name, { right, all }]): [string, string] => {
    if (name in notCalculated) return [`\`${name}\``, 'refused'];
    return [`\`${name}\``, all === 0 ? 'none known' : `${right} of ${all}`];
  });
  const lines = section('Each function of Excel').split('\n');
  const printed = lines.filter((line) => line.startsWith('|')).join('\n');
  // What stands there otherwise is to be replaced by what is expected here.
  expect(printed).toBe(table(found));
});
