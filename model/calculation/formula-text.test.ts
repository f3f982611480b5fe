import { describe, expect, test } from 'vitest';
import type { CellContent, CellFormula } from './calculation.ts';
import { Book, single } from './testing/changing-book.ts';
import { type Cells, holds } from './testing/formula-cases.ts';

const written: Cells = {
  ...{ A1: 1, A2: 2, B1: '=+SUM(A1)', B2: '=SUM( A1 , A2 )', B3: '=Tot*2', B4: '=(A1)+(-(+A2))' },
  ...{ B5: '=1E5+1.50', B6: '=_xlfn.XLOOKUP(1,A1:A2,A1:A2)', B7: '=SUM(A1:A2 A2:A3)', B8: '=SUM(Tab[v])' },
  ...{ B9: '=_xlfn.LET(_xlpm.x,1,_xlpm.x)', C1: '=_xlfn.SINGLE(A1:A2)', C2: '=_xlfn.SEQUENCE(2)' },
  ...{ C4: '=SUM(_xlfn.ANCHORARRAY(C2))', C5: '=NOSUCH(1)', C6: 'text' },
};
const given = {
  cells: written,
  names: [{ name: 'Tot', formula: 'Sheet1!$A$1' }],
  tables: [
    {
      ...{ name: 'Tab', sheet: 0, firstRow: 1, firstColumn: 1, lastRow: 2, lastColumn: 1 },
      ...{ headerRows: 0, totalsRows: 0, columns: ['v'] },
    },
  ],
};
const { C5: _unknown, ...known } = written;
holds('[CE115] FORMULATEXT gives formulas as they are written', { ...given, cells: known }, [
  ['FORMULATEXT(B1)', '=+SUM(A1)'],
  ['FORMULATEXT(B2)', '=SUM( A1 , A2 )'],
  ['FORMULATEXT(B3)', '=Tot*2'],
  ['FORMULATEXT(B4)', '=(A1)+(-(+A2))'],
  ['FORMULATEXT(B5)', '=1E5+1.50'],
  ['_xlfn.FORMULATEXT(B6)', '=XLOOKUP(1,A1:A2,A1:A2)'],
  ['FORMULATEXT(B7)', '=SUM(A1:A2 A2:A3)'],
  ['FORMULATEXT(B8)', '=SUM(Tab[v])'],
  ['FORMULATEXT(B9)', '=LET(x,1,x)'],
  ['FORMULATEXT(C1)', '=@A1:A2'],
  ['FORMULATEXT(C2)', '=SEQUENCE(2)'],
  ['FORMULATEXT(C3)', '#N/A'],
  ['FORMULATEXT(C4)', '=SUM(C2#)'],
  ['FORMULATEXT(C6)', '#N/A'],
  ['FORMULATEXT(A1)', '#N/A'],
  ['ARRAYTOTEXT(FORMULATEXT(B3:B5),1)', '{"=Tot*2";"=(A1)+(-(+A2))";"=1E5+1.50"}'],
  ['FORMULATEXT(H20)', '=FORMULATEXT(H20)'],
  ['ARRAYTOTEXT(ISFORMULA(B1:C1),1)', '{TRUE,TRUE}'],
  ['ISFORMULA(C3)', false],
  ['ISFORMULA(A1)', false],
]);

describe('[CE115] formulas that change', () => {
  const put = (row: number, column: number, content: CellContent) => ({ sheet: 0, row, column, content });
  const shown = (book: Book) => [1, 2].map((row) => book.value(0, row, 2));

  test('are asked for after they were there, change, and go', () => {
    const book = new Book();
    book.change([put(1, 1, single('Rate + 1')), put(2, 1, 5)]);
    book.change([put(1, 2, single('_xlfn.FORMULATEXT(A1)')), put(2, 2, single('_xlfn.FORMULATEXT(A2)'))]);
    expect(shown(book)).toEqual(['=Rate + 1', { error: '#N/A' }]);
    book.change([put(1, 1, single('Rate+1')), put(2, 1, single('1+1'))]);
    expect(shown(book)).toEqual(['=Rate+1', '=1+1']);
    book.change([put(1, 1, null), put(2, 1, 7)]);
    expect(shown(book)).toEqual([{ error: '#N/A' }, { error: '#N/A' }]);
    expect(book.shown()).toEqual(book.reopened().shown());
  });

  test('may be of an array, or not calculated', () => {
    const array: CellFormula = { formula: 'D1:D2*2', kind: 'array', rows: 2, columns: 1 };
    const book = new Book();
    book.change([
      ...[put(1, 1, array), put(3, 1, { ...array, formula: 'NOSUCH(1)', kind: 'single', stored: 3 })],
      ...[put(1, 2, single('_xlfn.FORMULATEXT(A2)')), put(2, 2, single('_xlfn.FORMULATEXT(A3)'))],
      put(3, 2, single('_xlfn.ISFORMULA(A3)')),
    ]);
    expect(shown(book)).toEqual(['{=D1:D2*2}', '=NOSUCH(1)']);
    expect(book.value(0, 3, 2)).toBe(true);
  });
});
