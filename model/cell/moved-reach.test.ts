import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sameValue } from './cell.ts';
import { applyOperation } from './change.ts';
import { withinReach } from './change-reach.ts';
import type { CellOperation } from './operations.ts';
import {
  answerOf,
  answerWithin,
  type Content,
  storedIn,
  workbookOf,
} from './testing/calculated-workbooks.ts';
import { RandomOperations, randomOf } from './testing/random-operations.ts';
import { RandomWorkbook, shownIn, withValues } from './testing/random-workbook.ts';
import type { Workbook } from './workbook.ts';

function fillsFormulas({ sheets }: Workbook): boolean {
  return sheets.some(({ grid }) =>
    [...grid.formulas()].some(
      ([{ span }, row, column]) => span?.rows === 2 && grid.cell(row + 1, column).formula !== null,
    ),
  );
}

test('[CE90] where cells have moved, what changes reach comes to what it comes to where everything is calculated', () => {
  let [fewer, told] = [0, 0];
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = new RandomOperations(randomOf(seed), 'a');
      const workbooks = new RandomWorkbook(random);
      const before = workbooks.workbook();
      const { after, done } = workbooks.changed(before);
      // A formula within what another one fills comes to what the engine comes to first.
      fc.pre(!fillsFormulas(after));
      const all = answerOf(after);
      // What stands in a circle keeps what is stored, and what reads it is left to the engine.
      fc.pre(!all.stale.some(({ why }) => why === 'circular'));
      const reach = withinReach(before, after);
      const answer = answerWithin(reach);
      if (reach.before === null && reach.after !== after) {
        fewer++;
        told += answer.values.length / all.values.length;
      }
      const shown = shownIn(withValues(after, answer.values));
      const expected = shownIn(withValues(after, all.values));
      const others = [...shownIn(after).keys()].filter(
        (place) => !sameValue(shown.get(place) ?? null, expected.get(place) ?? null),
      );
      expect(others, JSON.stringify(done)).toEqual([]);
    }),
    // FORMULATEXT of the second cell of an array, whose formula stands outside what is read.
    { numRuns: 25, examples: [[446_659_841]] },
  );
  expect(fewer).toBeGreaterThan(3);
  expect(told / fewer).toBeLessThan(0.6);
});

const insertion: CellOperation = { op: 'insert', sheet: 'One', axis: 'row', at: 1, count: 1 };
const sorting: CellOperation = { op: 'sort', sheet: 'One', axis: 'row', band: [1, 1], order: [1, 0] };
const entry: CellOperation = { op: 'set', sheet: 'One', cells: [[0, 1, { f: 'A1+A1' }]] };

test.each<[string, CellOperation, readonly (readonly [row: number, column: number, value: number])[]]>([
  [
    '[CE90] a row put in: the sum that has grown, and what reads it',
    insertion,
    [
      [3, 2, 6],
      [4, 2, 7],
    ],
  ],
  [
    '[CE91] formulas that were sorted with the values of their rows',
    sorting,
    [
      [0, 1, 2],
      [1, 1, 10],
    ],
  ],
  ['[CE91] a formula that comes to what the one before it did', entry, [[0, 1, 2]]],
])('%s', (_, operation, expected) => {
  const contents = new Map<string, Content>([
    ['0 0 0', 1],
    ['0 0 1', { f: 'A1*2' }],
    ['0 1 0', 5],
    ['0 1 1', { f: 'A2*2' }],
    ['0 2 2', { f: 'SUM(A1:A2)' }],
    ['0 3 2', { f: 'C3+1' }],
  ]);
  const before = workbookOf(contents, storedIn(contents));
  const after = applyOperation(before, operation) as Workbook;
  const { values } = answerWithin(withinReach(before, after));
  expect(values.map(({ row, column, value }) => [row, column, value])).toEqual(expected);
});

test('[CE91] what reads a formula that takes the place of another is compared with what it came to beside that one', () => {
  const contents = new Map<string, Content>([
    ['0 0 0', 1],
    ['0 0 2', { f: 'A1-1' }],
    ['0 0 3', { f: 'COUNTIF(C1:C1,B9)' }],
  ]);
  const before = workbookOf(contents, storedIn(contents));
  const entry: CellOperation = { op: 'set', sheet: 'One', cells: [[0, 2, { f: 'A1*1' }]] };
  const { values } = answerWithin(withinReach(before, applyOperation(before, entry) as Workbook));
  expect(values.map(({ column, value }) => [column, value]).sort()).toEqual([
    [2, 1],
    [3, 0],
  ]);
});
