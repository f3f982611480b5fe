import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileEngine } from '../calculation/engine-instance.ts';
import { CalculationFeed, type CalculationRequest, hasFormulas } from './calculation-feed.ts';
import { type CalculationAnswer, CalculationHost } from './calculation-host.ts';
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

/** A calculation that is told of one version of a workbook after another. */
class Told {
  readonly #host = new CalculationHost(engine);
  readonly #feed = new CalculationFeed('en');
  last: CalculationAnswer | null = null;

  of(version: Workbook): unknown[][] {
    // As another thread would get it.
    for (const request of this.#feed.next(version)) this.last = this.#host.take(structuredClone(request));
    return this.last!.values.map(({ sheet, row, column, value }) => [sheet, row, column, value]);
  }
}

test('[CE19] a workbook of the model is calculated, and its later versions by what differs', () => {
  const spilling = { f: { t: 'SEQUENCE(2)', a: ['dynamic', 2, 1] }, v: 1 };
  const first = workbook([
    [0, 0, 0, 0, 2, 1, 0, { f: 'A1+1', v: 3 }, 2, 0, spilling],
    [0, 0, 0, 0, { f: 'TODAY()' }, 1, 0, { f: 'Macro(1)', v: 'kept' }, 2, 0, 2],
  ]);
  const told = new Told();
  expect(told.of(first)).toEqual(
    expect.arrayContaining([
      ['s1', 0, 1, 3],
      ['s1', 0, 2, 1],
      ['s1', 1, 2, 2],
      ['s1', 1, 0, 46_085],
      ['s1', 1, 1, 'kept'],
      ['s2', 0, 0, 20],
    ]),
  );
  expect(told.last!.stale).toEqual([{ sheet: 's1', row: 1, column: 1, why: 'unknown-function' }]);

  const rows = [
    [0, 0, 0, 0, 5, 1, 0, { f: 'A1+1', v: 3 }, 2, 0, spilling],
    [0, 0, 0, 0, { f: 'TODAY()' }, 1, 0, { f: 'Macro(1)', v: 'kept' }, 2, 0, 2],
  ];
  const { items } = first;
  expect(told.of({ ...workbook(rows), items })).toEqual([
    ['s1', 0, 1, 6],
    ['s2', 0, 0, 50],
  ]);

  const others = { items: { name: { n1: { name: 'Factor', formula: '100' } } } };
  expect(told.of(workbook(rows, others))).toContainEqual(['s2', 0, 0, 500]);
});

test('[CE19] rows that a filter hides are left out of totals', () => {
  const total = { f: 'SUBTOTAL(9,A1:A2)' };
  const shown = workbook([
    [0, 0, 0, 0, 1],
    [0, 0, 0, 0, 2],
    [0, 0, 0, 0, total],
  ]);
  const told = new Told();
  expect(told.of(shown)).toContainEqual(['s1', 2, 0, 3]);
  const hidden = workbook([
    [0, 0, 0, 0, 1],
    [0, { filtered: true }, 0, 0, 2],
    [0, 0, 0, 0, total],
  ]);
  expect(told.of({ ...hidden, items: shown.items })).toEqual([['s1', 2, 0, 1]]);
});

test('[CE60] while a filter has criteria, rows that are hidden by hand are left out of totals too', () => {
  const rows = [
    [0, 0, 0, 0, 1],
    [0, { hidden: true }, 0, 0, 2],
    [0, 0, 0, 0, { f: 'SUBTOTAL(9,A1:A2)' }],
  ];
  const filterOf = (column: object) => ({ filter: { f1: { area: [8, 0, 9, 0], columns: [column] } } });
  const tableOf = (column: object) => ({
    table: {
      t1: {
        ...{ area: [8, 0, 9, 0], name: 'List', hasHeader: true, hasTotals: false },
        ...{ columns: [{ name: 'x' }], filter: [column] },
      },
    },
  });
  const told = new Told();
  const { items: names } = workbook(rows);
  const totalWith = (items: object) => {
    const version = workbook([], { sheets: [{ id: 's1', properties: { name: 'First' }, rows, items }] });
    return told.of({ ...version, items: names }).find(([, row]) => row === 2)?.[3];
  };
  expect(totalWith({})).toBe(3);
  expect(totalWith(filterOf({ column: 0, values: ['a'] }))).toBe(1);
  expect(totalWith(filterOf({ column: 0, hidesButton: true }))).toBe(3);
  expect(totalWith(tableOf({ column: 0, values: ['a'] }))).toBe(1);
  expect(totalWith({})).toBe(3);
});

test('[CE19] what an array of old has left behind counts as content, for who was there as for who comes', () => {
  const array = { f: { t: 'F1:F2*2', a: ['array', 2, 1] }, v: 2 };
  const rowsWith = (column: number) => [
    [0, 0, 0, 0, { f: 'SUM(B1:D2)' }, column, 0, array, 5, 0, 1],
    [0, 0, 1, 0, 7, 5, 0, 2],
  ];
  const [before, after] = [workbook(rowsWith(1)), workbook(rowsWith(3))];
  const [told, anew] = [new Told(), new Told()];
  expect(told.of(before)).toContainEqual(['s1', 0, 0, 6]);
  expect(told.of({ ...after, items: before.items })).toContainEqual(['s1', 0, 0, 13]);
  expect(anew.of(after)).toContainEqual(['s1', 0, 0, 13]);
});

test('[XC38] a workbook is calculated by its own region, without one by that of the page', () => {
  const rows = [[0, 0, 0, 0, { f: '"1/2/2026"+0' }]];
  const of = (region?: string) =>
    workbook(rows, { volatile: { timeMs: 0, seed: 0, ...(region && { region }) } });
  const told = new Told();
  const days = [of(), of('de'), of('en-GB')].map((version) => told.of(version)[0]?.[3]);
  expect(days).toEqual([46_024, 46_054, 46_054]);
});

test('[CE22] a formula with which the calculation does not come to an end is left out, with those that were told with it', () => {
  const endless = { f: 'COMBINA(1,1E15)', v: 7 };
  const before = workbook([[0, 0, 0, 0, 2, 1, 0, { f: 'A1+1', v: 3 }]]);
  const after = workbook([[0, 0, 0, 0, 2, 1, 0, { f: 'A1+1', v: 3 }, 2, 0, endless]]);
  const feed = new CalculationFeed('en');
  const contents = (requests: Iterable<CalculationRequest>) =>
    [...requests].flatMap(({ changes }) =>
      changes.map((change) => 'content' in change && [change.row, change.column, change.content]),
    );
  contents(feed.next(before));
  expect(contents(feed.next({ ...after, items: before.items }))).toEqual([
    [1, 3, { formula: 'COMBINA(1,1E15)', kind: 'single', stored: 7 }],
  ]);
  expect(feed.leaveOut()).toBe(true);
  expect(feed.isEndless('COMBINA(1,1E15)')).toBe(true);
  const anew = contents(feed.next(after));
  expect(anew).toContainEqual([1, 3, 7]);
  expect(anew).toContainEqual([1, 2, { formula: 'A1+1', kind: 'single', stored: 3 }]);
});

test('[CE22] where nothing new was told, nothing is left out', () => {
  const same = workbook([[0, 0, 0, 0, { f: '1+1', v: 2 }]]);
  const feed = new CalculationFeed('en');
  [...feed.next(same)];
  [...feed.next(same)];
  expect(feed.leaveOut()).toBe(false);
  expect(hasFormulas(same)).toBe(true);
});

test('[CE84] an array that fills more cells than an operation may keeps what the file has, and costs no other formula', () => {
  const large = { f: { t: 'C1:C2*2', a: ['array', 1_048_576, 16_000] }, v: 5 };
  const column = { f: { t: 'C1*3', a: ['array', 3, 1] }, v: 1 };
  const told = new Told();
  const values = told.of(
    workbook([
      [0, 0, 0, 0, large, 1, 0, { f: 'C1+1', v: 3 }, 2, 0, 4],
      [0, 0, 1, 0, column],
    ]),
  );
  expect(values).toEqual(
    expect.arrayContaining([
      ['s1', 0, 1, 5],
      ['s1', 1, 1, 12],
      ['s1', 3, 1, 12],
      ['s2', 0, 0, 50],
    ]),
  );
});
