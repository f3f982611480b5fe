import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileEngine } from '../calculation/engine-instance.ts';
import { CellCalculation } from './cell-calculation.ts';
import { parseWorkbook, WORKBOOK_FORMAT } from './document.ts';
import { WORKBOOK_VERSION } from './version.ts';
import type { Workbook } from './workbook.ts';

const engine = compileEngine(
  readFileSync(new URL('../calculation/engine/calculation.wasm', import.meta.url)),
);

/** A workbook whose first sheet has these rows (column, format, content; see `RowJson`). */
function workbook(rows: readonly unknown[], more: object = {}): Workbook {
  return parseWorkbook({
    format: WORKBOOK_FORMAT,
    version: WORKBOOK_VERSION,
    formats: [{}],
    sheets: [
      { id: 's1', properties: { name: 'First' }, rows },
      { id: 's2', properties: { name: 'Second' }, rows: [[0, 0, 0, 0, { f: 'First!A1*Factor' }]] },
    ],
    items: { name: { n1: { name: 'Factor', formula: '10' } } },
    volatile: { timeMs: Date.UTC(2026, 2, 4), seed: 3 },
    ...more,
  });
}

const toldBy = (calculation: CellCalculation) =>
  calculation.calculate().map(({ sheet, row, column, value }) => [sheet, row, column, value]);

test('[CE19] a workbook of the model is calculated, and its later versions by what differs', () => {
  const spilling = { f: { t: 'SEQUENCE(2)', a: ['dynamic', 2, 1] }, v: 1 };
  const first = workbook([
    [0, 0, 0, 0, 2, 1, 0, { f: 'A1+1', v: 3 }, 2, 0, spilling],
    [0, 0, 0, 0, { f: 'TODAY()' }, 1, 0, { f: 'Macro(1)', v: 'kept' }, 2, 0, 2],
  ]);
  const calculation = new CellCalculation(engine, first, { locale: 'en', timeZone: 'UTC' });
  expect(toldBy(calculation)).toEqual(
    expect.arrayContaining([
      ['s1', 0, 1, 3],
      ['s1', 0, 2, 1],
      ['s1', 1, 2, 2],
      ['s1', 1, 0, 46_085],
      ['s1', 1, 1, 'kept'],
      ['s2', 0, 0, 20],
    ]),
  );
  expect(calculation.stale('s1', 1, 1)).toBe('unknown-function');

  const rows = [
    [0, 0, 0, 0, 5, 1, 0, { f: 'A1+1', v: 3 }, 2, 0, spilling],
    [0, 0, 0, 0, { f: 'TODAY()' }, 1, 0, { f: 'Macro(1)', v: 'kept' }, 2, 0, 2],
  ];
  const { items } = first;
  calculation.update({ ...workbook(rows), items });
  expect(toldBy(calculation)).toEqual([
    ['s1', 0, 1, 6],
    ['s2', 0, 0, 50],
  ]);

  calculation.update(workbook(rows, { items: { name: { n1: { name: 'Factor', formula: '100' } } } }));
  expect(toldBy(calculation)).toContainEqual(['s2', 0, 0, 500]);
});

test('[CE19] rows that a filter hides are left out of totals', () => {
  const total = { f: 'SUBTOTAL(9,A1:A2)' };
  const shown = workbook([
    [0, 0, 0, 0, 1],
    [0, 0, 0, 0, 2],
    [0, 0, 0, 0, total],
  ]);
  const calculation = new CellCalculation(engine, shown, { locale: 'en', timeZone: 'UTC' });
  expect(toldBy(calculation)).toContainEqual(['s1', 2, 0, 3]);
  const hidden = workbook([
    [0, 0, 0, 0, 1],
    [0, { filtered: true }, 0, 0, 2],
    [0, 0, 0, 0, total],
  ]);
  calculation.update({ ...hidden, items: shown.items });
  expect(toldBy(calculation)).toEqual([['s1', 2, 0, 1]]);
});
