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

const repeated: Cells = {
  ...{ A1: 3, A2: 1, A3: 3, A4: 2, A5: 5, A6: 1, B1: 10, B2: 20, B3: 30, B4: 40, B5: 50, B6: 60 },
  ...{ C1: 'a', C2: 'bb', C3: 'ccc', C4: 'a', C5: 'bb', C6: 'dddd' },
};

for (const at of ['H2', 'H20']) {
  holds('[XC50] arrays go on as such in formulas of old', { cells: repeated, kind: 'single', at }, [
    ['SUM(IF(FREQUENCY(A1:A6,A1:A6)>0,1))', 4],
    ['SUM(IF(FREQUENCY(MATCH(C1:C6,C1:C6,0),MATCH(C1:C6,C1:C6,0))>0,1))', 4],
    ['SUM(SIGN(FREQUENCY(A1:A6,A1:A6)))', 4],
    ['SUM(--(FREQUENCY(A1:A6,A1:A6)>0))', 4],
    ['SUMPRODUCT(IF(FREQUENCY(A1:A6,A1:A6)>0,1,0))', 4],
    ['SUM(IF(FREQUENCY(A1:A6,A1:A6)>0,A1:A6))', 11],
    ['FREQUENCY(A1:A6,{1,2,3})', 2],
    ['INDEX(FREQUENCY(A1:A6,{1,2,3}),2)', 1],
    ['SUM(SQRT(MMULT({1,2;3,4},{1,0;0,1})^2))', 10],
    ['SUM(ABS(MINVERSE({1,2;3,4})))', 5],
    ['SUM(ABS(TRANSPOSE({1,2;3,4})))', 10],
    ['SUM(ABS(LINEST(B1:B6,A1:A6)))', 34.347826086956516],
    ['SUM(IF({1,0,1},1,2))', 4],
    ['SUM(LEN({"a","bb"}))', 3],
    ['LEN({"bb","a"})', 2],
    ['SUM(IF(1,IF(FREQUENCY(A1:A6,A1:A6)>1,1)*10))', 20],
  ]);
  holds(
    '[XC50] what IF and CHOOSE choose is whole in formulas of old',
    { cells: repeated, kind: 'single', at },
    [
      ['VLOOKUP(30,IF({1,0},B1:B6,C1:C6),2,0)', 'ccc'],
      ['VLOOKUP(30,CHOOSE({1,2},B1:B6,C1:C6),2,0)', 'ccc'],
      ['SUM(IF({1,0},A1:A6,B1:B6))', 225],
      ['SUM(IF(A1=3,A1:A6,B1:B6))', 15],
      ['SUM(CHOOSE(2,A1:A6,B1:B6))', 210],
      ['MAX(IF(A1=3,A1:A6),IF(A1=3,IF(A2=3,1,B1:B6)))', 60],
      ['SUMIF(IF(A1=3,A1:A6),1,B1:B6)', 80],
      ['MATCH(2,IF(A1=3,A1:A6),0)', 4],
      ['ROWS(IF(A1=3,A1:A6,B1))', 6],
    ],
  );
}
holds('[XC50] cells are intersected in formulas of old', { cells: repeated, kind: 'single', at: 'H2' }, [
  ['SUM(IF(A1:A6>2,1,0))', 0],
  ['SUM(IF(A1:A6>2,1,0))', '#VALUE!', { at: 'H20' }],
  ['SUM(IF(A1:A6>2,1,0))', 3, { kind: 'dynamic' }],
  ['SUM(IF(A1=3,A1:A6*2,0))', 2],
  ['SUM(IF(A1=3,A1:A6)*2)', 2],
  ['SUM(IF(A1=3,A1:A6)*2)', '#VALUE!', { at: 'H20' }],
  ['SUM(CHOOSE(1,A1:A6)*2)', 2],
  ['SUM(-IF(A1=3,A1:A6))', -1],
  ['IF(A1=3,A1:A6)', 1],
  ['IF(A1=3,A1:A6)', '#VALUE!', { at: 'H20' }],
  ['LEN(CHOOSE(2,A1:A6,C1:C6))', 2],
  ['SUM(SQRT(INDEX(B1:B6*B1:B6,0)))', 10],
  ['SUM(IF(ROW(A1:A3)>1,1,0))', 0],
]);
