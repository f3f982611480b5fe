import { expect } from 'vitest';
import type { CellContent, CellValue } from '../calculation.ts';
import { Book, type Edit, single } from './changing-book.ts';

/** Formulas over whole columns with what they come to. */
export const overColumns: readonly (readonly [text: string, value: CellValue])[] = [
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
];

/** That a formula comes to a value, also when it is asked a hundred times by one formula. */
export function expectOften(text: string, value: CellValue): void {
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
}

/** Calls that do much at once, with what `m` is there. */
export const countedCalls: readonly (readonly [text: string, given: string])[] = [
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
];

/** That a formula with so many calls is given up, and that one call is no reason for it. */
export function expectCounted(text: string, given: string): void {
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
}
