import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { compileEngine } from '../../calculation/engine-instance.ts';
import { CalculationFeed } from '../calculation-feed.ts';
import { type CalculatedPlace, type CalculationAnswer, CalculationHost } from '../calculation-host.ts';
import { type Cell, sameValue } from '../cell.ts';
import type { Reach } from '../change-reach.ts';
import { parseWorkbook, WORKBOOK_FORMAT } from '../document.ts';
import { Formula, type FormulaJson } from '../formula/formula.ts';
import { Grid } from '../grid.ts';
import { noLine } from '../lines.ts';
import { lastAnswer } from '../told-values.ts';
import type { CellValue } from '../values.ts';
import { WORKBOOK_VERSION } from '../version.ts';
import type { Workbook } from '../workbook.ts';

const engine = compileEngine(
  readFileSync(new URL('../../calculation/engine/calculation.wasm', import.meta.url)),
);

/** What is in a cell: a value, or a formula. */
export type Content = CellValue | { readonly f: FormulaJson };
/** By `sheet row column`, counted from 0. */
export type Contents = ReadonlyMap<string, Content>;

export const ROWS = 7;
export const COLUMNS = 6;

export const empty = parseWorkbook({
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
export function workbookOf(contents: Contents, values: ReadonlyMap<string, CellValue> = new Map()): Workbook {
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

/** What a calculation tells of the last of some versions. */
export const answerOf = (...versions: readonly Workbook[]): CalculationAnswer => answerWith([], ...versions);

function answerWith(wanted: readonly CalculatedPlace[], ...versions: readonly Workbook[]): CalculationAnswer {
  const feed = new CalculationFeed('en');
  const requests = versions.flatMap((version) => [...feed.next(version)]);
  return lastAnswer(new CalculationHost(engine), requests, wanted)!;
}

/** What a calculation of no more than that tells. */
export function answerWithin({ before, after, wanted, reaches }: Reach): CalculationAnswer {
  const answer = before ? answerWith(wanted, before, after) : answerOf(after);
  const values = answer.values.filter(({ sheet, row: place, column }) => reaches(sheet, place, column));
  return { ...answer, values };
}

/** The values that formulas have, as a program would store them. */
export function storedIn(contents: Contents): Map<string, CellValue> {
  const [feed, host] = [new CalculationFeed('en'), new CalculationHost(engine)];
  const values = new Map<string, CellValue>();
  for (const request of feed.next(workbookOf(contents))) {
    for (const { sheet, row, column, value } of host.take(request)?.values ?? [])
      values.set(`${sheet === 'One' ? 0 : 1} ${row} ${column}`, value);
  }
  return values;
}

/** Cells whose values are to be written, since others are stored. */
export const told = ({ values }: CalculationAnswer, { sheets }: Workbook): unknown[][] =>
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
export const formula = fc.oneof(
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
export const rare = fc.oneof(
  fc.tuple(letter, row).map(([c, r]) => `INDIRECT("${c}"&${r})*2`),
  fc.tuple(column1, row, row).map(([a, x, y]) => `SUM(INDEX(${a},${x}):INDEX(${a},${y}))`),
  cell.map((a) => `Twice(${a})`),
  fc.constantFrom('Left+1', 'SUM(One:Two!A1)'),
);
export const volatile = fc.constantFrom('RAND()', 'YEAR(NOW())+A1');
export const value = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: -2, max: 9 }) },
  fc.constantFrom<Content>('x', '', true, null),
);
export const placed = (
  of: fc.Arbitrary<Content>,
  first = 2,
  last = COLUMNS - 1,
): fc.Arbitrary<readonly [string, Content]> =>
  fc
    .tuple(fc.nat({ max: 1 }), fc.nat({ max: ROWS - 1 }), fc.integer({ min: first, max: last }), of)
    .map(([sheet, r, c, content]) => [`${sheet} ${r} ${c}`, content]);
export const typed = fc.oneof(placed(value, 0, 1), placed(formula.map((f) => ({ f }))));
/** Two cells to the right of all others. */
export const array = fc
  .tuple(fc.constantFrom(0, 3, 5), column1)
  .map(([r, a]): [string, Content] => [`0 ${r} ${COLUMNS + 1}`, { f: { t: `${a}*2`, a: ['array', 2, 1] } }]);
