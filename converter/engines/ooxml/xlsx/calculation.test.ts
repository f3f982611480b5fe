import { expect, test } from 'vitest';
import { parseWorkbook, WORKBOOK_FORMAT } from '../../../../model/cell/document.ts';
import { WORKBOOK_VERSION } from '../../../../model/cell/version.ts';
import { ThreadCalculation } from './calculation.ts';

const workbook = (rows: readonly unknown[]) =>
  parseWorkbook({
    format: WORKBOOK_FORMAT,
    version: WORKBOOK_VERSION,
    formats: [{}],
    sheets: [{ id: 's1', properties: { name: 'First' }, rows }],
  });

test('[CE24] a file gets the values that its changes lead to, and keeps those that no change concerns', () => {
  const others = [2, 0, { f: 'SUM(1,1)', v: 'as its program says' }];
  const before = workbook([[0, 0, 0, 0, 1, 1, 0, { f: 'A1*2', v: 2 }, ...others]]);
  const after = workbook([[0, 0, 0, 0, 4, 1, 0, { f: 'A1*2', v: 2 }, ...others, 3, 0, { f: 'B1+1' }]]);
  const values = new ThreadCalculation({ patienceMs: 60_000 }).values(before, after);
  expect([0, 1, 2, 3].map((column) => values.of('s1', 0, column))).toEqual([undefined, 8, undefined, 9]);
  expect(values.isComplete).toBe(true);
});

test('[CE24] a formula that does not come to an end costs the values, not the file, and the next one is calculated', () => {
  const calculation = new ThreadCalculation({ patienceMs: 500 });
  const plain = workbook([[0, 0, 0, 0, 1, 1, 0, { f: 'A1*2', v: 2 }]]);
  // Each takes as many steps as a formula may, and seconds.
  const slow = { f: 'REDUCE(0,SEQUENCE(9999),LAMBDA(a,x,SUM(a,SEQUENCE(9999,,x))))', v: 2 };
  const endless = workbook([[0, 0, 0, 0, 1, ...[1, 2, 3, 4, 5, 6].flatMap((column) => [column, 0, slow])]]);
  const lost = calculation.values(plain, endless);
  expect([lost.of('s1', 0, 1), lost.isComplete]).toEqual([undefined, false]);
  const found = new ThreadCalculation({ patienceMs: 60_000 });
  expect(found.values(plain, workbook([[0, 0, 0, 0, 3, 1, 0, { f: 'A1*2', v: 2 }]])).of('s1', 0, 1)).toBe(6);
});

test('[CE24] formulas that take very many steps together cost their own values, not those of the others', () => {
  const slow = { f: 'REDUCE(A1,SEQUENCE(2999),LAMBDA(a,x,SUM(a,SEQUENCE(2999,,x))))', v: 2 };
  const slowOnes = [2, 3, 4, 5, 6].flatMap((column) => [column, 0, slow]);
  const rows = (first: number) =>
    workbook([[0, 0, 0, 0, first, 1, 0, { f: 'A1*2', v: 2 }, ...slowOnes, 7, 0, { f: 'A1+1' }]]);
  const calculation = new ThreadCalculation({ patienceMs: 60_000, mostSteps: 0 });
  const values = calculation.values(rows(1), rows(4));
  expect([1, 2, 3, 6, 7].map((column) => values.of('s1', 0, column))).toEqual([
    8,
    undefined,
    undefined,
    undefined,
    5,
  ]);
  expect(values.isComplete).toBe(false);
});

test('[CE24] without formulas nothing is to be known', () => {
  const empty = workbook([[0, 0, 0, 0, 1]]);
  expect(new ThreadCalculation({ patienceMs: 1 }).values(empty, empty).isComplete).toBe(true);
});
