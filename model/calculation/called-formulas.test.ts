import { type Cells, holds } from './testing/formula-cases.ts';

const cells: Cells = { A1: 1, A2: 2, A3: 3, B1: 10, B2: 20, B3: 30 };
const names = [
  { name: 'Twice', formula: 'LAMBDA(x,x*2)' },
  { name: 'Adder', formula: 'LAMBDA(x,LAMBDA(y,x+y))' },
  { name: 'Tripled', formula: 'LET(k,3,LAMBDA(x,x*k))' },
  { name: 'Factorial', formula: 'LAMBDA(n,IF(n<2,1,n*Factorial(n-1)))' },
  { name: 'rate', formula: 'Sheet1!$B$1' },
];

holds('[CE69] whatever comes to a LAMBDA is called', { cells, names }, [
  ['LAMBDA(x,LAMBDA(y,x+y))(1)(2)', 3],
  ['(LAMBDA(x,x+1))(2)', 3],
  ['((LAMBDA(x,x+1)))(2)', 3],
  ['LET(f,LAMBDA(x,LAMBDA(y,x*y)),f(2)(3))', 6],
  ['LET(f,LAMBDA(x,LAMBDA(y,x*y)),p,f(2),q,f(3),p(4)*q(5))', 8 * 15],
  ['LET(f,LAMBDA(a,LAMBDA(b,LAMBDA(c,a&b&c))),f(1)(2)(3))', '123'],
  ['LET(both,LAMBDA(f,g,LAMBDA(x,g(f(x)))),both(LAMBDA(x,x+1),LAMBDA(x,x*2))(3))', 8],
  ['LET(again,LAMBDA(f,LAMBDA(x,f(f(x)))),again(again(LAMBDA(x,x+1)))(0))', 4],
  ['LET(pair,LAMBDA(a,b,LAMBDA(s,IF(s,a,b))),p,pair(1,2),p(TRUE)&p(FALSE))', '12'],
  ['LET(me,LAMBDA(f,n,IF(n=0,1,n*f(f,n-1))),me(me,5))', 120],
  ['IF(A1=1,LAMBDA(x,x+1),LAMBDA(x,x-1))(5)', 6],
  ['CHOOSE(2,LAMBDA(x,x+1),LAMBDA(x,x-1))(5)', 4],
  ['SWITCH(2,1,Twice,2,LAMBDA(x,x*5))(4)', 20],
  ['IFERROR(LAMBDA(x,x*2),1)(4)', 8],
  ['Adder(1)(2)', 3],
  ['Tripled(2)', 6],
  ['Factorial(5)', 120],
  ['(Twice)(2)', 4],
  ['-(Twice)(2)', -4],
  ['SUM(MAP(A1:A3,Adder(10)))', 36],
  ['SUM(MAP(A1:A3,LET(k,2,LAMBDA(x,x*k))))', 12],
  ['LET(f,Twice,SUM(MAP(A1:A3,f)))', 12],
  ['REDUCE(0,A1:A3,IF(TRUE,LAMBDA(a,b,a+b),LAMBDA(a,b,a-b)))', 6],
  ['SUM(LAMBDA(x,x*2)(A1:A3))', 12],
  ['TYPE(LAMBDA(x,x))', 128],
]);
holds(
  '[CE69] a LAMBDA that is not called is no value, and what is no LAMBDA is not called',
  { cells, names },
  [
    ['LAMBDA(x,x)', '#CALC!'],
    ['LET(f,LAMBDA(x,x+1),f)', '#CALC!'],
    ['Adder(1)', '#CALC!'],
    ['MAP(A1:A3,LAMBDA(x,LAMBDA(y,y)))', '#CALC!'],
    ['SUM(1,2)(3)', '#VALUE!'],
    ['INDEX(A1:A3,2)(1)', '#VALUE!'],
    ['LAMBDA(x,x)()', '#VALUE!'],
    ['ROUND(RATE(48,-200,8000),4)', 0.0077],
  ],
);
holds('[CE69] a variable hides a name, a table and a function', { cells, names }, [
  ['LET(rate,2,rate*3)', 6],
  ['LET(Twice,5,Twice+1)', 6],
  ['LET(twice,LAMBDA(x,x+1),twice(1))', 2],
  ['LAMBDA(rate,rate+1)(1)', 2],
  ['LET(sum,LAMBDA(a,b,a*b),sum(2,3))', 6],
]);
holds('[CE70] MAP and its kin take the name of a function that a file marks as such', { cells }, [
  ['SUM(_xlfn.BYROW(A1:B3,_xleta.SUM))', 66],
  ['SUM(BYCOL(A1:B3,_xleta.MAX))', 33],
  ['SUM(MAP(A1:A3,B1:B3,_xleta.MAX))', 60],
  ['REDUCE(5,A1:A3,_xleta.SUM)', 11],
  ['INDEX(SCAN(1,A1:A3,_xleta.PRODUCT),3)', 6],
]);
holds(
  '[CE71] a sum that is calculated last is zero where only rounding is left, but not in parentheses',
  {},
  [
    ['0.1+0.2-0.3', 0],
    ['0.5-0.4-0.1=0', false],
    ['(0.5-0.4-0.1)=0', false],
    ['1*(0.5-0.4-0.1)<0', true],
    ['SIGN(0.1+0.2-0.3)', 1],
    ['52.8-8.8*6', 0],
  ],
);
holds('[CE71] in a formula that reads it', { at: 'C1' }, [
  [
    'SIGN(A1)&","&SIGN(A2)&","&SIGN(A3)',
    '1,-1,0',
    { cells: { A1: '=(0.1+0.2-0.3)', A2: '= ( 0.5-0.4-0.1 ) ', A3: '=0.1+0.2-0.3' } },
  ],
  [
    'SIGN(A1)&","&SIGN(A2)&","&SIGN(A3)',
    '0,-1,1',
    { cells: { A1: '=(52.8)-(8.8*6)', A2: '=+(52.8-8.8*6)', A3: '=-(52.8-8.8*6)' } },
  ],
  ['A1&A2', '13', { cells: { A1: '=(1)', A2: '=(1+2)' } }],
]);
holds('[CE72] what stands behind a formula is not passed over', { cells }, [
  ['SUM(A1:A2:B3)', 66],
  ['COUNT(A1:B1:A3)', 6],
  ['SUM(B1:(B2):B3)', 60],
]);
holds(
  '[CE77] what is a reference, and what a file does not tell',
  { cells: { ...cells, D1: '=SEQUENCE(2)' } },
  [
    ['ISREF(D1#)', true],
    ['ISREF(IF(TRUE,A1))', true],
    ['ISREF(IF(TRUE,A1+1))', false],
    ['ISREF(CHOOSE(1,A1:A2))', true],
    ['ISREF(XLOOKUP(1,A1:A3,B1:B3))', true],
    ['1E-308/1E10', 0],
    ['-1E-308/1E5', 0],
  ],
);
holds('[CE78] what lies on a line correlates entirely', { cells }, [
  ['CORREL(A1:A3,B1:B3)-1', 0],
  ['CORREL(A1:A3,{30;20;10})+1=0', true],
  ['CORREL(A1:A3*1E150,B1:B3*1E150)', 1],
]);
holds(
  '[CE79] FORMULATEXT and ISFORMULA go over the cells of a whole column',
  { cells: { J1: '=1+1', J3: '=2' } },
  [
    ['INDEX(FORMULATEXT(J1:J20000),3)', '=2'],
    ['SUM(--ISFORMULA(J1:J20000))', 2],
  ],
);
