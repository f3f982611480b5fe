import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cell } from './cell.ts';
import { withinReach } from './change-reach.ts';
import { Formula, type FormulaJson } from './formula/formula.ts';
import { Grid } from './grid.ts';
import { noLine } from './lines.ts';
import {
  answerOf,
  answerWithin,
  array,
  type Content,
  empty,
  placed,
  rare,
  storedIn,
  told,
  typed,
  value,
  volatile,
  workbookOf,
} from './testing/calculated-workbooks.ts';
import type { CellValue } from './values.ts';
import type { Workbook } from './workbook.ts';

test('[CE64] what a change reaches comes to what it comes to where everything is calculated', () => {
  let othersDiffered = 0;
  fc.assert(
    fc.property(
      fc.array(typed, { minLength: 60, maxLength: 120 }),
      fc.array(array, { maxLength: 2 }),
      fc.array(placed(volatile.map((f) => ({ f }))), { maxLength: 1 }),
      fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, placed(rare.map((f) => ({ f })))),
      fc.array(fc.oneof({ weight: 4, arbitrary: placed(value, 0, 1) }, typed), {
        minLength: 1,
        maxLength: 3,
      }),
      (cells, arrays, times, odd, edits) => {
        const contents = new Map([...cells, ...arrays, ...times, ...(odd ? [odd] : [])]);
        const stored = storedIn(contents);
        const before = workbookOf(contents, stored);
        // What somebody has typed has no value yet.
        const kept = new Map([...stored].filter(([key]) => !edits.some(([edited]) => edited === key)));
        const after = workbookOf(new Map([...contents, ...edits]), kept);
        const all = answerOf(after);
        // What stands in a circle, or reads it, is left to the engine.
        fc.pre(!all.stale.some(({ why }) => why === 'circular'));
        const reach = withinReach(before, after);
        const differing = told(all, after);
        if (reach.after !== after && differing.length > edits.length) othersDiffered++;
        expect(told(answerWithin(reach), after)).toEqual(differing);
      },
    ),
    { numRuns: 100 },
  );
  expect(othersDiffered).toBeGreaterThan(30);
});

/** Cells of the first sheet by their addresses; a formula begins with `=`. */
type Cells = Readonly<Record<string, CellValue | FormulaJson>>;

const contentsOf = (cells: Cells): [string, Content][] =>
  Object.entries(cells).map(([address, content]) => {
    const [, column, line] = /^([A-Z])(\d+)$/.exec(address)!;
    const key = `0 ${Number(line) - 1} ${column!.charCodeAt(0) - 65}`;
    const isSpan = typeof content === 'object' && content !== null && 't' in content;
    if (isSpan) return [key, { f: content }];
    return [
      key,
      typeof content === 'string' && content.startsWith('=')
        ? { f: content.slice(1) }
        : (content as CellValue),
    ];
  });

test.each<[string, Cells, Cells, Cells]>([
  ['a formula that was there before', { A1: '=B1', B1: 5, C1: '=A1+1' }, { A1: 0 }, { C1: 1 }],
  ['time', { A1: 1, B1: '=YEAR(NOW())', C1: '=A1+D1', D1: '=B1+1' }, { A1: 2 }, { C1: 2029 }],
  [
    'totals of totals',
    { A1: 1, A2: '=SUBTOTAL(9,A1)', A3: 2, B1: '=SUBTOTAL(9,A1:A3)' },
    { A3: 5 },
    { B1: 6 },
  ],
  [
    'an array of old',
    { A1: 1, A2: 2, B1: { t: 'A1:A2*2', a: ['array', 2, 1] }, C1: '=B2+1' },
    { A2: 7 },
    { B2: 14, C1: 15 },
  ],
  [
    'what is within an array',
    { A1: 1, B1: { t: 'A1*{1;2}', a: ['array', 2, 1] }, C1: '=B2+1' },
    { B2: null, A1: 3 },
    { B1: 3, C1: 7 },
  ],
  ['an address that is made', { A1: 1, B1: '=INDIRECT("A"&1)+1' }, { A1: 5 }, { B1: 6 }],
  ['a range between what functions give', { A1: 1, B1: '=SUM(INDEX(A1:A1,1):A2)' }, { A2: 5 }, { B1: 6 }],
  [
    'what spills',
    { A1: 1, B1: { t: '_xlfn.SEQUENCE(A1)', a: ['dynamic', 1, 1] }, C2: '=B2+1' },
    { A1: 2 },
    { B2: 2, C2: 3 },
  ],
  ['a name of one sheet', { A1: 2, B1: '=Rate*2' }, { A1: 4 }, { B1: 8 }],
  ['a LAMBDA with a name', { B1: 2, C1: '=Twice(1)' }, { B1: 4 }, { C1: 6 }],
])('[CE64] %s', (_, cells, edit, expected) => {
  const contents = new Map(contentsOf(cells));
  const edits = contentsOf(edit);
  const stored = storedIn(contents);
  const after = workbookOf(new Map([...contents, ...edits]), stored);
  const answer = answerWithin(withinReach(workbookOf(contents, stored), after));
  const wanted = contentsOf(expected).map(([key, value]) => [key.replace(/^0 /, ''), value]);
  expect(
    Object.fromEntries(told(answer, after).map(([, line, column, value]) => [`${line} ${column}`, value])),
  ).toEqual(expect.objectContaining(Object.fromEntries(wanted)));
});

test('[CE64] formulas that nobody has calculated yet are, as far as others read them, however long the chain is', () => {
  const rows = 30_000;
  const grid = (first: number) =>
    Grid.of(
      Array.from({ length: rows }, (_, at) => {
        const chain = { value: null, formula: Formula.of(at === 0 ? 'B1' : `A${at}+1`), format: 0 };
        const cells: Cell[] = at === 0 ? [chain, { value: first, formula: null, format: 0 }] : [chain];
        return [at, { line: noLine, columns: at === 0 ? [0, 1] : [0], cells }] as const;
      }),
    );
  const version = (first: number): Workbook => ({
    ...empty,
    sheets: empty.sheets.map((sheet, at) => (at === 0 ? { ...sheet, grid: grid(first) } : sheet)),
  });
  expect(answerWithin(withinReach(version(1), version(5))).values).toHaveLength(rows);
});

test('[CE64] a calculation is told of what is reached, and of what that reads', () => {
  const contents = new Map(
    contentsOf({
      A1: 1,
      A2: 2,
      A3: '=A2*2',
      B1: '=SUM(A1:A3)',
      B2: '=A2+1',
      C1: '=B1+1',
      D1: '=B2+C1',
      D2: '=B2',
    }),
  );
  const stored = storedIn(contents);
  const after = workbookOf(new Map([...contents, ['0 0 0', 7]]), stored);
  const { after: reduced } = withinReach(workbookOf(contents, stored), after);
  const cells = [...reduced.sheets[0]!.grid.rows()].flatMap(([line, { columns, cells: some }]) =>
    some.map(({ formula: one, value }, at) => [`${'ABCD'[columns[at]!]}${line + 1}`, one?.text ?? value]),
  );
  expect(Object.fromEntries(cells)).toEqual({
    ...{ A1: 7, A2: 2, A3: 4, B1: 'SUM(A1:A3)', B2: 3, C1: 'B1+1', D1: 'B2+C1' },
  });
});
