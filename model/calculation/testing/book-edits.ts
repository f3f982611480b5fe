import fc from 'fast-check';
import { expect } from 'vitest';
import type { CellContent } from '../calculation.ts';
import { Book, type Hiding, type Step, single } from './changing-book.ts';

const ROWS = 7;
const COLUMNS = 6;
/** The cells of the second sheet from which arrays spill, downwards, so that none stands in another's way. */
const SPILLING_ROW = 2;

const row = fc.integer({ min: 1, max: ROWS });
const column = fc.integer({ min: 1, max: COLUMNS });
const letter = fc.constantFrom(...'ABCDEFG');
const cell = fc
  .tuple(fc.constantFrom('', '', 'One!', 'Two!'), letter, row)
  .map(([sheet, c, r]) => sheet + c + r);
const range = fc
  .tuple(fc.constantFrom('', '', 'One!', 'Two!'), letter, row, letter, row)
  .map(([sheet, c1, r1, c2, r2]) => `${sheet}${c1}${r1}:${c2}${r2}`);
const column1 = fc.tuple(letter, row).map(([c, r]) => `${c}1:${c}${r}`);

const formula = fc.oneof(
  fc.tuple(cell, cell).map(([a, b]) => `${a}+${b}`),
  fc.tuple(cell, cell, cell).map(([a, b, c]) => `IF(${a}>2,${b},${c})`),
  fc.tuple(range, cell).map(([a, b]) => `SUM(${a})-${b}`),
  fc.tuple(column1, cell).map(([a, b]) => `SUMIF(${a},">1",${b})`),
  fc.tuple(column1, cell).map(([a, b]) => `COUNTIF(${a},${b})`),
  fc.tuple(column1, cell, column1).map(([a, b, c]) => `LOOKUP(${b},${a},${c})`),
  fc.tuple(column1, cell).map(([a, b]) => `VLOOKUP(${b},${a},1,FALSE)`),
  fc.tuple(range, row, column).map(([a, r, c]) => `INDEX(${a},${r},${c})`),
  fc.tuple(column1, row, row).map(([a, x, y]) => `SUM(INDEX(${a},${x}):INDEX(${a},${y}))`),
  fc.tuple(cell, row).map(([a, r]) => `SUM(OFFSET(${a},1,0,${r},1))`),
  fc.tuple(letter, row).map(([c, r]) => `INDIRECT("${c}"&${r})*2`),
  fc.tuple(cell, cell).map(([a, b]) => `CHOOSE(IF(${a}>1,1,2),${b},7)`),
  cell.map((a) => `Twice(${a})`),
  cell.map((a) => `LET(x,${a},y,Rate,x-y)`),
  fc.constantFrom('SUM(Rates)', 'RAND()', 'NOW()', 'SUM(One!A:A)', 'ROW()+COLUMN()'),
  column1.map((a) => `SUBTOTAL(109,${a})`),
  column1.map((a) => `_xlfn.TEXTJOIN(",",TRUE,${a})`),
  cell.map((a) => `_xlfn.FORMULATEXT(${a})`),
  column.map((c) => `SUM(_xlfn.ANCHORARRAY(Two!${'ABCDEF'[c - 1]}${SPILLING_ROW}))`),
);
const spilling = fc.oneof(
  row.map((r) => `_xlfn.SEQUENCE(MIN(4,ABS(One!A${r})+1))`),
  row.map((r) => `_xlfn._xlws.SORT(One!B1:B${r})`),
  fc.tuple(row, cell).map(([r, a]) => `_xlfn._xlws.FILTER(One!C1:C${r},One!C1:C${r}<>${a},"none")`),
);
const value = fc.oneof(
  fc.integer({ min: -2, max: 9 }),
  fc.constantFrom<CellContent>('x', 'y', '', true, null, { error: '#N/A' }),
);
const content = fc.oneof({ weight: 3, arbitrary: value }, { weight: 5, arbitrary: formula.map(single) });
const edit: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ sheet: fc.integer({ min: 0, max: 1 }), row, column, content }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      sheet: fc.constant(1),
      row: fc.constant(SPILLING_ROW),
      column,
      content: spilling.map((text): CellContent => ({ formula: text, kind: 'dynamic' })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      sheet: fc.constant(0),
      // Where nothing else is put: cells of such an array cannot be changed one by one.
      row: fc.constantFrom(1, 3, 5),
      column: fc.constant(COLUMNS + 1),
      content: column1.map((a): CellContent => ({ formula: `${a}*2`, kind: 'array', rows: 2, columns: 1 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      sheet: fc.integer({ min: 0, max: 1 }),
      row,
      hidden: fc.constantFrom<Hiding['hidden']>('by-hand', null),
    }),
  },
);

/** Whether the values of workbooks that change are those of the same workbooks opened anew. */
export function expectSameAsAnew(numRuns: number): void {
  fc.assert(
    fc.property(
      fc.array(edit, { minLength: 10, maxLength: 60 }),
      fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
      (begin, changes) => {
        const book = new Book();
        book.change(begin);
        for (const steps of changes) {
          book.change(steps);
          expect(book.shown()).toEqual(book.reopened().shown());
        }
      },
    ),
    { numRuns },
  );
}
