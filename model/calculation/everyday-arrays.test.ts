import { type Cells, holds } from './testing/formula-cases.ts';

const lines: Cells = {
  ...{ A1: 'East', A2: 'West', A3: 'East', A4: 'North', A5: 'west' },
  ...{ B1: 3, B2: 1, B3: 2, B4: 5, B5: 4, C1: 'x', C2: 'y', C3: 'x', C4: 'y', C5: 'x', D1: 3, D2: 2 },
};
holds('[CE99] SORT by several columns, each in its order', { cells: lines }, [
  ['ARRAYTOTEXT(SORT(A1:B5,{1,2},{1,-1}),1)', '{"East",3;"East",2;"North",5;"west",4;"West",1}'],
  ['ARRAYTOTEXT(SORT(A1:B5,{1,2},-1),1)', '{"west",4;"West",1;"North",5;"East",3;"East",2}'],
  ['ARRAYTOTEXT(SORT(A1:B3,{1;2}),1)', '{"East",2;"East",3;"West",1}'],
  ['ARRAYTOTEXT(TAKE(SORT(A1:C5,D1:D2),3),1)', '{"East",2,"x";"East",3,"x";"west",4,"x"}'],
  ['ARRAYTOTEXT(SORT({3,1,2;1,1,0},{2,1},1,TRUE),1)', '{2,1,3;0,1,1}'],
  ['ARRAYTOTEXT(SORT({3;1;2},,-1),1)', '{3;2;1}'],
  ['ARRAYTOTEXT(SORT({"b";2;TRUE;"a";1;FALSE}),1)', '{1;2;"a";"b";FALSE;TRUE}'],
  ['ARRAYTOTEXT(SORT(B5:B7,,-1),0)', '4, , '],
  ['SORT(A1:B5,{1,3})', '#VALUE!'],
  ['SORT(A1:B5,{1,2},{1,1,1})', '#VALUE!'],
  ['SORT(A1:B5,1,0)', '#VALUE!'],
  ['SORT(A1:B5,NA())', '#N/A'],
]);

holds('[CE99] SORTBY of rows and of columns', { cells: lines }, [
  ['ARRAYTOTEXT(SORTBY({1,2,3;"a","b","c"},{3,1,2}),1)', '{2,3,1;"b","c","a"}'],
  ['ARRAYTOTEXT(SORTBY({"a","b","c"},{1,1,2},-1,{1,2,3},-1),1)', '{"c","b","a"}'],
  ['ARRAYTOTEXT(SORTBY(B1:B5,A1:A5,,C1:C5,-1,B1:B5),1)', '{2;3;5;1;4}'],
  ['ARRAYTOTEXT(SORTBY(B1:B5,A1:A5,1,B1:B5),1)', '{2;3;5;1;4}'],
  ['SORTBY(A1:B5,A1:B5)', '#VALUE!'],
  ['SORTBY(A1:B5,A1:A4)', '#VALUE!'],
  ['SORTBY({1,2;3,4},{1;2},1,{1,2})', '#VALUE!'],
  ['SORTBY(A1:B5,A1:A5,2)', '#VALUE!'],
]);

holds('[CE100] FILTER by a column chooses rows, by a row columns', {}, [
  ['ARRAYTOTEXT(FILTER({1,2;3,4},{1,0}),1)', '{1;3}'],
  ['ARRAYTOTEXT(FILTER({1,2;3,4},{1;0}),1)', '{1,2}'],
  ['ARRAYTOTEXT(FILTER({1,2,3},{0,1,1}),1)', '{2,3}'],
  ['FILTER({1;2;3},{1,0,1})', '#VALUE!'],
  ['FILTER({1,2,3},{1;0;1})', '#VALUE!'],
  ['WRAPROWS({1,2},0)', '#NUM!'],
  ['WRAPCOLS({1,2},-1)', '#NUM!'],
]);

const sold: Cells = {
  ...{ A1: 'Item', A2: 'pear', A3: 'Apple', A4: 'Pear', A5: 'fig' },
  ...{ B1: 'Net', B2: 2, B3: 10, B4: 5, B5: 1, C1: 'Tax', C2: 1, C3: 1, C4: 2, C5: 0 },
};
const text = (call: string) => `ARRAYTOTEXT(${call},1)`;
holds('[CE101] GROUPBY by one column', { cells: sold }, [
  [text('GROUPBY(A2:A5,B2:B5,SUM)'), '{"Apple",10;"fig",1;"pear",7;"Total",18}'],
  [text('_xlfn.GROUPBY(A1:A5,B1:B5,_xleta.SUM)'), '{"Apple",10;"fig",1;"pear",7;"Total",18}'],
  [text('GROUPBY(A1:A5,B1:C5,SUM,3,0)'), '{"Item","Net","Tax";"Apple",10,1;"fig",1,0;"pear",7,3}'],
  [text('GROUPBY(A1:A5,B1:B5,AVERAGE,1,-1)'), '{"Total",4.5;"Apple",10;"fig",1;"pear",3.5}'],
  [text('GROUPBY(A2:A5,B2:B5,SUM,0,0,-2)'), '{"Apple",10;"pear",7;"fig",1}'],
  [text('GROUPBY(A2:A5,B2:B5,SUM,,0,-1)'), '{"pear",7;"fig",1;"Apple",10}'],
  [text('GROUPBY(A2:A5,B2:B5,LAMBDA(v,MAX(v)-MIN(v)),,0)'), '{"Apple",0;"fig",0;"pear",3}'],
  [text('GROUPBY(A2:A5,B2:B5,SUM,,0,,B2:B5>1)'), '{"Apple",10;"pear",7}'],
  [text('GROUPBY(C2:C5,B2:B5,COUNT,,0)'), '{0,1;1,2;2,1}'],
  [text('ROUND(GROUPBY(C2:C5,B2:B5,PERCENTOF,,0),2)'), '{0,0.06;1,0.67;2,0.28}'],
  [
    text('GROUPBY(A2:A5,A2:A5,LAMBDA(v,TEXTJOIN("/",1,v)),,0)'),
    '{"Apple","Apple";"fig","fig";"pear","pear/Pear"}',
  ],
  ['GROUPBY(A2:A5,B2:B4,SUM)', '#VALUE!'],
  ['GROUPBY(A2:A5,B2:B5,SUM,,,3)', '#VALUE!'],
  ['GROUPBY(A2:A5,B2:B5,SUM,,,,B2:B4>1)', '#VALUE!'],
  ['GROUPBY(A2:A5,B2:B5,SUM,,,,B2:B5>99)', '#CALC!'],
]);

holds('[CE102] functions by their names in place of a LAMBDA', { cells: sold }, [
  ['SUM(BYROW(B2:C5,MAX))', 18],
  ['SUM(BYROW(B2:C5,_xleta.MAX))', 18],
  ['REDUCE(1,B2:B5,PRODUCT)', 100],
  ['SUM(SCAN(0,B2:B5,SUM))', 49],
  ['SUM(MAP(B2:B5,C2:C5,max))', 18],
  ['SUM(MAKEARRAY(2,2,SUM))', 12],
  ['SUM(BYROW(B2:C5,Most))', 18, { names: [{ name: 'Most', formula: 'LAMBDA(r,MAX(r))' }] }],
  ['LET(max,LAMBDA(r,MIN(r)),SUM(BYROW(B2:C5,max)))', 4],
]);

holds('[CE105] amounts in Thai words', {}, [
  ['BAHTTEXT(1234)', 'หนึ่งพันสองร้อยสามสิบสี่บาทถ้วน'],
  ['BAHTTEXT(2500.75)', 'สองพันห้าร้อยบาทเจ็ดสิบห้าสตางค์'],
  ['BAHTTEXT(0)', 'ศูนย์บาทถ้วน'],
  ['BAHTTEXT(1)', 'หนึ่งบาทถ้วน'],
  ['BAHTTEXT(10)', 'สิบบาทถ้วน'],
  ['BAHTTEXT(11.21)', 'สิบเอ็ดบาทยี่สิบเอ็ดสตางค์'],
  ['BAHTTEXT(0.25)', 'ยี่สิบห้าสตางค์'],
  ['BAHTTEXT(-5.5)', 'ลบห้าบาทห้าสิบสตางค์'],
  ['BAHTTEXT(1.005)', 'หนึ่งบาทหนึ่งสตางค์'],
  ['BAHTTEXT(12000000)', 'สิบสองล้านบาทถ้วน'],
  ['BAHTTEXT(345678)', 'สามแสนสี่หมื่นห้าพันหกร้อยเจ็ดสิบแปดบาทถ้วน'],
  ['BAHTTEXT("x")', '#VALUE!'],
]);
