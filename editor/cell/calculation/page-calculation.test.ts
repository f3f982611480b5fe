import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { compileEngine } from '../../../model/calculation/engine-instance.ts';
import { CalculationHost } from '../../../model/cell/calculation-host.ts';
import { parseWorkbook, WORKBOOK_FORMAT } from '../../../model/cell/document.ts';
import { WORKBOOK_VERSION } from '../../../model/cell/version.ts';
import type { WorkerAnswer, WorkerRequest } from './calculation-worker.ts';
import { type CalculationWorker, PageCalculation } from './page-calculation.ts';

const engine = compileEngine(
  readFileSync(new URL('../../../model/calculation/engine/calculation.wasm', import.meta.url)),
);

/** A worker that calculates when it is let, and never comes to an end with what has `COMBINA`. */
class LetWorker {
  readonly host = new CalculationHost(engine);
  readonly asked: WorkerRequest[] = [];
  isEnded = false;
  onmessage: ((event: { data: WorkerAnswer }) => void) | null = null;
  onerror: (() => void) | null = null;

  postMessage(request: WorkerRequest): void {
    this.asked.push(structuredClone(request));
  }

  terminate(): void {
    this.isEnded = true;
  }

  work(): void {
    for (const request of this.asked.splice(0)) {
      this.onmessage?.({ data: 'begun' });
      if (JSON.stringify(request).includes('COMBINA')) return;
      const answer =
        'questions' in request ? { answers: this.host.answer(request.questions) } : this.host.take(request);
      if (answer) this.onmessage?.({ data: answer });
    }
  }
}

const sheets = (...rows: unknown[]) =>
  parseWorkbook({
    format: WORKBOOK_FORMAT,
    version: WORKBOOK_VERSION,
    formats: [{}],
    sheets: [{ id: 's1', properties: { name: 'First' }, rows }],
  });

function page() {
  const workers: LetWorker[] = [];
  const problems: string[] = [];
  const told: boolean[] = [];
  let news = 0;
  const calculation = new PageCalculation({
    region: 'en',
    makeWorker: () => {
      workers.push(new LetWorker());
      return workers.at(-1) as unknown as CalculationWorker;
    },
    onValues: () => {
      news += 1;
    },
    onProblem: (problem) => problems.push(problem),
    onLong: (isLong) => told.push(isLong),
    patienceMs: { first: 3_000, later: 100 },
  });
  return { calculation, workers, problems, told, news: () => news };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('[LB2] values of another workbook are followed, and are no values of this one', () => {
  const { calculation, workers, problems } = page();
  const linked = (value: number) => {
    const book = { address: 'a.xlsx', sheets: [{ name: 'Rates', cells: [[0, 0, value]] }] };
    const first = sheets([0, 0, 0, 0, { f: '[1]Rates!A1*2', v: 0 }]);
    return { ...first, items: { book: new Map([['1', book]]) } } as unknown as typeof first;
  };
  for (const value of [3, 4]) {
    calculation.update(linked(value));
    workers[0]!.work();
    expect(calculation.valueOf('s1', 0, 0)).toBe(value * 2);
  }
  expect(problems).toEqual([]);
});

it('[XS69] a first calculation that takes long is told, and that it is over; later ones are not', () => {
  const { calculation, workers, told } = page();
  const [formula, other] = [
    [1, 0, { f: 'A1+1' }],
    [1, 0, { f: 'A1+2' }],
  ];
  calculation.update(sheets([0, 0, 0, 0, 1, ...formula!]));
  vi.advanceTimersByTime(999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual([true]);
  workers[0]!.work();
  expect(told).toEqual([true, false]);
  calculation.update(sheets([0, 0, 0, 0, 1, ...other!]));
  vi.advanceTimersByTime(99);
  workers[0]!.work();
  const quick = page();
  quick.calculation.update(sheets([0, 0, 0, 0, 1, ...formula!]));
  quick.workers[0]!.work();
  vi.advanceTimersByTime(2_000);
  const left = page();
  left.calculation.update(sheets([0, 0, 0, 0, 1, ...formula!]));
  vi.advanceTimersByTime(1_000);
  left.calculation.stop();
  expect([told, quick.told, left.told]).toEqual([[true, false], [false], [true, false]]);
});

it('[CE81] a cell whose content goes shows again what an array fills it with, also where that is the same', () => {
  const { calculation, workers } = page();
  const array = { f: { t: 'C1:C2*7', a: ['array', 2, 1] }, v: 7 };
  const rowsWith = (...stored: unknown[]) => sheets([0, 0, 0, 0, array, 2, 0, 1], [0, 0, ...stored, 2, 0, 1]);
  calculation.update(rowsWith(0, 0, 7));
  workers[0]!.work();
  calculation.update(rowsWith());
  expect(calculation.valueOf('s1', 1, 0)).toBeUndefined();
  workers[0]!.work();
  expect([0, 1].map((row) => calculation.valueOf('s1', row, 0))).toEqual([7, 7]);
});

it('[CE23] nothing is loaded for a workbook without formulas', () => {
  const { calculation, workers } = page();
  calculation.update(sheets([0, 0, 0, 0, 1]));
  expect(workers).toHaveLength(0);
  calculation.update(sheets([0, 0, 0, 0, 1, 1, 0, { f: 'A1+1' }]));
  expect(workers).toHaveLength(1);
});

it('[CE23] of versions that come while one is calculated only the last is calculated, and constants are not hidden by what was', () => {
  const { calculation, workers, news } = page();
  calculation.update(sheets([0, 0, 0, 0, 1, 1, 0, { f: 'A1+1' }]));
  calculation.update(sheets([0, 0, 0, 0, 2, 1, 0, { f: 'A1+1' }]));
  calculation.update(sheets([0, 0, 0, 0, 3, 1, 0, { f: 'A1+1' }]));
  const [worker] = workers as [LetWorker];
  worker.work();
  worker.work();
  expect([calculation.valueOf('s1', 0, 1), news()]).toEqual([4, 2]);
  calculation.update(sheets([0, 0, 0, 0, 3, 1, 0, 'typed']));
  expect(calculation.valueOf('s1', 0, 1)).toBeUndefined();
  worker.work();
  expect(calculation.valueOf('s1', 0, 1)).toBeUndefined();
});

it('[CE23] a formula that does not come to an end is left out by another worker, and all else is calculated', () => {
  const { calculation, workers, problems } = page();
  calculation.update(sheets([0, 0, 0, 0, 1, 1, 0, { f: 'A1+1' }]));
  workers[0]!.work();
  calculation.update(sheets([0, 0, 0, 0, 5, 1, 0, { f: 'A1+1' }, 2, 0, { f: 'COMBINA(1,1E15)', v: 7 }]));
  workers[0]!.work();
  vi.advanceTimersByTime(100);
  expect([workers.length, workers[0]!.isEnded, problems]).toEqual([2, true, ['left']]);
  workers[1]!.work();
  expect(calculation.valueOf('s1', 0, 1)).toBe(6);
  expect(calculation.isLeftOut('COMBINA(1,1E15)')).toBe(true);
  vi.advanceTimersByTime(10_000);
  expect(problems).toEqual(['left']);
});

it('[CE23] [XA8] where nothing can be left out another worker tries; without it the stored values are shown and calculation ends', () => {
  const { calculation, workers, problems } = page();
  calculation.update(sheets([0, 0, 0, 0, 1, 1, 0, { f: 'A1+1', v: 2 }]));
  workers[0]!.work();
  calculation.update(sheets([0, 0, 0, 0, 5, 1, 0, { f: 'A1+1', v: 2 }]));
  vi.advanceTimersByTime(100);
  expect([workers.length, workers[0]!.isEnded, problems]).toEqual([2, true, []]);
  expect(calculation.valueOf('s1', 0, 1)).toBe(2);
  vi.advanceTimersByTime(3_000);
  expect(problems).toEqual(['ended']);
  expect(calculation.valueOf('s1', 0, 1)).toBeUndefined();
  calculation.update(sheets([0, 0, 0, 0, 6, 1, 0, { f: 'A1+1', v: 2 }]));
  expect(workers).toHaveLength(2);
});

it('[XA11] of a worker that is gone without a word no formula is the cause: what it did not begin with is asked of another one', async () => {
  const { calculation, workers, problems } = page();
  calculation.update(sheets([0, 0, 0, 0, 1, 1, 0, { f: 'A1+1' }]));
  workers[0]!.work();
  calculation.update(sheets([0, 0, 0, 0, 5, 1, 0, { f: 'A1+1' }, 2, 0, { f: 'A1*2' }]));
  vi.advanceTimersByTime(100);
  workers[1]!.work();
  expect([1, 2].map((column) => calculation.valueOf('s1', 0, column))).toEqual([6, 10]);
  const asked = { sheet: 's1', formula: { text: 'A1*3', row: 0, column: 0 }, row: 0, column: 0, most: 1 };
  const answer = calculation.askRule(asked);
  vi.advanceTimersByTime(0);
  vi.advanceTimersByTime(100);
  for (let turn = 0; turn < 3; turn++) workers[2]!.work();
  expect(await answer).toEqual([15]);
  expect([workers.length, problems, calculation.isLeftOut('A1*2')]).toEqual([3, [], false]);
});

it('[XA8] a worker that ends is replaced as often as it had answered before', () => {
  const { calculation, workers, problems } = page();
  calculation.update(sheets([0, 0, 0, 0, 0, 1, 0, { f: 'A1+1' }]));
  workers[0]!.work();
  for (const value of [1, 2, 3]) {
    calculation.update(sheets([0, 0, 0, 0, value, 1, 0, { f: 'A1+1' }]));
    workers.at(-1)!.onerror!();
    workers.at(-1)!.work();
    expect(calculation.valueOf('s1', 0, 1)).toBe(value + 1);
  }
  expect([workers.length, problems]).toEqual([4, []]);
  workers.at(-1)!.onmessage!({ data: null });
  workers.at(-1)!.onerror!();
  expect([workers.length, problems]).toEqual([5, ['ended']]);
});

/** What a formula of a rule that begins in A1 comes to in cells of column B; the worker answers until nothing is asked any more. */
function answersOf({ calculation, workers }: ReturnType<typeof page>, text: string, rows: readonly number[]) {
  const formula = { text, row: 0, column: 0 };
  const ask = () =>
    rows.map((row) => calculation.ruleAnswer({ sheet: 's1', formula, row, column: 1, most: 5 }));
  const first = ask();
  vi.advanceTimersByTime(0);
  for (let turn = 0; turn < 4; turn++) workers.at(-1)!.work();
  return { first, last: ask() };
}

it('[CE32] formulas of rules are calculated for the cells that ask, also where no cell has a formula', () => {
  const made = page();
  made.calculation.update(sheets([0, 0, 0, 0, 3, 1, 0, 4], [0, 0, 0, 0, 5, 1, 0, 6]));
  expect(made.workers).toHaveLength(0);
  const { first, last } = answersOf(made, 'A1*2+$B$1', [0, 1]);
  expect(first).toEqual([undefined, undefined]);
  expect(last).toEqual([[12], [16]]);
  expect(answersOf(made, 'INDIRECT("A1:A2")', [0]).last).toEqual([[3, 5]]);
  expect(answersOf(made, 'Unknown(1)', [0]).last).toEqual([null]);
  const news = made.news();
  made.calculation.update(sheets([0, 0, 0, 0, 3, 1, 0, 10], [0, 0, 0, 0, 5, 1, 0, 6]));
  for (let turn = 0; turn < 3; turn++) made.workers[0]!.work();
  // Until somebody asks again the answer of before is shown.
  const anew = answersOf(made, 'A1*2+$B$1', [0, 1]);
  expect(anew).toEqual({ first: [[12], [16]], last: [[30], [22]] });
  expect(made.news()).toBe(news + 2);
});

it('[CE32] what is about to be entered is taken to be in its cell, and nothing else is changed by that', async () => {
  const { calculation, workers } = page();
  calculation.update(sheets([0, 0, 0, 0, 3, 1, 0, { f: 'A1+1' }]));
  workers[0]!.work();
  const asked = { sheet: 's1', formula: { text: 'B1=8', row: 0, column: 0 }, row: 0, column: 0, most: 1 };
  const answer = calculation.askRule(asked, 7);
  const other = calculation.askRule(asked, 9);
  const formula = calculation.askRule(asked, { formula: '2*3.5', kind: 'single' });
  vi.advanceTimersByTime(0);
  for (let turn = 0; turn < 4; turn++) workers[0]!.work();
  expect([await answer, await other, await formula]).toEqual([[true], [false], [true]]);
  expect(calculation.valueOf('s1', 0, 1)).toBe(4);
});

it('[CE33] a formula of a rule that does not come to an end is left out, and all else is answered', () => {
  const made = page();
  made.calculation.update(sheets([0, 0, 0, 0, 3, 1, 0, { f: 'A1+1' }]));
  made.workers[0]!.work();
  answersOf(made, 'COMBINA(A1,1E15)', [0]);
  vi.advanceTimersByTime(100);
  expect([made.workers.length, made.problems]).toEqual([2, ['left']]);
  expect(answersOf(made, 'A1*2', [0]).last).toEqual([[8]]);
  expect(answersOf(made, 'COMBINA(A1,1E15)', [0, 1]).last).toEqual([null, null]);
  expect(made.calculation.valueOf('s1', 0, 1)).toBe(4);
  expect(made.workers).toHaveLength(2);
});
