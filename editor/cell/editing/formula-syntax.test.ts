import { describe, expect, it } from 'vitest';
import { closedFormula, syntaxFault } from './formula-syntax.ts';
import { functions } from './functions.ts';

describe('[XS168] the syntax of a formula that is typed', () => {
  const fault = (text: string, locale = 'en') => {
    const found = syntaxFault(closedFormula(text).slice(1), locale);
    return found && `${found.kind} ${found.sign}`;
  };

  it.each([
    ['=1+', 'missing +'],
    ['=A1:', 'missing :'],
    ['=SUM(A1:', 'missing :'],
    ['=1+*2', 'missing +'],
    ['=Sheet2!', 'missing Sheet2!'],
    ['=Sheet2! A1', 'missing Sheet2!'],
    ['=()', 'missing ('],
    ['=SUM(1+,2)', 'missing +'],
    ['={}', 'missing {'],
    ['=A1<', 'missing <'],
    ['= ', 'missing ='],
    ['=1 2 3', 'beside 2'],
    ['=2x', 'beside x'],
    ['="a"b', 'beside b'],
    ['=A1 "a"', 'beside "a"'],
    ['=2(A1)', 'beside ('],
    ['=*5', 'sign *'],
    ['=SUM(1))', 'sign )'],
    ['=1:A2', 'sign :'],
    ['=(1,)', 'missing ,'],
    ['=A1@B1', 'sign @'],
    ['=A1!', 'missing A1!'],
    ['=A1$', 'sign $'],
    ["='a", "sign '"],
    ['=A1#REF', 'beside REF'],
    ['=A1<>=2', 'missing >'],
    ['={1,2', 'open {'],
    ['=T[a', 'open ['],
    ['=[@a]*2', 'sign [@a]'],
    ['=T [a]', 'sign [a]'],
    ['=SUM()', 'few SUM'],
    ['=1+sum( )', 'few SUM'],
    ['=ROUND(1)', 'few ROUND'],
    ['=IF(SUMIF(A1:A9),1,2)', 'few SUMIF'],
    ['=LET(a,1)', 'few LET'],
    ['=PI(1)', 'many PI'],
    ['=ROUND(MAX(1,2,3),2,3)', 'many ROUND'],
    [`=${'SIN('.repeat(65)}1`, 'levels 64'],
    [`=SUM(${'1,'.repeat(255)}1)`, 'arguments 255'],
    [`=LEN("${'a'.repeat(256)}")`, 'textChars 255'],
  ])('%s', (text, said) => {
    expect(fault(text)).toBe(said);
  });

  it.each([
    '=-A1',
    '=+-+1%%',
    '=2^-1',
    '=A1<>B1',
    '=A1<=-1',
    '=A1>=B1',
    '=IF(A1,,3)',
    '=SUM(,)',
    '=NOW()',
    '=SUM (A1)',
    '=SUM((A1,B1) C1:D9)',
    '=A1:B9 B1:C9',
    '=(@C2:D3 @D3:E4)',
    '=@Sheet2!E:E @Sheet2!11:11',
    '=L6-(-4,3)',
    '=(A1:B9) (B1:C9)',
    '=A1:INDEX(A:A,9)',
    '=INDEX(A:A,1):INDEX(A:A,9)',
    "=SUM('a''b'!A1:B2,1:2,$A:$B)",
    '=Sheet1:Sheet3!A1',
    '=SUM(Sheet1!A1:Sheet1!B2)+SUM(Q1:Q4!A1)',
    '=Sheet1!#REF!',
    "='C:\\[Book.xlsx]Sheet 1'!A1+[1]Sheet1!A1",
    '=T[[#This Row],[a b]]*T[@a]',
    '=A1#+@B1:B9',
    '={1,2;-3,"a"}+1',
    '=LAMBDA(x,[y],x+y)(1)(2)',
    '=LET(a,1,a*2)',
    '=#N/A',
    '="a""b"&"c"',
    '= A1 \n+ 2 ',
    '=5:5',
    '=unknown+nobody(1)',
    '=1E5+.5+1.',
    '=ROUND(1,)',
    '=MATCH(1,{1,2;3,4})',
    '=INDEX((A1:B2,C1:D2),1,1,2)',
    '=IFS(A1,1,B1,2)+SUM(1,2,3,4)+SWITCH(1,1,2)',
    '=ROW()+NOW()+TRUE()',
    '=SORTBY(A1:A9,B1:B9)',
    '=REDUCE(,A1:A9,LAMBDA(a,b,a+b))',
  ])('none in %s', (text) => {
    expect(fault(text)).toBe(null);
  });

  it('none in columns without the name of their table, in its own cells', () => {
    expect(syntaxFault('[@a]*[[#This Row],[b c]]+SUM([a])', 'en', true)).toBe(null);
    expect(syntaxFault('LAMBDA(x;[y];x+y)(1)', 'de')).toBe(null);
  });

  it('none in what people of other regions write', () => {
    expect(fault('=SUMME(1,5;A1;{1\\2;3\\4})', 'de')).toBe(null);
    expect(fault('=1,5', 'de')).toBe(null);
    expect(fault('=1,5')).toBe('sign ,');
  });

  it('[XS168] in no call of a known function that has as many arguments as are named', () => {
    for (const { name, takes, repeated } of functions) {
      const given = (count: number) => `=${name}(${Array.from({ length: count }, () => 'A1').join(',')})`;
      const needed = takes.filter(({ text }) => !/^[[…]/.test(text)).length;
      const named = takes.filter(({ text }) => text !== '…').length;
      for (const count of [needed, named, ...(repeated > 0 ? [254] : [])]) {
        expect(fault(given(count))).toBe(null);
      }
    }
  });

  it('[XS8] ends with the quotation mark and the brackets that are missing', () => {
    expect(closedFormula('=SUM(A1,MAX(B1')).toBe('=SUM(A1,MAX(B1))');
    expect(closedFormula('="(("&SUM(A1)')).toBe('="(("&SUM(A1)');
    expect(closedFormula('="a')).toBe('="a"');
    expect(closedFormula('=LEN("a')).toBe('=LEN("a")');
    expect(closedFormula('="a""')).toBe('="a"""');
    expect(closedFormula('=SUM(1))')).toBe('=SUM(1))');
    expect(closedFormula(':-(')).toBe(':-(');
  });
});
