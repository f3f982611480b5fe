import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileEngine } from './engine-instance.ts';
import { notCalculated } from './functions.ts';
import { openCalculation } from './workbook-calculation.ts';

const guide = readFileSync(new URL('../../docs/spreadsheets.md', import.meta.url), 'utf8');
const section = (title: string) => guide.split(`### ${title}\n`)[1]!.split('\n### ')[0]!;

test('[CE18] the guide names the functions that are not calculated, and why', () => {
  const rows = [...section('Functions that are not calculated').matchAll(/^\| `([A-Z.]+)` +\| (.*?) +\|$/gm)];
  expect(Object.fromEntries(rows.map(([, name, why]) => [name, why]))).toEqual(notCalculated);
});

test('[CE18] the guide names functions that the engine knows, and each once', () => {
  const names = section('Functions that are calculated').match(/\b[A-Z][A-Z0-9.]*[A-Z0-9]\b|\b[NT]\b/g)!;
  expect(names.length).toBeGreaterThan(450);
  expect(new Set(names).size).toBe(names.length);
  const special: Record<string, string> = { LAMBDA: 'LAMBDA(x,x)(1)', AGGREGATE: 'AGGREGATE(9,6,XFD1)' };
  const formulas = names.map((name, index) => ({
    sheet: 0,
    row: index + 1,
    column: 1,
    content: { formula: special[name] ?? `${name}(,,)`, kind: 'dynamic' as const },
  }));
  const calculation = openCalculation(
    compileEngine(readFileSync(new URL('./engine/calculation.wasm', import.meta.url))),
    {
      sheets: ['Sheet'],
      names: [],
      tables: [],
      locale: 'en',
      from1904: false,
      iterates: false,
      changes: () => formulas,
      content: (_sheet, row) => formulas[row - 1]!.content,
    },
  );
  const unknown = [...calculation.staleCells()].map(({ row, why }) => `${names[row - 1]}: ${why}`);
  expect(unknown).toEqual([]);
});
