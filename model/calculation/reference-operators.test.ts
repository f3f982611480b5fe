import { expect, test } from 'vitest';
import { FormulaPreparation } from './formula-preparation.ts';
import { type Cells, holds } from './testing/formula-cases.ts';

const sheets = ['Sheet1', 'Sheet2'];
const names = [
  { name: 'Jan', formula: 'Sheet1!$B:$B' },
  { name: 'Sales', formula: 'Sheet1!$4:$5' },
  { name: 'Both', formula: 'Sheet1!$A$1:$A$3,Sheet1!$C$1' },
];
const prepared = (formula: string) =>
  new FormulaPreparation({ sheets, names, tables: [] }, 100).prepare(formula, {
    sheet: 0,
    row: 9,
    column: 1,
  });

test.each([
  ['SUM(C2:D3 D3:E4)', 'SUM($D$3)'],
  ['SUM(A1:C9  B2:D4)', 'SUM($B$2:$C$4)'],
  ['Sheet2!E:E Sheet2!11:12', 'Sheet2!$E$11:$E$12'],
  ['A1:B2 D1', '#NULL!'],
  ['Sheet1!A1:B2 Sheet2!A1', '#VALUE!'],
  ['A1:D9 B2:C8 C3', '$C$3'],
  ['Jan Sales', 'Sheet1!$B$4:$B$5'],
  ['SUM(B1:B9 Sales)', 'SUM($B$4:$B$5)'],
  ['SUM(Sales B1:B9)', 'SUM(Sheet1!$B$4:$B$5)'],
])('[CE56] the cells in common: %s', (formula, expected) => {
  expect(prepared(formula)).toEqual({ text: expected });
});

test.each([
  ['SUM((A1,B2:B3),1)', 'SUM(A1,B2:B3,1)'],
  ['RANK(A1,(B1,B2,B3),1)', 'RANK(A1,VSTACK(TOCOL(B1),TOCOL(B2),TOCOL(B3)),1)'],
  ['AREAS((A1:B2,C3))+1', '2+1'],
  ['INDEX((A1:B2,C1:D2),2,1,2)', 'INDEX(CHOOSE(2,A1:B2,C1:D2),2,1)'],
  ['INDEX((A1:B2,C1:D2),2)', 'INDEX(CHOOSE(1,A1:B2,C1:D2),2)'],
  ['SUM((A1:B3 B2:B9,C1))', 'SUM($B$2:$B$3,C1)'],
  ['SUM(Both)', 'SUM(Sheet1!$A$1:$A$3,Sheet1!$C$1)'],
  ['SUM({1,2},(3+4))', 'SUM({1,2},(3+4))'],
  ['LAMBDA(x,y,x+y)(1,2)', 'LAMBDA(_xlpm.x,_xlpm.y,_xlpm.x+_xlpm.y)(1,2)'],
])('[CE56] several references at once: %s', (formula, expected) => {
  expect(prepared(formula)).toEqual({ text: expected });
});

test.each(['(A1,B2)', 'COUNTIF((A1,B2),1)', 'SUM((A1,OFFSET(A1,1,1)))', 'A1:B2 INDEX(A1:A9,1)', 'L6-(-4,3)'])(
  '[CE56] what cannot be said beforehand is not supported: %s',
  (formula) => expect(prepared(formula)).toEqual({ why: 'not-supported' }),
);

const numbers: Cells = { A1: 1, A2: 2, B1: 7, B2: 9 };
holds('[CE112] references over several sheets, and sheets that are said twice', { cells: numbers }, [
  ["MEDIAN('Sheet1:My Sheet'!A1:A2)", 1.5],
  ["LARGE('Sheet1:My Sheet'!A1:B2,2)", 7],
  ["RANK(2,'Sheet1:My Sheet'!A1:B2)", 3],
  ["ROWS(VSTACK('Sheet1:My Sheet'!A1:B2))", 8],
  ['TEXTJOIN(",",TRUE,\'Sheet1:My Sheet\'!A1:B2)', '1,7,2,9'],
  ["SUM('Sheet1:My Sheet'!A1:B2)", 19],
  ['SUM(Sheet1!A1:Sheet1!B2)', 19],
  ['SUM(A1:Sheet1!B2)', 19],
  ["SUM('My Sheet'!A1:'My Sheet'!B2)+SUM('Sheet1'!$A$1:'Sheet1'!$A$2)", 3],
  ['SUM (A1,B2)', 10],
  [' IF ( A1=1 , SUM ( A1:B2 ) , 0 ) ', 19],
]);
