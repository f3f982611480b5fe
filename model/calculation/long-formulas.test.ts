import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { describe, expect, test } from 'vitest';
import type { Change, FormulaKind } from './calculation.ts';
import { compileEngine } from './engine-instance.ts';
import { withinLevels } from './long-formulas.ts';
import { openCalculation } from './workbook-calculation.ts';

const bytes = readFileSync(new URL('./engine/calculation.wasm', import.meta.url));
const module = compileEngine(bytes);

/** What a formula in C2 comes to, and what spills below it, beside 5 and 7 in A1 and A2. */
function valuesOf(formula: string, kind: FormulaKind = 'single', engine = module): unknown[] {
  const cells: Change[] = [
    { sheet: 0, row: 1, column: 1, content: 5 },
    { sheet: 0, row: 2, column: 1, content: 7 },
    { sheet: 0, row: 2, column: 3, content: { formula, kind } },
  ];
  const calculation = openCalculation(engine, {
    ...{ sheets: ['Sheet'], names: [], tables: [], from1904: false, iterates: false },
    changes: () => cells,
    content: () => ({ formula, kind }),
  });
  calculation.recalculate({ timeMs: 0, timeZone: 'UTC', seed: 1 });
  const why = calculation.stale(0, 2, 3);
  return why ? [why] : calculation.changed().map(({ value }) => value);
}

const ones = (count: number) => `1${'+1'.repeat(count)}`;
const around = (before: string, count: number, inside: string, behind: string) =>
  before.repeat(count) + inside + behind.repeat(count);

/** Each has more levels than fit into the stack, or did. */
const long: readonly [name: string, formula: string, value: unknown, kind?: FormulaKind][] = [
  ['a sum of 8,191 characters', ones(4_095), 4_096],
  ['differences', `1${'-1'.repeat(4_000)}`, -3_999],
  ['products and sums', `1${'+2*3'.repeat(1_500)}-1&"x"`, '9000x'],
  ['powers from left to right', `2^3^2${'^1'.repeat(3_000)}`, 64],
  ['signs before powers', `-2^2${'+0'.repeat(3_000)}`, 4],
  ['percents', `500%${'+0'.repeat(2_000)}`, 5],
  ['many percents', `5${'%'.repeat(3_000)}`, 0],
  ['comparisons', `${ones(2_000)}<>${ones(2_001)}`, true],
  ['texts', `LEN("(+"${'&"b"'.repeat(2_000)})`, 2_002],
  ['signs', `${'-'.repeat(8_001)}5`, -5],
  ['brackets', around('(', 4_000, '1', ')'), 1],
  ['brackets around a range', `ROWS(${around('(', 3_000, 'A1:A2', ')')})`, 2],
  ['brackets at the right', around('(1+', 1_600, '1', ')'), 1_601],
  ['brackets at the left', `${'('.repeat(1_600)}1${'+1)'.repeat(1_600)}`, 1_601],
  ['brackets with spaces', `A1 - ${around('( 1 +  ', 400, ' 1 ', ' )')}`, -396],
  ['a condition', `IF(A1=7,${ones(3_000)},${ones(2_900)})`, 2_901],
  ['what is not asked for', `IF(A1=5,1,1/0${'+1'.repeat(3_000)})`, 1],
  ['an error that is caught', `IFERROR(1/0${'+1'.repeat(3_000)},9)`, 9],
  ['names of the formula', `LET(part1,${ones(1_000)},part1${'+part1'.repeat(1_200)})`, 1_202_201],
  ['functions within', around('SUM(1+', 60, ones(3_500), ')'), 3_561],
  ['constants', `SUM({1,-2;3,4})${'+1'.repeat(3_000)}`, 3_006],
  ['the row of the formula', `A1:A2${'+1'.repeat(3_000)}`, 3_007],
  ['the row of the formula in a function', `SUM(A1:A2${'+1'.repeat(3_000)})`, 3_007],
  ['arrays in what takes them', `SUMPRODUCT(A1:A2${'*1'.repeat(3_000)})`, 12],
  ['a function for each value', `SUM(MAP(A1:A2,LAMBDA(x,x${'+x'.repeat(2_500)})))`, 30_012, 'dynamic'],
];

describe('long formulas', () => {
  test.each(long)('[XS246] %s', (_, formula, value, kind) => {
    expect(valuesOf(formula, kind)).toEqual([value]);
  });

  test('[XS246] several values spill', () => {
    expect(valuesOf(`A1:A2${'+1'.repeat(3_000)}`, 'dynamic')).toEqual([3_005, 3_007]);
  });

  test('[XS246] optimised code has the same values', () => {
    // A section without meaning: code of the same bytes that has been compiled already is used again.
    const other = Buffer.concat([bytes, Buffer.from([0, 2, 1, 121])]);
    setFlagsFromString('--no-liftoff');
    try {
      const engine = compileEngine(other);
      const values = long.map(([, formula, , kind]) => valuesOf(formula, kind, engine)[0]);
      expect(values).toEqual(long.map(([, , value]) => value));
    } finally {
      setFlagsFromString('--liftoff');
    }
  });

  test.each([
    ['functions', around('SUM(', 300, '1', ')'), 'too-deep'],
    ['brackets that are not closed', '('.repeat(3_000), 'unreadable'],
    ['brackets that are not opened', `1${')'.repeat(3_000)}`, 'unreadable'],
    ['operators alone', '+'.repeat(3_000), 'unreadable'],
    ['no formula', '(1+*,'.repeat(1_200), 'too-deep'],
  ])('[CE12] %s without end are refused', (_, formula, why) => {
    expect(valuesOf(formula)).toEqual([why]);
  });

  test('[CE12] a formula that can be read as it is stays so', () => {
    const formula = `SUM(${'(A1)+ A1*2,'.repeat(150)}1)`;
    expect(withinLevels(formula)).toBe(formula);
  });
});
