import { describe, expect, it } from 'vitest';
import { inEnglish } from './foreign-functions.ts';
import { functionNamed } from './functions.ts';

describe('functions that are called as in another language', () => {
  it('[XS185] have their English names, wherever they stand in a formula', () => {
    expect(inEnglish('=summe(A1:A3)')).toEqual({ text: '=SUM(A1:A3)', name: 'summe', english: 'SUM' });
    expect(inEnglish('=WENN(ZÄHLENWENN(A1:A9;"SUMME(")>1;SUM(B1);0)')?.text).toBe(
      '=IF(COUNTIF(A1:A9;"SUMME(")>1;SUM(B1);0)',
    );
    expect(inEnglish('=CONT.NÚM(A1)+NB.SI(A1;2)')?.text).toBe('=COUNT(A1)+COUNTIF(A1;2)');
    expect(['=SUM(A1)', '=SUMME', '="SUMME("', '=OTHER(1)', 'SUMME(1)'].map(inEnglish)).toEqual([
      ...[null, null, null, null, expect.anything()],
    ]);
  });

  it('[XS185] are named where no function has that name, and lead to one that is there', () => {
    for (const name of ['SUMME', 'SI', 'E', 'REST', 'DATA', 'TEXTO', 'ANO', 'COL'])
      expect([name, functionNamed(name)]).toEqual([name, undefined]);
    for (const name of ['SUMME', 'SI', 'PROCV', 'TEILERGEBNIS', 'COL'])
      expect(functionNamed(inEnglish(`=${name}(1)`)!.english)).toBeDefined();
  });
});
