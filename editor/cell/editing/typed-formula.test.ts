import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { notCalculated } from '../../../model/calculation/functions.ts';
import { excelFunctions } from '../../../model/calculation/testing/excel-functions.ts';
import { argumentNumber, functionNamed, functions } from './functions.ts';
import { modelFormula, modelText, shownFormula, standsForSeveral } from './typed-formula.ts';

const spilling = (text: string) => ({ t: text, a: ['dynamic', 1, 1] as const });

describe('a formula that somebody types', () => {
  it('[XS22] is kept in the words of files, and shown without their prefixes', () => {
    const pairs: [string, string][] = [
      ['sum(a1:b2)+true', 'SUM(A1:B2)+TRUE'],
      ['STDEV.S(A1:A9)', '_xlfn.STDEV.S(A1:A9)'],
      [
        'IFNA(XLOOKUP(A1,\'My data\'!B:B,C1:C9),"if(a1)")',
        '_xlfn.IFNA(_xlfn.XLOOKUP(A1,\'My data\'!B:B,C1:C9),"if(a1)")',
      ],
      ['IF(A1>0;SUM(B1:B9);Rate)', 'IF(A1>0,SUM(B1:B9),Rate)'],
      ['iferror(#n/a,#Div/0!)+#ref!', 'IFERROR(#N/A,#DIV/0!)+#REF!'],
      ['mine(A1:A3)', 'mine(A1:A3)'],
      ['TRANSLATE(A1)', '_xlfn.TRANSLATE(A1)'],
    ];
    for (const [typed, kept] of pairs) expect(modelFormula(typed)).toBe(kept);
    expect(shownFormula('_xlfn.IFNA(_xlfn._xlws.SORT(A1),1)')).toBe('IFNA(@SORT(A1),1)');
    expect(modelFormula('LET(x,A1,f,LAMBDA(y,y+x),f(2))')).toEqual(
      spilling('_xlfn.LET(_xlpm.x,A1,_xlpm.f,_xlfn.LAMBDA(_xlpm.y,_xlpm.y+_xlpm.x),_xlpm.f(2))'),
    );
  });

  it('[XS22] spills where it may have several values, and else has one', () => {
    const several: [string, string][] = [
      ['A1:A3', 'A1:A3'],
      ['a1:a3*2', 'A1:A3*2'],
      ['SUM(A1:A3*B1:B3)', 'SUM(A1:A3*B1:B3)'],
      ['SUM((A1:A3>1)*1)', 'SUM((A1:A3>1)*1)'],
      ['IF(A1:A3>0,1,2)', 'IF(A1:A3>0,1,2)'],
      ['VLOOKUP(A1:A3,B:C,2)', 'VLOOKUP(A1:A3,B:C,2)'],
      ['{1,2;3,4}', '{1,2;3,4}'],
      ['SORT(A1:A9)', '_xlfn._xlws.SORT(A1:A9)'],
      ['B1#+1', '_xlfn.ANCHORARRAY(B1)+1'],
      ['Data!B1#', '_xlfn.ANCHORARRAY(Data!B1)'],
      ['INDEX(A1:C3,0,2)', 'INDEX(A1:C3,0,2)'],
      ['ROW(A1:A5)', 'ROW(A1:A5)'],
      ['Sales[Amount]*2', 'Sales[Amount]*2'],
      ['XLOOKUP(A1,B:B,C:D)', '_xlfn.XLOOKUP(A1,B:B,C:D)'],
    ];
    for (const [typed, kept] of several) expect(modelFormula(typed)).toEqual(spilling(kept));
    const one = ['A1+B1', 'SUM(A1:A3,(B1:B9),C:C)', 'VLOOKUP(A1,B:C,2,FALSE)', 'INDEX(A:A,MATCH(B1,C:C,0))'];
    const alike = [
      'SUMPRODUCT(A1:A3,B1:B3)',
      'SUM(Sales[Amount])-Sales[[#This Row],[Cost]]',
      'ROW()',
      'ROWS(A1:A9)',
    ];
    const many = ['SUMIFS(A1:A9,B1:B9,1,C1:C9,2)', 'COUNTIF(A:A,"x")&B1', 'Rate*A1', 'OFFSET(A1,1,1)'];
    for (const text of [...one, ...alike, ...many]) expect(modelFormula(text)).toBe(text);
  });

  it('[XS22] takes one value of several behind an at sign, as formulas of old do', () => {
    expect(modelFormula('@A1:A3*2')).toBe('A1:A3*2');
    expect(shownFormula('A1:A3*2')).toBe('@A1:A3*2');
    expect(shownFormula('SUM(A1:A3*2)+SUM(B1:B3)')).toBe('SUM(@A1:A3*2)+SUM(B1:B3)');
    expect(modelFormula('@A1:A3+B1:B3')).toEqual(spilling('_xlfn.SINGLE(A1:A3)+B1:B3'));
    expect(modelFormula('"@@"&@@A1:A3')).toBe('"@@"&A1:A3');
    expect(modelFormula('SUM(@A1:A3)')).toBe('SUM(_xlfn.SINGLE(A1:A3))');
    expect(modelFormula('@A1+@SORT(A1:A3)')).toBe('A1+_xlfn._xlws.SORT(A1:A3)');
    expect(modelFormula('A1:A3*2', ['array', 3, 1])).toEqual({ t: 'A1:A3*2', a: ['array', 3, 1] });
    expect(modelFormula('SUMPRODUCT(@A1:A3*2)')).toBe('SUMPRODUCT(_xlfn.SINGLE(A1:A3)*2)');
    expect(shownFormula('SUMPRODUCT(_xlfn.SINGLE(A1:A3)*2)')).toBe('SUMPRODUCT(@A1:A3*2)');
  });

  it('[XS22] knows parameters that may be left out', () => {
    const typed = 'LAMBDA(x,[rate],IF(ISOMITTED(rate),x,x*rate))(A1)';
    const kept =
      '_xlfn.LAMBDA(_xlpm.x,_xlop.rate,IF(_xlfn.ISOMITTED(_xlop.rate),_xlpm.x,_xlpm.x*_xlop.rate))(A1)';
    for (const table of [null, 'Stock']) {
      const model = modelFormula(typed, null, { table });
      expect(typeof model === 'string' ? model : model.t).toBe(kept);
    }
    expect(shownFormula({ t: kept, a: ['dynamic', 1, 1] })).toBe(typed);
    const german = { hasDecimalComma: true };
    expect(shownFormula({ t: kept, a: ['dynamic', 1, 1] }, german)).toBe(typed.replaceAll(',', ';'));
    expect(shownFormula(kept)).toBe(`@${typed}`);
    expect(modelText('LAMBDA( [a] ;a)', 'de')).toBe('_xlfn.LAMBDA( _xlop.a ,_xlop.a)');
    expect(modelText('SUM([a],1)', 'en')).toBe('SUM([a],1)');
  });

  it('[XS22] [CE102] marks the names of functions that stand in place of a LAMBDA', () => {
    const kept = '_xlfn.BYROW(A1:B3,_xleta.SUM)';
    expect(modelFormula('byrow(A1:B3,sum)')).toEqual({ t: kept, a: ['dynamic', 1, 1] });
    expect(shownFormula({ t: kept, a: ['dynamic', 1, 1] })).toBe('BYROW(A1:B3,SUM)');
    expect(modelText('GROUPBY(A1:A3,B1:B3,SUM,,0)', 'en')).toBe('_xlfn.GROUPBY(A1:A3,B1:B3,_xleta.SUM,,0)');
    expect(modelText('MAP(A1:A3,B1:B3, MAX)', 'en')).toBe('_xlfn.MAP(A1:A3,B1:B3, _xleta.MAX)');
    expect(modelText('SUM(A1,max)+MAP(max,B1,own)', 'en')).toBe('SUM(A1,max)+_xlfn.MAP(max,B1,own)');
    expect(modelText('LET(max,LAMBDA(x,x),MAP(A1:A3,max))', 'en')).toBe(
      '_xlfn.LET(_xlpm.max,_xlfn.LAMBDA(_xlpm.x,_xlpm.x),_xlfn.MAP(A1:A3,_xlpm.max))',
    );
  });

  it('[XS22] shows no at sign where formulas of old calculate with several values', () => {
    const same = [
      'SUMPRODUCT((A1:A3="x")*B1:B3)',
      'SUMPRODUCT(--ISNUMBER(A1:A3))',
      'SUMPRODUCT(MAX(LEN(A1:A3)))',
      'SUMPRODUCT(T[a]*LEN(T[b]))',
      'LOOKUP(2,1/(A1:A3<>""),B1:B3)',
      'AGGREGATE(14,6,A1:A3/(B1:B3=1),1)',
      'MATCH(1,INDEX((A1:A3=1)*(B1:B3=2),0),0)',
      'CORREL(LN(A1:A9),B1:B9)',
    ];
    for (const text of same) expect(shownFormula(text)).toBe(text);
    expect(shownFormula('SUM(SUMPRODUCT(LEN(A1:A3)),LEN(B1:B3))')).toBe(
      'SUM(SUMPRODUCT(LEN(A1:A3)),LEN(@B1:B3))',
    );
    expect(shownFormula('SUMPRODUCT(IF(A1:A3>1,B1:B3),C1:C3*2)')).toBe(
      'SUMPRODUCT(IF(@A1:A3>1,B1:B3),C1:C3*2)',
    );
    expect(shownFormula('SUMPRODUCT(IF(1,IF(LEN(A1:A3),SUMPRODUCT(LEN(B1:B3)))))')).toBe(
      'SUMPRODUCT(IF(1,IF(LEN(@A1:A3),SUMPRODUCT(LEN(B1:B3)))))',
    );
    expect(shownFormula('AGGREGATE(14,6,LEN(A1:A3),1)')).toBe('AGGREGATE(14,6,LEN(A1:A3),1)');
    expect(shownFormula('LOOKUP(A1:A3,B1:B3)')).toBe('LOOKUP(@A1:A3,B1:B3)');
    expect(shownFormula('INDEX(A1:A9,ROW(A1:A3))')).toBe('INDEX(A1:A9,@ROW(A1:A3))');
  });

  it('[XS22] has decimal commas and semicolons where people write so, and is kept as files have it', () => {
    const german = { hasDecimalComma: true };
    const pairs: [string, string][] = [
      ['ROUND(1,5;2)*A1', 'ROUND(1.5,2)*A1'],
      ['SUM(A1;$B$1;C1:C9)', 'SUM(A1,$B$1,C1:C9)'],
      ['"1,5"&\'a,1,5\'!A1', '"1,5"&\'a,1,5\'!A1'],
      ['SUM(T[[x,1]:[y]];0,25)', 'SUM(T[[x,1]:[y]],0.25)'],
    ];
    for (const [typed, kept] of pairs) {
      expect(modelFormula(typed, null, german)).toBe(kept);
      expect(shownFormula(kept, german)).toBe(typed);
    }
    expect(modelFormula('ROUND(A1,2)', null, german)).toBe('ROUND(A1,2)');
    expect(modelFormula('{1,5\\2;3\\4}', null, german)).toEqual(spilling('{1.5,2;3,4}'));
    expect(shownFormula(spilling('{1.5,2;3,4}'), german)).toBe('{1,5\\2;3\\4}');
  });

  it('[XS22] spills for the name of several cells, and takes one of them behind an at sign', () => {
    const writing = { isSeveral: (name: string) => name.toLowerCase() === 'rates' };
    expect(modelFormula('Rates*2', null, writing)).toEqual(spilling('Rates*2'));
    expect(modelFormula('SUM(Rates)+Rate', null, writing)).toBe('SUM(Rates)+Rate');
    expect(modelFormula('@rates*2', null, writing)).toBe('rates*2');
    expect(shownFormula('Rates*2', writing)).toBe('@Rates*2');
    const several = ['Sheet1!$A$1:$A$3', '=A:A', 'OFFSET(A1,0,0,3)', 'SORT(A1:A3)'];
    expect(several.map(standsForSeveral)).toEqual([true, true, true, true]);
    expect(['Sheet1!$A$1', '0.19', 'SUM(A1:A3)'].map(standsForSeveral)).toEqual([false, false, false]);
  });

  it('[XS22] names columns of its own row in short, and is kept as files name them', () => {
    const inside = { table: 'Stock' };
    const pairs: [string, string, string][] = [
      ['[@Price]*2', 'Stock[[#This Row],[Price]]*2', 'Stock[@Price]*2'],
      ['Other[@[Unit price]]', 'Other[[#This Row],[Unit price]]', 'Other[@[Unit price]]'],
      ['SUM([Price])', 'SUM(Stock[Price])', 'SUM(Stock[Price])'],
      ['[@[a]:[b]]', 'Stock[[#This Row],[a]:[b]]', 'Stock[@[a]:[b]]'],
    ];
    for (const [typed, kept, shown] of pairs) {
      const model = modelFormula(typed, null, inside);
      expect(typeof model === 'string' ? model : model.t).toBe(kept);
      expect(shownFormula(kept).replace(/^@/, '')).toBe(shown);
    }
  });

  it('[XS22] is the same when it is edited and not changed', () => {
    const atom = fc.constantFrom('A1', 'B2:C9', 'D:D', 'B1#', '{1,2}', '"a,1,5"', 'T[x]', 'rate', '1', '2.5');
    const { formula } = fc.letrec<{ formula: string; operand: string }>((tie) => ({
      operand: fc.oneof(
        { maxDepth: 3 },
        atom,
        atom.map((text) => `@${text}`),
        fc
          .tuple(
            fc.constantFrom('', '@'),
            fc.constantFrom('SUM', 'SORT', 'IF', 'other'),
            tie('formula'),
            tie('formula'),
          )
          .map(([sign, name, one, two]) => `${sign}${name}(${one},${two})`),
        tie('formula').map((text) => `(${text})`),
      ),
      formula: fc.array(tie('operand'), { minLength: 1, maxLength: 2 }).map((operands) => operands.join('+')),
    }));
    fc.assert(
      fc.property(formula, (text) => {
        const kept = modelFormula(text);
        expect(modelFormula(shownFormula(kept))).toEqual(kept);
        const german = { hasDecimalComma: true };
        expect(modelFormula(shownFormula(kept, german), null, german)).toEqual(kept);
      }),
      { numRuns: 300 },
    );
  });

  it('[XS246] has as many brackets as there is room for', () => {
    const inBrackets = (inside: string) => '('.repeat(4_000) + inside + ')'.repeat(4_000);
    expect(modelFormula(inBrackets('a1'))).toBe(inBrackets('A1'));
    expect(shownFormula(inBrackets('A1'))).toBe(inBrackets('A1'));
    expect(modelFormula(`${inBrackets('1')}+A1:A3`)).toEqual(spilling(`${inBrackets('1')}+A1:A3`));
  });

  it('[XS23] is helped along with every function that is calculated', () => {
    const names = excelFunctions.filter((name) => !(name in notCalculated));
    expect(functions.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });

  it('[XS23] knows which of the arguments is typed, also of those that come again', () => {
    const at = (name: string, place: number) => {
      const called = functionNamed(name)!;
      return called.takes[argumentNumber(called, place)]?.text;
    };
    expect([0, 1, 2, 5].map((place) => at('SUM', place))).toEqual([
      'number1',
      '[number2]',
      '[number2]',
      '[number2]',
    ]);
    expect([0, 1, 2, 3, 4].map((place) => at('SUMIFS', place))).toEqual([
      'sum_range',
      'criteria_range1',
      'criteria1',
      'criteria_range1',
      'criteria1',
    ]);
    expect(at('PI', 0)).toBeUndefined();
    expect(at('ROUND', 2)).toBeUndefined();
  });
});
