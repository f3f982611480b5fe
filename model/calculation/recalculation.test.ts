import { describe, expect, test } from 'vitest';
import type { CellContent } from './calculation.ts';
import { expectSameAsAnew } from './testing/book-edits.ts';
import { Book, type Edit, single } from './testing/changing-book.ts';
import { expectAllOnCirclesMarked } from './testing/circular-book.ts';
import { countedCalls, expectCounted, expectOften, overColumns } from './testing/long-calls.ts';

describe('after a change', () => {
  test('[CE50] every value is that of the same workbook opened anew', () => {
    expectSameAsAnew(25);
  });

  test('[CE50] what a formula of each kind reads is followed, cell by cell', () => {
    const formulas = [
      ...['SUM(One!A3:A1)', 'SUM(One!$B3:B$1)', 'SUM(One!C:C)', 'SUM(One!5:5)', 'SUM((One!A6,One!C5))'],
      ...['SUM(One!A1:A6 One!A3:E3)', '-One!D1', 'One!D2%', 'One!D3^2', 'One!D4&"x"', 'One!D5>6', 'One!E6'],
      ...['SUMIF(One!A1:A6,">1",One!C1)', 'SUMIF(One!A1:E1,">1",One!A4)', 'AVERAGEIF(One!A1:A6,">1",One!D1)'],
      ...['AVERAGEIF(One!A2:E2,">1",One!A5)', 'SUMIF(Rates,">1",One!E1)', 'LOOKUP(99,One!A1:A6,One!E1)'],
      ...['LOOKUP(99,One!A1:E1,One!D1)', 'LOOKUP(99,One!B1:B6)', 'SUM(One!A1:INDEX(One!A:A,One!B2))'],
      ...['OFFSET(One!C4,One!B3-6,0)', 'INDIRECT("One!A"&One!B4-2)', 'CELL("contents",One!B5)', 'SUM(Rates)'],
      ...['Rate+1', 'Twice(One!E4)', 'Here(One!E5)', '_xlfn.LAMBDA(_xlpm.x,_xlpm.x+One!E1)(One!E2)'],
      ...['SUM(_xlfn.MAP(One!E1:E3,Twice))', '_xlfn.LET(_xlpm.x,One!D6,_xlpm.x*2)', 'IF(One!A1>2,One!B6,0)'],
      ...[
        'SUM(_xlfn.ANCHORARRAY(One!G1))',
        'One!G2',
        'SUM(One!G1:G9)',
        'One!H2',
        'COUNT(One!I1:J9)',
        'One!J1',
      ],
      ...['SUBTOTAL(109,One!A1:A6)', 'VLOOKUP(7,One!B1:B6,1)', 'COUNTIF(One!D1:D6,One!C2)'],
    ];
    const book = new Book();
    const at = (row: number, column: number, content: CellContent): Edit => ({
      sheet: 0,
      row,
      column,
      content,
    });
    const cells = [1, 2, 3, 4, 5, 6].flatMap((row) =>
      [1, 2, 3, 4, 5].map((column) => [row, column] as const),
    );
    book.change([
      ...cells.map(([row, column]) => at(row, column, row + column + 1)),
      at(1, 7, { formula: 'A1:A3*2', kind: 'dynamic' }),
      at(1, 8, { formula: 'B1:B3*2', kind: 'array', rows: 3, columns: 1 }),
      at(1, 9, { formula: '_xlfn.SEQUENCE(C3-4,D3-5)', kind: 'dynamic' }),
      ...formulas.map((text, line): Edit => ({ sheet: 1, row: line + 1, column: 1, content: single(text) })),
    ]);
    for (const [row, column] of cells) {
      book.change([at(row, column, row + column + 2)]);
      expect([row, column, book.shown()]).toEqual([row, column, book.reopened().shown()]);
    }
    book.change([{ sheet: 0, row: 3, hidden: 'by-hand' }]);
    expect(book.shown()).toEqual(book.reopened().shown());
    // An array that is another one, smaller or none at all leaves nothing behind.
    const arrays: CellContent[] = [{ formula: 'C1:D2', kind: 'dynamic' }, single('C1'), 4, null];
    for (const content of arrays) {
      book.change([at(1, 7, content), at(1, 9, content)]);
      expect([content, book.shown()]).toEqual([content, book.reopened().shown()]);
      book.change([at(1, 3, 99), at(2, 4, 98), at(1, 1, 97)]);
      expect([content, book.shown()]).toEqual([content, book.reopened().shown()]);
    }
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

  test('[CE75] every formula on a circle is called circular, and no other', () => {
    expectAllOnCirclesMarked(150);
  });

  test('[CE76] formulas of each volatile function run each time, and so does what reads them', () => {
    const book = new Book();
    const of = ['NOW()', 'TODAY()', 'RAND()', 'RANDBETWEEN(1,1E9)', 'SUM(_xlfn.RANDARRAY(2,2))'];
    const drawn = [...of, 'LET(x,RAND(),x)', 'LAMBDA(x,x+RAND())(1)', 'IF(A1>0,RAND())', 'SUM(Chance)'];
    book.change(drawn.map((text, at) => ({ sheet: 0, row: at + 1, column: 1, content: single(text) })));
    book.change(
      drawn.map((_, at) => ({ sheet: 0, row: at + 1, column: 2, content: single(`A${at + 1}+1`) })),
    );
    const values = () => drawn.flatMap((_, at) => [book.value(0, at + 1, 1), book.value(0, at + 1, 2)]);
    const before = values();
    book.calculate({ timeMs: Date.UTC(2027, 0, 1), timeZone: 'UTC', seed: 8 });
    for (const [at, value] of values().entries()) expect([at, value]).not.toEqual([at, before[at]]);
  });

  test('[CE76] what OFFSET, INDIRECT, CELL, INFO and calculated ranges read is followed through every hand', () => {
    const book = new Book();
    const cell = (line: number, number: number, content: CellContent): Edit => ({
      ...{ sheet: 0, row: line, column: number, content },
    });
    // No reference in them says which cell they read.
    const formulas = [
      ...[
        'OFFSET(A1,B1,0)',
        'SUM(OFFSET(A1,0,0,B1+1))',
        'INDIRECT("A"&B1+1)',
        'INDIRECT("R"&B1+1&"C1",FALSE)',
      ],
      ...[
        'SUM(A1:INDEX(A:A,B1+1))',
        'SUM(INDIRECT("A1"):INDIRECT("A"&B1+1))',
        'CELL("contents",OFFSET(A1,B1,0))',
      ],
      ...[
        'SUM(INDIRECT("Rates"))',
        '_xlfn.LET(_xlpm.x,"A4",INDIRECT(_xlpm.x))',
        'CELL("contents",INDIRECT("A4"))',
      ],
      ...[
        '_xlfn.LAMBDA(_xlpm.a,INDIRECT(_xlpm.a))("A4")',
        'SUM(A1:CHOOSE(2,A2,A9))',
        'SUM(CHOOSE(1,A1,A2):A4)',
      ],
      ...[
        'SUM(IF(TRUE,A1,A2):A4)',
        'SUM(_xlfn.XLOOKUP(1,A1:A2,A1:A2,A1):A4)',
        'SUMIF(OFFSET(A1,0,0,4),">1")',
      ],
      ...[
        'IF(INFO("numfile")>0,INDIRECT("A4"))',
        'SUMIF(A1:A4,">1",OFFSET(A1,0,0))',
        'SUM(OFFSET(Rates,0,0))',
      ],
    ];
    book.change([
      ...[1, 2, 3, 4].map((line) => cell(line, 1, line)),
      cell(1, 2, 3),
      ...formulas.map((text, at) => cell(at + 1, 4, single(text))),
      ...formulas.map((_, at) => cell(at + 1, 5, single(`D${at + 1}&"!"`))),
    ]);
    for (const edit of [cell(4, 1, 50), cell(1, 2, 2), cell(3, 1, 70), cell(1, 2, 3), cell(2, 1, 9)]) {
      book.change([edit]);
      expect([edit, book.shown()]).toEqual([edit, book.reopened().shown()]);
    }
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
      at(1, 1, 4, single('VLOOKUP("b",One!B2:B5,1)&LOOKUP("c",One!B2:B5)')),
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

  // All of them are asked by `long-calls.trial.ts`.
  test.each(overColumns.filter((_, at) => at % 4 === 0))(
    '[CE53] %s comes to %s, also when it is asked a hundred times by one formula',
    expectOften,
  );

  test('[CE53] what is put into a range of very many cells later, or spills into it, counts', () => {
    const book = new Book();
    const at = (line: number, column: number, content: CellContent): Edit => ({
      ...{ sheet: 0, row: line, column, content },
    });
    const sum = { sheet: 1, row: 1, column: 1, content: single('SUM(One!B2:XFC1000000)') };
    book.change([at(2, 2, 3), sum]);
    expect(book.value(1, 1, 1)).toBe(3);
    book.change([at(500, 60, 4)]);
    expect(book.value(1, 1, 1)).toBe(7);
    book.change([at(1, 70, { formula: '_xlfn.SEQUENCE(3,1,A1)', kind: 'dynamic' }), at(1, 1, 10)]);
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

  test.each(countedCalls.filter((_, at) => at % 4 === 2))(
    '[CE52] what %s does within one call counts',
    expectCounted,
  );

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
      { sheet: 0, row: 4, column: 1, content: { formula: 'A1:A2*2', kind: 'array', rows: 2, columns: 1 } },
      { sheet: 0, row: 6, column: 1, content: single('SUMPRODUCT(A1:A2*1)') },
    ]);
    const rest = { '0:3:1': 505_000, '0:4:1': 6, '0:5:1': 8, '0:6:1': 7 };
    expect(book.shown()).toEqual({ '0:1:1': 3, '0:1:1 stale': 'endless', '0:2:1': 4, ...rest });
    book.change([{ sheet: 0, row: 1, column: 1, content: single(steps(2)) }]);
    expect(book.shown()).toEqual({ '0:1:1': 6, '0:2:1': 7, ...rest, '0:4:1': 12, '0:5:1': 14, '0:6:1': 13 });
  });
});
