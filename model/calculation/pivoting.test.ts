import { expect, test } from 'vitest';
import { type Cells, calculated, holds } from './testing/formula-cases.ts';

const sold: Cells = {
  ...{ A1: 'Item', A2: 'pear', A3: 'Apple', A4: 'Pear', A5: 'fig', A6: 'apple' },
  ...{ B1: 'Year', B2: 2024, B3: 2023, B4: 2023, B5: 2024, B6: 2023 },
  ...{ C1: 'Net', C2: 2, C3: 10, C4: 5, C5: 1, C6: 4 },
};
const text = (call: string) => `ARRAYTOTEXT(${call},1)`;
const all = '{"",2023,2024,"Total";"Apple",14,"",14;"fig","",1,1;"pear",5,2,7;"Total",19,3,22}';

holds('[CE114] PIVOTBY of one column by another one', { cells: sold }, [
  [text('PIVOTBY(A2:A6,B2:B6,C2:C6,SUM)'), all],
  [text('_xlfn.PIVOTBY(A1:A6,B1:B6,C1:C6,_xleta.SUM)'), all],
  [text('PIVOTBY(A1:A6,B1:B6,C1:C6,LAMBDA(v,SUM(v)),1)'), all],
  [text('PIVOTBY(A2:A6,B2:B6,C2:C6,SUM,,0,,0)'), '{"",2023,2024;"Apple",14,"";"fig","",1;"pear",5,2}'],
  [
    text('PIVOTBY(A2:A6,B2:B6,C2:C6,COUNT,0,-1,-1,-1,-1)'),
    '{"","Total",2024,2023;"Total",5,2,3;"pear",2,1,1;"fig",1,1,"";"Apple",2,"",2}',
  ],
  [text('PIVOTBY(A2:A6,B2:B6,C2:C6,MAX,,0,2,0,2)'), '{"",2024,2023;"fig",1,"";"pear",2,5;"Apple","",10}'],
  [text('PIVOTBY(A2:A6,B2:B6,C2:C6,SUM,,0,-2,0)'), '{"",2023,2024;"Apple",14,"";"pear",5,2;"fig","",1}'],
  [text('PIVOTBY(A2:A6,B2:B6,C2:C6,SUM,,0,,0,,B2:B6=2024)'), '{"",2024;"fig",1;"pear",2}'],
  [text('PIVOTBY(A1:A6,B1:B6,C1:C6,SUM,,0,,0,,C1:C6>3)'), '{"",2023;"Apple",14;"Pear",5}'],
  ['ROWS(PIVOTBY(A2:A6,B2:B6,C2:C6,AVERAGE))', 5],
  ['PIVOTBY(A2:A6,B2:B5,C2:C6,SUM)', '#VALUE!'],
  ['PIVOTBY(A2:A6,B2:B6,C2:C6,SUM,,,3)', '#VALUE!'],
  ['PIVOTBY(A2:A6,B2:B6,C2:C6,SUM,,,,,,C2:C6>99)', '#CALC!'],
  ['PIVOTBY(A2:A6,B2:B6,C2:C6,9)', '#VALUE!'],
]);

test('[CE114] what is left open of PIVOTBY is not calculated', () => {
  const open = [
    'PIVOTBY(A2:B6,B2:B6,C2:C6,SUM)',
    'PIVOTBY(A2:A6,A2:B6,C2:C6,SUM)',
    'PIVOTBY(A2:A6,B2:B6,B2:C6,SUM)',
    'PIVOTBY(A2:A6,B2:B6,C2:C6,PERCENTOF)',
    'PIVOTBY(A2:A6,B2:B6,C2:C6,SUM,3)',
    'PIVOTBY(A2:A6,B2:B6,C2:C6,SUM,,2)',
    'PIVOTBY(A2:A7,B2:B7,C2:C7,SUM)',
    'PIVOTBY(A2:A6,B2:B6,C2:C6,SUM,,,,,,,1)',
  ];
  for (const formula of open) expect(() => calculated(formula, { cells: sold }), formula).toThrow();
});
