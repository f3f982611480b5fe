import { type Cells, holds } from './testing/formula-cases.ts';

const cells: Cells = { A1: 1, A2: 2, A3: 3, B1: 10, B2: 20, B3: 30, C1: 'a', C2: 'bcd', C3: 'ef' };

holds('[CE74] IF looks at one value among arrays in formulas of old', { cells, kind: 'single', at: 'H2' }, [
  ['SUMPRODUCT(IF(A1:A3>1,B1:B3))', 60],
  ['SUMPRODUCT(IF(A1:A3>1,B1:B3))', '#VALUE!', { at: 'H20' }],
  ['SUMPRODUCT(IF(A1:A3>1,B1:B3))', 50, { kind: 'dynamic' }],
  ['SUMPRODUCT(--(IF(A1:A3>1,1,0)=1))', 1],
  ['SUMPRODUCT(IF(LEN(C1:C3)>2,1,0)*A1:A3)', 6],
  ['SUMPRODUCT(IF(A1=1,B1:B3,A1:A3))', 60],
  ['SUMPRODUCT(IF(A1=1,B1:B3*2,A1:A3))', 40],
  ['SUMPRODUCT((A1:A3>1)*B1:B3)', 50],
  ['SUMPRODUCT(IF(SUMPRODUCT(A1:A3*B1:B3)=140,B1:B3,0))', 60],
  ['SUMPRODUCT(LEN(C1:C3))', 6],
]);
holds(
  '[CE37] ranges beside operators, of which no cell is in the row of the formula',
  { cells, kind: 'single' },
  [
    ['SUM(A1:A3*2)', '#VALUE!'],
    ['SUM(Sheet1!A1:A3*2)', '#VALUE!'],
    ["SUM('My Sheet'!A1:A3*2)", '#VALUE!'],
    ['SUM(2+(Sheet1!A1:A3))', '#VALUE!'],
    ['IFERROR(SUM(Sheet1!$A:$B*2),9)', 9],
  ],
);
holds('[CE74] AGGREGATE calculates its array in formulas of every kind', { cells, kind: 'single' }, [
  ['AGGREGATE(14,6,LEN(C1:C3),1)', 3],
  ['AGGREGATE(15,6,A1:A3/(B1:B3>10),1)', 2],
  ['AGGREGATE(14,6,LEN(C1:C3)*A1:A3,2)', 6],
]);
