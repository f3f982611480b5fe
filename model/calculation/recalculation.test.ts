import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CellContent, CellValue, Moment, Workbook } from './calculation.ts';
import { compileEngine } from './engine-instance.ts';
import { openCalculation } from './workbook-calculation.ts';

const module = compileEngine(readFileSync(new URL('./engine/calculation.wasm', import.meta.url)));
const moment: Moment = { timeMs: Date.UTC(2026, 2, 4, 5, 6, 7), timeZone: 'UTC', seed: 7 };

const ROWS = 7;
const COLUMNS = 6;
/** The cells of the second sheet from which arrays spill, downwards, so that none stands in another's way. */
const SPILLING_ROW = 2;

interface Edit {
  sheet: number;
  row: number;
  column: number;
  content: CellContent;
}
interface Hiding {
  sheet: number;
  row: number;
  hidden: 'by-hand' | null;
}
type Step = Edit | Hiding;

const names = [
  { name: 'Rate', formula: 'One!$A$1' },
  { name: 'Rates', formula: 'One!$A$1:$A$4' },
  { name: 'Twice', formula: 'LAMBDA(x,x*2+One!$B$1)' },
];

/** A workbook that changes, and its calculation. */
class Book {
  readonly #cells = new Map<string, Edit>();
  readonly #hidden = new Map<string, Hiding>();
  readonly #values = new Map<string, CellValue>();
  readonly workbook: Workbook = {
    sheets: ['One', 'Two'],
    names,
    tables: [],
    locale: 'en',
    from1904: false,
    iterates: false,
    changes: () => [...this.#hidden.values(), ...this.#cells.values()],
    content: (sheet, row, column) => this.#cells.get(`${sheet}:${row}:${column}`)?.content ?? null,
  };
  readonly #calculation = openCalculation(module, this.workbook);

  /** How many results are told. */
  change(steps: readonly Step[]): number {
    for (const step of steps) {
      if ('content' in step) this.#cells.set(`${step.sheet}:${step.row}:${step.column}`, step);
      else this.#hidden.set(`${step.sheet}:${step.row}`, step);
    }
    this.#calculation.apply(steps);
    return this.calculate();
  }

  /** How many results are told. */
  calculate(at = moment): number {
    this.#calculation.recalculate(at);
    const changed = this.#calculation.changed();
    for (const { sheet, row, column, value } of changed) {
      const key = `${sheet}:${row}:${column}`;
      if (value === null) this.#values.delete(key);
      else this.#values.set(key, value);
    }
    return changed.length;
  }

  value(sheet: number, row: number, column: number): CellValue | undefined {
    return this.#values.get(`${sheet}:${row}:${column}`);
  }

  /** Every calculated value, and why cells are stale. */
  shown(): Record<string, CellValue | string> {
    const shown: [string, CellValue | string][] = [...this.#values];
    for (const { sheet, row, column, why } of this.#calculation.staleCells()) {
      shown.push([`${sheet}:${row}:${column} stale`, why]);
    }
    return Object.fromEntries(shown.sort());
  }

  /** The same workbook, opened now. */
  reopened(): Book {
    const other = new Book();
    other.change([...this.#hidden.values(), ...this.#cells.values()]);
    return other;
  }
}

const single = (formula: string): CellContent => ({ formula, kind: 'single' });
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

describe('after a change', () => {
  test('[CE50] every value is that of the same workbook opened anew', () => {
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
      { numRuns: 60 },
    );
  });

  test('[CE50] as many results are told as there are formulas whose value is another one', () => {
    const book = new Book();
    const edits = [1, 2, 3, 4, 5].map((line): Edit => ({ sheet: 0, row: line, column: 1, content: line }));
    const sums = edits.map(
      ({ row: line }): Edit => ({
        sheet: 0,
        row: line,
        column: 3,
        content: single(`SUM(A$1:A${line})`),
      }),
    );
    book.change([...edits, ...sums]);
    expect(book.calculate()).toBe(0);
    expect(book.change([{ sheet: 0, row: 4, column: 1, content: 7 }])).toBe(2);
    expect(book.change([{ sheet: 0, row: 4, column: 2, content: 7 }])).toBe(0);
    expect(book.change([{ sheet: 1, row: 4, column: 1, content: 7 }])).toBe(0);
  });

  test('[CE50] time and chance are new each time, and what reads them', () => {
    const book = new Book();
    const formulas = ['YEAR(NOW())', 'A1+1', 'RAND()', 'IF(A3>=0,1)+COUNT(A3)'];
    book.change(formulas.map((text, at) => ({ sheet: 0, row: at + 1, column: 1, content: single(text) })));
    expect([book.value(0, 1, 1), book.value(0, 2, 1)]).toEqual([2026, 2027]);
    const drawn = book.value(0, 3, 1);
    expect(book.calculate({ timeMs: Date.UTC(2027, 0, 1), timeZone: 'UTC', seed: 8 })).toBe(3);
    expect([book.value(0, 1, 1), book.value(0, 2, 1)]).toEqual([2027, 2028]);
    expect(book.value(0, 3, 1)).not.toBe(drawn);
  });

  test('[CE51] what was searched is read anew when a value, a formula or a spilled array in it changes', () => {
    const book = new Book();
    const at = (sheet: number, line: number, number: number, content: CellContent): Edit => ({
      sheet,
      row: line,
      column: number,
      content,
    });
    const spilled = { formula: '_xlfn.SEQUENCE(A1,1,8)', kind: 'dynamic' } as const;
    book.change([
      at(0, 1, 1, 2),
      ...['a', 'b', 'C', 'd'].map((text, index) => at(0, index + 1, 2, text)),
      at(0, 5, 2, single('"e"&A1')),
      at(0, 1, 4, spilled),
      ...['C', 'D', 'e2', 'e3', 'x'].map((text, index) => at(1, index + 1, 1, text)),
      ...[1, 2, 3, 4, 5].map((line) => at(1, line, 2, single(`IFERROR(MATCH(A${line},One!B$1:B$5,0),0)`))),
      ...[1, 2].map((line) => at(1, line, 3, single(`IFERROR(MATCH(${line + 8},One!D$1:D$6,0),0)`))),
      at(1, 1, 4, single('VLOOKUP("b",One!B1:B5,1)&LOOKUP("c",One!B1:B5)')),
    ]);
    const found = () => [1, 2, 3, 4, 5].map((line) => book.value(1, line, 2));
    const spills = () => [book.value(1, 1, 3), book.value(1, 2, 3)];
    expect([found(), spills(), book.value(1, 1, 4)]).toEqual([[3, 4, 5, 0, 0], [2, 0], 'bC']);
    book.change([at(0, 1, 1, 3)]);
    expect([found(), spills()]).toEqual([
      [3, 4, 0, 5, 0],
      [2, 3],
    ]);
    book.change([at(0, 1, 2, 'X'), at(0, 3, 2, 'd')]);
    expect([found(), book.value(1, 1, 4)]).toEqual([[0, 3, 0, 5, 1], 'bb']);
    book.change([at(0, 1, 4, null)]);
    expect(spills()).toEqual([0, 0]);
  });

  test('[CE51] a criterion finds in a column that is looked through again what it finds in a new one', () => {
    const column: CellContent[] = ['Kiwi', 'kiwi', 5, '5', '5.0', 'K', 'straße', '', null, 2, 1.5, true];
    const criteria: CellContent[] = [
      'KIWI',
      5,
      '5',
      'k',
      '\u212a',
      'STRASSE',
      'ki*',
      '<>5',
      '=',
      '>1',
      2,
      1.5,
      true,
      'none',
    ];
    const cells = (from: number, width: number): Edit[] => [
      ...column.map((content, at) => ({ sheet: 0, row: at + 1, column: 1, content })),
      ...column.map((_, at) => ({ sheet: 0, row: at + 1, column: 2, content: 2 ** at })),
      ...criteria.slice(from, from + width).flatMap((content, at): Edit[] => {
        const line = from + at + 1;
        const looks = [`COUNTIF($A$1:$A$12,D${line})`, `SUMIF($A$1:$A$12,D${line},$B$1:$B$12)`];
        looks.push(`COUNTIF(A:A,D${line})`, `SUMIFS($B$1:$B$12,$A$1:$A$12,D${line},$B$1:$B$12,"<4000")`);
        return [
          { sheet: 0, row: line, column: 4, content },
          ...looks.map((text, place) => ({ sheet: 0, row: line, column: 5 + place, content: single(text) })),
        ];
      }),
    ];
    const together = new Book();
    together.change(cells(0, criteria.length));
    const line = (book: Book, at: number) => [5, 6, 7, 8].map((place) => book.value(0, at + 1, place));
    for (const at of criteria.keys()) {
      const alone = new Book();
      alone.change(cells(at, 1));
      expect([criteria[at], ...line(together, at)]).toEqual([criteria[at], ...line(alone, at)]);
    }
    expect(line(together, 0)).toEqual([2, 3, 2, 3]);
    expect(line(together, 1)).toEqual([3, 4 + 8 + 16, 3, 4 + 8 + 16]);
    together.change([{ sheet: 0, row: 4, column: 1, content: 'kiwi' }]);
    expect([line(together, 0), line(together, 1)]).toEqual([
      [3, 11, 3, 11],
      [2, 20, 2, 20],
    ]);
  });

  test.each([
    ['COUNTA(One!A1:XFD1048576)', 3],
    ['COUNT(One!B2:XFC1000000)', 2],
    ['COUNTBLANK(One!B2:XFC1000000)', 16_381_983_615],
    ['COUNTIF(One!B2:XFC1000000,"")', 16_381_983_615],
    ['COUNTIF(One!B2:XFC1000000,"x")', 1],
    ['COUNTIFS(One!B2:XFC1000000,">2",One!C2:XFD1000000,"")', 2],
    ['COUNTIFS(One!B2:XFC1000000,"",One!C2:XFD1000000,"")', 16_381_983_614],
    ['SUM(One!B2:XFD1048576,1)', 9],
    ['SUMIF(One!B2:XFC1000000,">3")', 5],
    ['SUMIFS(One!B2:XFC1000000,One!B2:XFC1000000,"<4")', 3],
    ['MAX(One!B2:XFC1000000)-MIN(One!B2:XFC1000000)', 2],
    ['AND(One!B2:XFC1000000)', true],
    ['MEDIAN(One!B2:XFC1000000)', 4],
    ['LARGE(One!B2:XFC1000000,2)', 3],
    ['RANK(3,One!B2:XFC1000000)', 2],
    ['SUMSQ(One!B2:XFC1000000)', 34],
    ['SUBTOTAL(9,One!B2:XFC1000000)', 8],
    ['STDEV(One!B2:XFC1000000)^2', 2],
    ['SUM(One!Z1000:XFC1000000)', 0],
    ['VLOOKUP(3,One!B2:XFC1000000,1,FALSE)', 3],
  ])('[CE53] %s of a sheet with three values is %s', (text, value) => {
    const book = new Book();
    const one = (line: number, column: number, content: CellContent): Edit => ({
      ...{ sheet: 0, row: line, column, content },
    });
    book.change([
      one(2, 2, 3),
      one(3, 2, 'x'),
      { sheet: 1, row: 1, column: 1, content: single(text) },
      one(4, 3, 5),
    ]);
    const shown = book.value(1, 1, 1);
    expect(typeof shown === 'number' ? Math.round(shown * 1e6) / 1e6 : shown).toEqual(value);
  });

  test.each([
    ['DSUM(One!A:C,"n",One!E1:F2)', 5],
    ['DCOUNT(One!A:XFD,"n",One!E1:F2)', 1],
    ['DCOUNT(One!A:C,,One!G1:G2)', 1_048_574],
    ['DSUM(One!A:C,"n",One!E:F)', 8],
    ['DGET(One!A:C,"k",One!E1:F2)', 'b'],
    ['SUM(FREQUENCY(One!B:B,One!B2:B3))', 2],
    ['SUM(FREQUENCY(One!A:XFD,One!A:XFD))', 4],
    ['DEVSQ(One!B:B)', 2],
    ['AVEDEV(One!2:3)', 1.75],
    ['PERCENTRANK(One!B:B,5)', 1],
    ['NETWORKDAYS(61,70,One!B2:B1048576)', 7],
    ['SUM(_xlfn.TOCOL(One!B:B,3))', 8],
    ['ROWS(_xlfn.TOCOL(One!A:XFD,1))', 13],
    ['ROWS(_xlfn._xlws.TRIMRANGE(One!B:D))', 3],
    ['FVSCHEDULE(1,One!B:B)', '#VALUE!'],
    ['IMSUM(One!B2:B1048576)', '8'],
    ['PROB(One!B:B,One!H:H,3,5)', 1],
    ['Z.TEST(One!B:B,4)', 0.5],
  ])('[CE53] %s comes to %s, also when it is asked a hundred times by one formula', (text, value) => {
    const book = new Book();
    const at = (line: number, column: number, content: CellContent): Edit => ({
      ...{ sheet: 0, row: line, column, content },
    });
    // Each of the columns has a million cells, and a formula has fifty million steps.
    const often = `IF(_xlfn.REDUCE(0,_xlfn.SEQUENCE(100),_xlfn.LAMBDA(_xlpm.a,_xlpm.i,_xlpm.a+NOT(ISERR(${text}))))>=0,${text})`;
    book.change([
      ...[at(1, 1, 'k'), at(1, 2, 'n'), at(1, 5, 'k'), at(1, 6, 'k'), at(1, 7, 'n'), at(2, 7, '<>3')],
      ...[at(2, 1, 'a'), at(2, 2, 3), at(3, 1, 'b'), at(3, 2, 5), at(2, 8, 0.5), at(3, 8, 0.5)],
    ]);
    book.change([at(2, 5, 'b'), { sheet: 1, row: 1, column: 1, content: single(often) }]);
    const shown = book.value(1, 1, 1);
    expect(typeof shown === 'object' ? Object.values(shown!)[0] : shown).toEqual(value);
  });

  test('[CE53] what is put into a range of very many cells later, or spills into it, counts', () => {
    const book = new Book();
    const at = (line: number, column: number, content: CellContent): Edit => ({
      ...{ sheet: 0, row: line, column, content },
    });
    const sum = { sheet: 1, row: 1, column: 1, content: single('SUM(One!B2:XFC1000000)') };
    book.change([at(2, 2, 3), sum]);
    expect(book.value(1, 1, 1)).toBe(3);
    book.change([at(5000, 300, 4)]);
    expect(book.value(1, 1, 1)).toBe(7);
    book.change([at(1, 400, { formula: '_xlfn.SEQUENCE(3,1,A1)', kind: 'dynamic' }), at(1, 1, 10)]);
    expect(book.value(1, 1, 1)).toBe(7 + 11 + 12);
    book.change([at(1, 1, 20)]);
    expect(book.value(1, 1, 1)).toBe(7 + 21 + 22);
  });

  test('[CE50] a condition of a database that is a formula is calculated again when a record or something else that it reads changes', () => {
    const book = new Book();
    const at = (line: number, column: number, content: CellContent): Edit => ({
      ...{ sheet: 0, row: line, column, content },
    });
    book.change([
      ...[at(1, 1, 'k'), at(1, 2, 'n'), at(2, 1, 'a'), at(2, 2, 3), at(3, 1, 'b'), at(3, 2, 5), at(9, 9, 3)],
      ...[at(2, 5, single('B2>$I$9')), at(1, 4, single('DSUM(A1:B3,"n",E1:E2)'))],
      ...[at(2, 6, single('C2>$I$9')), at(1, 3, single('DSUM(A1:B3,"n",F1:F2)'))],
    ]);
    expect(book.value(0, 1, 4)).toBe(5);
    book.change([at(3, 2, 7)]);
    expect(book.value(0, 1, 4)).toBe(7);
    book.change([at(9, 9, 2)]);
    expect(book.value(0, 1, 4)).toBe(10);
    // What is no field of a record is no condition for it.
    expect(book.value(0, 1, 3)).toBe(0);
  });

  test.each([
    ['SUM(MMULT(_xlpm.m,_xlpm.m))', '_xlfn.SEQUENCE(500,500)'],
    ['MDETERM(_xlpm.m)', '_xlfn.SEQUENCE(500,500)'],
    ['SUM(LINEST(_xlfn.SEQUENCE(500),_xlpm.m))', '_xlfn.RANDARRAY(500,100)'],
    ['ROWS(_xlpm.m)', '_xlfn.SEQUENCE(1000000)'],
    ['LEN(UPPER(_xlpm.m))', 'REPT("ab",16000)'],
    ['SEARCH("*b?b",_xlpm.m)', 'REPT("ab",16000)'],
    ['ISERR(FIND("c",_xlpm.m))', 'REPT("ab",16000)'],
    ['ISNA(MATCH("*c",_xlpm.m,0))', 'REPT("ab",16000)'],
    ['ISNA(_xlfn.XMATCH("a*c",_xlpm.m,2))', 'REPT("ab",16000)'],
    ['ISNA(_xlfn.XMATCH("c$",_xlpm.m,3))', 'REPT("ab",16000)'],
    ['_xlfn.REGEXTEST(_xlpm.m,"(a|b)*c")', 'REPT("ab",16000)'],
    ['LEN(_xlfn.REGEXREPLACE(_xlpm.m,"a","c"))', 'REPT("ab",16000)'],
    ['LEN(SUBSTITUTE(_xlpm.m,"a","c",15000))', 'REPT("ab",16000)'],
    ['ROWS(_xlfn.TEXTSPLIT(_xlpm.m,,"b"))', 'REPT("ab",16000)'],
    ['LEN(_xlfn.TEXTBEFORE(_xlpm.m,"b",-1))', 'REPT("ab",16000)'],
    ['SUM(--ISTEXT(_xlpm.m&{"c";"d"}))', 'REPT("ab",16000)'],
    ['SUM(LEN(SUBSTITUTE(_xlpm.m,{"a";"b"},"")))', 'REPT("ab",16000)'],
    ['COUNTIF(J1:J2,"*c")', '1'],
    ['SUMIF(J1:J2,"a*c",K1:K2)', '1'],
    ['COUNTIFS(J1:J2,"?*?*?*c")', '1'],
    ['DCOUNTA(J1:J2,1,L1:L2)', '1'],
    ['ISNA(VLOOKUP("*c",J1:K2,2,FALSE))', '1'],
  ])('[CE52] what %s does within one call counts', (text, given) => {
    const book = new Book();
    const often = (count: number) =>
      `_xlfn.LET(_xlpm.m,${given},_xlfn.REDUCE(0,_xlfn.SEQUENCE(${count}),_xlfn.LAMBDA(_xlpm.a,_xlpm.i,_xlpm.a+NOT(ISERR(${text})))))`;
    const long: CellContent = 'ab'.repeat(16_000);
    book.change([
      ...[
        { sheet: 0, row: 2, column: 10, content: long },
        { sheet: 0, row: 1, column: 10, content: 'n' },
      ],
      ...[
        { sheet: 0, row: 1, column: 12, content: 'n' },
        { sheet: 0, row: 2, column: 12, content: '*c' },
      ],
      { sheet: 0, row: 1, column: 1, content: { formula: often(500_000), kind: 'single', stored: 3 } },
    ]);
    expect(book.shown()).toEqual({ '0:1:1': 3, '0:1:1 stale': 'endless' });
    book.change([{ sheet: 0, row: 1, column: 1, content: single(often(1)) }]);
    expect(book.shown()['0:1:1 stale']).toBeUndefined();
  });

  test.each([
    ['SEARCH(REPT("a",16000)&"b",_xlpm.m)', { error: '#VALUE!' }],
    ['SEARCH(REPT("a*",10000)&"b",_xlpm.m)', { error: '#VALUE!' }],
    ['SEARCH("?"&REPT("a?",9000),_xlpm.m)', 1],
    ['FIND(REPT("a",16000)&"b",_xlpm.m)', { error: '#VALUE!' }],
    ['LEN(SUBSTITUTE(_xlpm.m,"aa","b",32000))', 32_766],
    ['LEN(_xlfn.REGEXREPLACE(_xlpm.m,"a","bc"))', { error: '#VALUE!' }],
    ['_xlfn.REGEXREPLACE(_xlpm.m,"a+","b")', 'b'],
    ['_xlfn.REGEXTEST(_xlpm.m,"(a|aa)+$")', true],
    ['_xlfn.REGEXTEST(_xlpm.m,"(((((a*)*)*)*)*)*b")', false],
    ['LEN(_xlfn.REGEXREPLACE(REPT("ab ",10000),"a+b*","xy"))', 30_000],
    ['_xlfn.REGEXREPLACE(_xlpm.m,".*[^a]|[a]","")', ''],
    ['LEN(_xlfn.REGEXEXTRACT(_xlpm.m,"(?=(a*))a+?$"))', 32_767],
    ['COLUMNS(_xlfn.TEXTSPLIT(_xlpm.m,"a"))', 32_768],
    ['LEN(_xlfn.TEXTAFTER(_xlpm.m,"aa",16000))', 767],
    ['1*_xlpm.m', { error: '#VALUE!' }],
    ['1*REPT("1 T",10000)', { error: '#VALUE!' }],
  ])('[CE52] %s of the longest text is one call that is permitted', (text, expected) => {
    const book = new Book();
    book.change([
      { sheet: 0, row: 1, column: 1, content: single(`_xlfn.LET(_xlpm.m,REPT("a",32767),${text})`) },
    ]);
    expect(book.shown()).toEqual({ '0:1:1': expected });
  });

  test('[CE52] an expression that goes back and forth without an end is given up', () => {
    const book = new Book();
    const formula = '_xlfn.REGEXTEST(REPT("a",32000),"(a+)+\\1b")';
    book.change([{ sheet: 0, row: 1, column: 1, content: { formula, kind: 'single', stored: 3 } }]);
    expect(book.shown()).toEqual({ '0:1:1': 3, '0:1:1 stale': 'endless' });
  });

  test('[CE52] a formula that takes too many steps keeps what is stored, and the rest is calculated', () => {
    const book = new Book();
    const steps = (count: number) =>
      `REDUCE(0,SEQUENCE(${count}),LAMBDA(a,x,REDUCE(a,SEQUENCE(${count}),LAMBDA(b,y,b+y))))`;
    book.change([
      { sheet: 0, row: 1, column: 1, content: { formula: steps(2_000), kind: 'single', stored: 3 } },
      { sheet: 0, row: 2, column: 1, content: single('A1+1') },
      { sheet: 0, row: 3, column: 1, content: single(steps(100)) },
    ]);
    expect(book.shown()).toEqual({ '0:1:1': 3, '0:1:1 stale': 'endless', '0:2:1': 4, '0:3:1': 505_000 });
    book.change([{ sheet: 0, row: 1, column: 1, content: single(steps(2)) }]);
    expect(book.shown()).toEqual({ '0:1:1': 6, '0:2:1': 7, '0:3:1': 505_000 });
  });
});
