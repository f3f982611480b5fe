import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CellContent, Workbook } from './calculation.ts';
import { compileEngine } from './engine-instance.ts';
import { cellOf } from './formula-tokens.ts';
import { openCalculation } from './workbook-calculation.ts';

const module = compileEngine(readFileSync(new URL('./engine/calculation.wasm', import.meta.url)));

type Cells = Readonly<Record<string, string | number | boolean>>;

interface Given {
  /** Texts that begin with an equals sign are formulas. */
  readonly cells?: Cells;
  readonly at?: string;
  readonly kind?: 'single' | 'dynamic';
  readonly names?: Workbook['names'];
}

/** What a formula comes to in a cell beside others; `'#N/A'` and its kin for errors. */
function calculated(
  formula: string,
  { cells = {}, at = 'H20', kind = 'dynamic', names = [] }: Given,
): unknown {
  const contents = new Map<string, CellContent>();
  for (const [address, value] of Object.entries(cells)) {
    const isFormula = typeof value === 'string' && value.startsWith('=');
    contents.set(address, isFormula ? { formula: value.slice(1), kind: 'dynamic' } : value);
  }
  contents.set(at, { formula, kind });
  const changes = [...contents].map(([address, content]) => ({ sheet: 0, ...cellOf(address), content }));
  const place = cellOf(at);
  const calculation = openCalculation(module, {
    ...{ sheets: ['Sheet1'], names, tables: [], locale: 'en', from1904: false, iterates: false },
    changes: () => changes,
    content: (_sheet, row, column) =>
      changes.find((change) => change.row === row && change.column === column)?.content ?? null,
  });
  calculation.recalculate({ timeMs: 0, timeZone: 'UTC', seed: 7 });
  const { value = null } =
    calculation.changed().find(({ row, column }) => row === place.row && column === place.column) ?? {};
  expect([...calculation.staleCells()]).toEqual([]);
  return typeof value === 'object' && value !== null ? Object.values(value)[0] : value;
}

type Case = readonly [formula: string, expected: unknown, given?: Given];

function holds(title: string, given: Given, cases: readonly Case[]): void {
  describe(title, () => {
    for (const [formula, expected, own] of cases) {
      test(`${formula} comes to ${expected}, ${JSON.stringify(own ?? '')}`, () => {
        const value = calculated(formula, { ...given, ...own });
        if (typeof expected === 'number') expect(value).toBeCloseTo(expected, 9);
        else expect(value).toEqual(expected);
      });
    }
  });
}

const rates: Cells = { A1: 1, A2: 3, A3: 5, A4: 7, B1: 10, B2: 30, B3: 50, B4: 70 };
holds('[CE34] lookups over cells that are not all filled', { cells: rates }, [
  ['VLOOKUP(6,A1:B10,2)', 50],
  ['VLOOKUP(7,A:B,2)', 70],
  ['MATCH(6,A1:A10)', 3],
  ['LOOKUP(9.99E+307,A:A)', 7],
  ['HLOOKUP(3,A1:J1,1)', 1],
  ['VLOOKUP("name",A1:B4,2)', '#N/A'],
  ['MATCH("5",A1:A4,1)', '#N/A'],
  ['VLOOKUP(D1,A1:B10,2,FALSE)', '#N/A'],
  ['IFERROR(VLOOKUP(D1,A:B,2,FALSE),"")', ''],
  ['XLOOKUP(0,A1:A10,B1:B10,"none")', 'none'],
  ['XMATCH(0,A1:A10)', '#N/A'],
  ['XLOOKUP(4,A1:A10,B1:B10,"none",-1)', 30],
  ['XLOOKUP(4,A1:A10,B1:B10,"none",1)', 50],
  ['XMATCH(5,A1:A10,0,2)', 3],
  ['MATCH(4,{1;3;5;7},-1)', '#N/A'],
  ['MATCH(4,{7;5;3;1},-1)', 2],
  [
    'VLOOKUP(3,A1:B5,2)',
    4,
    { cells: { A1: 1, A2: 3, A3: 3, A4: 3, A5: 5, B1: 1, B2: 2, B3: 3, B4: 4, B5: 5 } },
  ],
  ['LOOKUP(2,1/(A1:A5<>""),B1:B5)', 30, { cells: { A1: 'x', A3: 'z', B1: 10, B3: 30 }, kind: 'single' }],
]);

const letters: Cells = { A1: 'a', A2: 'b', A3: 'c', B1: 1, B2: 2, B3: 3 };
holds('[CE35] lookups in what is calculated, and as references', { cells: letters }, [
  ['XLOOKUP("b",A1:A3&"",B1:B3)', 2],
  ['XLOOKUP("b",{"a";"b"},B1:B2)', 2],
  ['XLOOKUP("b",A1:A3,B1:B3*10)', 20],
  ['XLOOKUP("z",A1:A3&"",B1:B3,"none")', 'none'],
  ['XLOOKUP("z",A1:A3,B1:B2)', '#VALUE!'],
  ['SUM(XLOOKUP("a",A1:A3,B1:B3):XLOOKUP("b",A1:A3,B1:B3))', 3],
  ['ROW(XLOOKUP("b",A1:A3,B1:B3))', 2],
  ['SUM(B1:INDEX(B1:B9,2))', 3],
  ['COUNTA(A2:INDEX(A:A,COUNTA(A:A)))', 2],
  ['SUM(B3:INDIRECT("B1"))', 6],
  ['SUM(B3:OFFSET(B3,-2,0))', 6],
  ['SUM(INDIRECT("B3:B1"))', 6],
  ['SUM(INDIRECT("Two"))', 3, { names: [{ name: 'Two', formula: 'Sheet1!$B$1:$B$2' }] }],
  ['SUM(IF(TRUE,B1,B2):B3)', 6],
]);

const numbers: Cells = { A1: 1, A2: 2, A3: 3, B1: 'ab', B2: 'b', B3: 'abc', C1: -1, C2: 2, C3: 5 };
holds('[CE36] lists where one value is expected', { cells: numbers }, [
  ['SUMPRODUCT(--ISNUMBER(A1:A3))', 3],
  ['SUMPRODUCT(--ISBLANK(D1:D3))', 3],
  ['SUMPRODUCT(--ISNUMBER(SEARCH("a",B1:B3)))', 2],
  ['SUM(COUNTIF(B1:B3,{"b","ab"}))', 2],
  ['SUM(SUMIFS(A1:A3,B1:B3,{"b","ab"}))', 3],
  ['SUMPRODUCT(1/COUNTIF(B1:B3,B1:B3))', 3],
  ['SUM(VLOOKUP({1,2},A1:C3,3,FALSE))', 1],
  ['SUM(MATCH({1,2},A1:A3,0))', 3],
  ['SUMPRODUCT(LEN(B1:B3))', 6, { kind: 'single' }],
  ['SUMPRODUCT(--(LEFT(B1:B3,1)="a"))', 2, { kind: 'single' }],
  ['SUMPRODUCT(ABS(C1:C3))', 8, { kind: 'single' }],
  ['SUMPRODUCT(--(MOD(A1:A3,2)=1))', 2, { kind: 'single' }],
  ['SUM(LEN(B1:B3))', 1, { kind: 'single', at: 'F2' }],
  ['SUM(LEN(B1:B3))', 6],
  ['SUM(SUBSTITUTE({"1""2","3"},"""","")*1)', 15],
  ['ISERROR(LEFT(A1/0,2))', true],
]);

const column: Given = {
  ...{ cells: { A1: 1, A2: 2, A3: 3 }, at: 'F2', kind: 'single' },
  names: [{ name: 'Col', formula: 'Sheet1!$A$1:$A$3' }],
};
holds('[CE37] ranges in formulas of old where one value is expected', column, [
  ['IF($A$1:$A$3<>"","y","n")', 'y'],
  ['IF(Col<>"",Col*10,"")', 20],
  ['IFERROR($A$1:$A$3/1,"e")', 2],
  ['MATCH($A$1:$A$3,$A$1:$A$3,0)', 2],
  ['COUNTIF($A$1:$A$3,">="&$A$1:$A$3)', 2],
]);

const mixed: Cells = { A1: 1, A2: 'x', A4: 'y', A5: true, B1: 1, B2: 2, B3: 4, B4: 8, B5: 16, C1: '=""' };
holds('[CE38] criteria', { cells: mixed }, [
  ['COUNTIF(A1:A5,"<>x")', 4],
  ['SUMIF(A1:A5,"<>x",B1:B5)', 29],
  ['AVERAGEIF(A1:A5,"<>x",B1:B5)', 7.25],
  ['COUNTIF(A1:A5,">=TRUE")', 1],
  ['COUNTIF(A1:A5,"<=x")', 1],
  ['COUNTIF(A1:A5,">=x")', 2],
  ['COUNTIF(C1:C3,"=")', 2],
  ['COUNTIF(C1:C3,"")', 3],
  ['COUNTIF(C1:C3,"<>")', 1],
  ['COUNTIFS(A1:A5,"x",B1:B4,">1")', '#VALUE!'],
  ['SUMIF(A1:A5,"x",B1)', 2],
  ['AVERAGEIF(A1:A5,"y",B1:C1)', 8],
  ['SUMIF(A:A,"y",B:B)', 8],
]);
const persons: Cells = { A1: 'k', B1: 'n', A2: 'str', B2: 1, A3: 'String', B3: 2, A4: 'x', B4: 4, D1: 'k' };
holds('[CE38] criteria of database functions', { cells: persons }, [
  ['DSUM(A1:B4,"n",D1:D2)', 3, { cells: { ...persons, D2: 'str' } }],
  ['DSUM(A1:B4,"n",D1:D2)', 1, { cells: { ...persons, D2: '="=str"' } }],
  ['DSUM(A1:B4,"n",D1:D2)', 4, { cells: { ...persons, D2: '?' } }],
]);

holds('[CE39] texts as numbers and days', {}, [
  ['MONTH("15-Mar-2021")', 3],
  ['"30-apr-2000"*1', 36_646],
  ['DATEVALUE("February 4, 2026")', 46_057],
  ['TEXT("15-Mar-2021","yyyy-mm-dd")', '2021-03-15'],
  ['VALUE("7:30")', 0.3125],
  ['VALUE("(100)")', -100],
  ['VALUE("1 1/2")', 1.5],
  ['HOUR("8/22/2008 3:30 PM")', 15],
  ['"2021-03-15"+0', 44_270],
  ['VALUE("twelve")', '#VALUE!'],
  ['VALUE("25:61")', '#VALUE!'],
  ['VALUE("30-Feb-2021")', '#VALUE!'],
]);

holds('[CE40] the order of texts', {}, [
  ['"é"<"f"', true],
  ['"Ö"<"P"', true],
  ['"_"<"a"', true],
  ['"9"<"a"', true],
  ['"e"="é"', false],
  ['"a"="A"', true],
  ['"Œ"<"og"', true],
]);

const texts: Cells = { A1: 1, A2: '=""', A3: 5, A4: 7, B1: 2, B2: 4, B3: 9, B4: '=""' };
holds('[CE41] single functions', { cells: texts }, [
  ['TEXTJOIN(",",TRUE,A1:A4)', '1,5,7'],
  ['TEXTJOIN(",",FALSE,{"a",""},"b")', 'a,,b'],
  ['SUMX2MY2(A1:A4,B1:B4)', -59],
  ['SUMXMY2(A1:A4,B1:B4)', 17],
  ['SUMSQ("4","3")', 25],
  ['SUMSQ("x")', '#VALUE!'],
  ['NPV(1,TRUE,1)', 0.75],
  ['COUNT(1,)', 2],
  ['SHEET(A1)', 1],
  ['10^400', '#NUM!'],
  ['0^-1', '#DIV/0!'],
  ['ARABIC("-MCM")', -1_900],
  ['NUMBERVALUE(" 3 000 ")', 3_000],
  ['ADDRESS(2,3,,1,"S")', 'S!$C$2'],
  ['0.5-0.4-0.1', 0],
  ['1E-17+0', 1e-17],
]);
