import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileEngine } from '../calculation/engine-instance.ts';
import { CalculationFeed } from './calculation-feed.ts';
import { type CalculationAnswer, CalculationHost } from './calculation-host.ts';
import { type Cell, sameValue } from './cell.ts';
import { withinReach } from './change-reach.ts';
import { parseWorkbook, WORKBOOK_FORMAT } from './document.ts';
import { Formula, type FormulaJson } from './formula/formula.ts';
import { Grid } from './grid.ts';
import { noLine } from './lines.ts';
import type { CellValue } from './values.ts';
import { WORKBOOK_VERSION } from './version.ts';
import type { Workbook } from './workbook.ts';

const engine = compileEngine(
  readFileSync(new URL('../calculation/engine/calculation.wasm', import.meta.url)),
);

/** What is in a cell: a value, or a formula. */
type Content = CellValue | { readonly f: FormulaJson };
/** By `sheet row column`, counted from 0. */
type Contents = ReadonlyMap<string, Content>;

const ROWS = 7;
const COLUMNS = 6;

const empty = parseWorkbook({
  format: WORKBOOK_FORMAT,
  version: WORKBOOK_VERSION,
  formats: [{}],
  sheets: ['One', 'Two'].map((name) => ({ id: name, properties: { name }, rows: [] })),
  items: {
    name: {
      n1: { name: 'Rate', formula: 'One!$A$1' },
      n2: { name: 'Rates', formula: 'One!$A$1:$A$4' },
      n3: { name: 'Twice', formula: 'LAMBDA(x,x*2+One!$B$1)' },
      n4: { name: 'Left', formula: 'One!A1' },
    },
  },
  volatile: { timeMs: Date.UTC(2026, 2, 4), seed: 3 },
});

/** A workbook of two sheets; `values` are those that are stored for its formulas. */
function workbookOf(contents: Contents, values: ReadonlyMap<string, CellValue> = new Map()): Workbook {
  const sheets = empty.sheets.map((sheet, at) => ({ ...sheet, grid: gridOf(at, contents, values) }));
  return { ...empty, sheets };
}

function gridOf(sheet: number, contents: Contents, values: ReadonlyMap<string, CellValue>): Grid {
  const rows = Array.from({ length: 2 * ROWS }, (_, row) => {
    const [columns, cells]: [number[], Cell[]] = [[], []];
    for (let column = 0; column < 2 * COLUMNS; column++) {
      const key = `${sheet} ${row} ${column}`;
      const content = contents.get(key) ?? null;
      const isFormula = typeof content === 'object' && content !== null && 'f' in content;
      const value = isFormula ? (values.get(key) ?? null) : (content ?? values.get(key) ?? null);
      if (value === null && !isFormula) continue;
      columns.push(column);
      cells.push({
        value: value as CellValue,
        formula: isFormula ? Formula.ofJson(content.f) : null,
        format: 0,
      });
    }
    return [row, { line: noLine, columns, cells }] as const;
  });
  return Grid.of(rows);
}

/** What a calculation tells of the later version. */
function answerOf(before: Workbook, after: Workbook): CalculationAnswer {
  const [feed, host] = [new CalculationFeed('en'), new CalculationHost(engine)];
  let answer: CalculationAnswer | null = null;
  for (const request of [...feed.next(before), ...feed.next(after)]) answer = host.take(request) ?? answer;
  return answer!;
}

/** The values that formulas have, as a program would store them. */
function storedIn(contents: Contents): Map<string, CellValue> {
  const [feed, host] = [new CalculationFeed('en'), new CalculationHost(engine)];
  const values = new Map<string, CellValue>();
  for (const request of feed.next(workbookOf(contents))) {
    for (const { sheet, row, column, value } of host.take(request)?.values ?? [])
      values.set(`${sheet === 'One' ? 0 : 1} ${row} ${column}`, value);
  }
  return values;
}

/** Cells whose values are to be written, since others are stored. */
const told = ({ values }: CalculationAnswer, { sheets }: Workbook): unknown[][] =>
  values
    .filter(({ sheet, row, column, value }) => {
      const { grid } = sheets.find(({ id }) => id === sheet)!;
      return !sameValue(grid.cell(row, column).value, value);
    })
    .map(({ sheet, row, column, value }) => [sheet, row, column, value])
    .sort();

/** Most read what is typed in, which stands in A and B, so that few formulas are circular. */
const letter = fc.constantFrom(...'ABABABABABCD');
const row = fc.integer({ min: 1, max: ROWS });
const cell = fc
  .tuple(fc.constantFrom('', '', '', 'One!', "'Two'!"), letter, row)
  .map(([sheet, c, r]) => sheet + c + r);
const range = fc
  .tuple(fc.constantFrom('', '', 'Two!'), letter, row, letter, row)
  .map(([sheet, c1, r1, c2, r2]) => `${sheet}${c1}$${r1}:$${c2}${r2}`);
const column1 = fc.tuple(letter, row).map(([c, r]) => `${c}1:${c}${r}`);
const formula = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(cell, cell).map(([a, b]) => `${a}+${b}`) },
  fc.tuple(cell, cell, cell).map(([a, b, c]) => `IF(${a}>2,${b},${c})&"A1:"`),
  fc.tuple(range, cell).map(([a, b]) => `SUM(${a})-${b}`),
  fc.tuple(column1, cell).map(([a, b]) => `SUMIF(${a},">1",${b})`),
  fc.tuple(column1, cell).map(([a, b]) => `COUNTIF(${a},${b})`),
  fc.tuple(column1, cell, column1).map(([a, b, c]) => `LOOKUP(${b},${a},${c})`),
  fc.tuple(range, row).map(([a, r]) => `INDEX(${a},${r},1)`),
  column1.map((a) => `SUBTOTAL(9,${a})`),
  cell.map((a) => `_xlfn.FORMULATEXT(${a})`),
  cell.map((a) => `LET(x,${a},y,Rate,x-y)`),
  fc.constantFrom('SUM(Rates)', 'SUM(One!A:A)', 'SUM($2:$3)', 'ROW()+COLUMN()', 'Nobody!A1', '#REF!+A1'),
);
/** What makes it impossible to tell what is reached, and what is always reached. */
const rare = fc.oneof(
  fc.tuple(letter, row).map(([c, r]) => `INDIRECT("${c}"&${r})*2`),
  fc.tuple(column1, row, row).map(([a, x, y]) => `SUM(INDEX(${a},${x}):INDEX(${a},${y}))`),
  cell.map((a) => `Twice(${a})`),
  fc.constantFrom('Left+1', 'SUM(One:Two!A1)'),
);
const volatile = fc.constantFrom('RAND()', 'YEAR(NOW())+A1');
const value = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: -2, max: 9 }) },
  fc.constantFrom<Content>('x', '', true, null),
);
const placed = (
  of: fc.Arbitrary<Content>,
  first = 2,
  last = COLUMNS - 1,
): fc.Arbitrary<readonly [string, Content]> =>
  fc
    .tuple(fc.nat({ max: 1 }), fc.nat({ max: ROWS - 1 }), fc.integer({ min: first, max: last }), of)
    .map(([sheet, r, c, content]) => [`${sheet} ${r} ${c}`, content]);
const typed = fc.oneof(placed(value, 0, 1), placed(formula.map((f) => ({ f }))));
/** Two cells to the right of all others. */
const array = fc
  .tuple(fc.constantFrom(0, 3, 5), column1)
  .map(([r, a]): [string, Content] => [`0 ${r} ${COLUMNS + 1}`, { f: { t: `${a}*2`, a: ['array', 2, 1] } }]);

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
        const all = answerOf(before, after);
        // What stands in a circle, or reads it, is left to the engine.
        fc.pre(!all.stale.some(({ why }) => why === 'circular'));
        const reduced = withinReach(before, after);
        const differing = told(all, after);
        if (reduced[0] !== before && differing.length > edits.length) othersDiffered++;
        expect(told(answerOf(...reduced), after)).toEqual(differing);
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
  const answer = answerOf(...withinReach(workbookOf(contents, stored), after));
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
  const [before, after] = withinReach(version(1), version(5));
  expect(answerOf(before, after).values).toHaveLength(rows);
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
  const [, reduced] = withinReach(workbookOf(contents, stored), after);
  const cells = [...reduced.sheets[0]!.grid.rows()].flatMap(([line, { columns, cells: some }]) =>
    some.map(({ formula: one, value }, at) => [`${'ABCD'[columns[at]!]}${line + 1}`, one?.text ?? value]),
  );
  expect(Object.fromEntries(cells)).toEqual({
    ...{ A1: 7, A2: 2, A3: 4, B1: 'SUM(A1:A3)', B2: 3, C1: 'B1+1', D1: 'B2+C1' },
  });
});
