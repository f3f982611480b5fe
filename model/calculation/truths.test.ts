import { type Cells, holds } from './testing/formula-cases.ts';

const cells: Cells = { A1: 45_351, A2: 45_322, A3: true, B1: 5, B2: 7, C1: 1, C2: 3 };
const listed = (call: string) => `ARRAYTOTEXT(${call},1)`;

holds('[CE116] truths are no numbers to functions of the former Analysis ToolPak', { cells }, [
  ['ISODD(TRUE)', '#VALUE!'],
  ['ISODD(A3)', '#VALUE!'],
  [listed('ISODD({TRUE,1})'), '{#VALUE!,TRUE}'],
  ['LET(x,A3,ISODD(x))', '#VALUE!'],
  ['SQRTPI(TRUE)', '#VALUE!'],
  ['FACTDOUBLE(A3)', '#VALUE!'],
  ['COMPLEX(TRUE,1)', '#VALUE!'],
  ['CONVERT(A3,"m","km")', '#VALUE!'],
  ['ACCRINTM(39539,39614,0.1,TRUE,3)', '#VALUE!'],
  ['AMORLINC(2400,39679,39813,300,TRUE,0.15,1)', '#VALUE!'],
  ['FVSCHEDULE(TRUE,B1:B2)', '#VALUE!'],
  ['EDATE(1/0,TRUE)', '#DIV/0!'],
  ['ROUND(ACCRINT(39508,39691,39569,0.1,1000,2,0,TRUE),4)', 16.6667],
  ['EDATE(A1,"1")', 45_380],
  ['EDATE(A1,A9)', 45_351],
]);

holds('[CE117] truths are 1 and 0 where a function of Excel itself takes a number', { cells }, [
  ['LARGE(B1:B2,TRUE)', 7],
  ['SMALL(B1:B2,A3)', 5],
  ['STANDARDIZE(TRUE,0,2)', 0.5],
  ['WEIBULL(1,TRUE,1,TRUE)-WEIBULL(1,1,1,TRUE)', 0],
  ['F.DIST.RT(TRUE,6,4)-F.DIST.RT(1,6,4)', 0],
  ['BETA.DIST(2,8,10,TRUE,TRUE,3)-BETA.DIST(2,8,10,TRUE,1,3)', 0],
  ['HYPGEOMDIST(TRUE,4,8,20)-HYPGEOMDIST(1,4,8,20)', 0],
  ['PHI(TRUE)-PHI(1)', 0],
  ['RANK(TRUE,C1:C2)', 2],
  ['DB(1000000,100000,6,1,TRUE)-DB(1000000,100000,6,1,1)', 0],
  ['DDB(2400,300,10,2,TRUE)-DDB(2400,300,10,2,1)', 0],
  ['Z.TEST({3,6,7,8,6,5,4,2,1,9},"4")-Z.TEST({3,6,7,8,6,5,4,2,1,9},4)', 0],
  ['Z.TEST({3,6,7,8,6,5,4,2,1,9},A9)-Z.TEST({3,6,7,8,6,5,4,2,1,9},0)', 0],
]);

holds('[CE116] several cells are no value to them in formulas of old', { cells, kind: 'single', at: 'D2' }, [
  ['EDATE(A1:A2,1)', '#VALUE!'],
  ['EDATE($A:$A,1)', '#VALUE!'],
  ['EDATE(A1,B1:B2)', '#VALUE!'],
  ['EOMONTH(Days,0)', '#VALUE!', { names: [{ name: 'Days', formula: 'Sheet1!$A$1:$A$2' }] }],
  ['YEARFRAC(OFFSET(A1,0,0,2),A1)', '#VALUE!'],
  ['EDATE(+A1:A2,1)', 45_351],
  ['EDATE(A1:A2+0,1)', 45_351],
  ['EDATE(A1:A1,1)', 45_380],
  ['EDATE(INDEX(A1:A2,2),1)', 45_351],
  ['MONTH(A1:A2)', 1],
  ['NETWORKDAYS(A2,A1,A1:A2)', 20],
  ['SUMPRODUCT(--ISEVEN(+B1:B2))', 0],
]);

const several: Cells = { A1: 4, A2: 2, A3: true, A4: 'x', A5: '4', B1: 2 };
holds('[CE124] functions that end in A pass over truths of arrays', { cells: several }, [
  ['AVERAGEA({1;2;4;"Text";TRUE})', 1.75],
  ['AVERAGEA({2,TRUE,TRUE,FALSE,FALSE})', 2],
  ['AVERAGEA({4,2,"hello","10"})', 1.5],
  ['MAXA({-2,TRUE,FALSE})', -2],
  ['MAXA({-4,-2,"hello","10"})', -2],
  ['MAXA({"ABC",TRUE})', 0],
  ['MINA({2,TRUE,FALSE})', 2],
  ['MINA({4,2,"hello","1"})', 2],
  ['STDEVA({0,1,"9","Hello",FALSE,TRUE})', Math.SQRT1_2],
  ['VARPA({5,7,"9","Hello",FALSE,TRUE})', 1],
  ['VARA({"hello"})', '#DIV/0!'],
  ['AVERAGEA(A1:A4)', 1.75],
  ['MAXA(-1,A3)', 1],
  ['MAXA(-1,TRUE)', 1],
]);

holds('[CE125] one value that is no number, to MODE and SUMPRODUCT', { cells: several }, [
  ['MODE("1",1,1)', '#VALUE!'],
  ['MODE(A2,2,D7)', '#VALUE!'],
  ['MODE(A2,2,A4)', '#VALUE!'],
  ['MODE(A1:A5,2)', 2],
  ['MODE.SNGL(1,1,2)', 1],
  ['SUMPRODUCT(A5:A5,B1:B1)', '#VALUE!'],
  ['SUMPRODUCT(A5,B1)', '#VALUE!'],
  ['SUMPRODUCT(D7,2)', 0],
  ['SUMPRODUCT(A4:A5,A1:A2)', 0],
]);
