import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangeName } from '../grid/cell-areas.ts';
import {
  argumentAt,
  coloredTokens,
  takesReference,
  turnAbsolute,
  typedTokens,
  wordBefore,
} from './typed-tokens.ts';

const kinds = (text: string) =>
  typedTokens(text)
    .filter(({ kind }) => kind !== 'space')
    .map(({ kind, text: piece }) => `${kind} ${piece}`);

describe('a formula as it is typed', () => {
  it('[XS7] is told apart into functions, references, names, numbers, texts and operators', () => {
    expect(kinds('=SUM(A1:$B$2, 3.5)')).toEqual([
      'operator =',
      'function SUM',
      'operator (',
      'reference A1:$B$2',
      'operator ,',
      'number 3.5',
      'operator )',
    ]);
    expect(kinds("='My ''sheet'!a1&\"A1\"")).toEqual([
      'operator =',
      "reference 'My ''sheet'!a1",
      'operator &',
      'text "A1"',
    ]);
    expect(kinds('=LOG10(A:C)+tax_2024-#N/A')).toEqual([
      'operator =',
      'function LOG10',
      'operator (',
      'reference A:C',
      'operator )',
      'operator +',
      'name tax_2024',
      'operator -',
      'error #N/A',
    ]);
    const [, token] = typedTokens("='It''s'!B2:C3");
    expect([token!.sheet, rangeName(token!.range!)]).toEqual(["It's", 'B2:C3']);
  });

  it('[XS7] has no cells where brackets of a table, a text that is not at its end, or other sheets and workbooks are meant', () => {
    const cells = (text: string) =>
      typedTokens(text).flatMap(({ range }) => (range ? [rangeName(range)] : []));
    expect(cells('=SUM(Table1[a1],B2)')).toEqual(['B2']);
    expect(cells('=B2&"A1 and')).toEqual(['B2']);
    expect(cells("=[1]Rates!A1+'[Book.xlsx]Rates'!A1+Jan:Mar!A1+B2")).toEqual(['B2']);
    expect(cells('=A1#/B2')).toEqual(['A1', 'B2']);
    expect(kinds('=[1]Rates!A1+Rates!Local')).toEqual([
      'operator =',
      'reference [1]Rates!A1',
      'operator +',
      'name Rates!Local',
    ]);
    for (const text of ['=#n', '=#n/a', '=A1+#RE']) expect(wordBefore(text, text.length)).toBeNull();
  });

  it('[XS7] is all there in its pieces, whatever was typed', () => {
    const pieces = [
      '=',
      'A1',
      '$B$2',
      ':',
      'SUM',
      '(',
      ')',
      ',',
      "'",
      '!',
      '"',
      '#REF!',
      '1.5e',
      ' ',
      '\n',
      'é',
      '😀',
      '{',
      '@',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const tokens = typedTokens(text);
        expect(tokens.map((token) => token.text).join('')).toBe(text);
        expect(tokens.every(({ from, to }, at) => from === (tokens[at - 1]?.to ?? 0) && to > from)).toBe(
          true,
        );
      }),
    );
  });

  it('[XS7] has one colour for the same cells', () => {
    const colors = coloredTokens('=A1+B1+$A$1+a1').map(({ color }) => color);
    expect(colors[1]).toBe(colors[5]);
    expect(colors[1]).toBe(colors[7]);
    expect(colors[1]).not.toBe(colors[3]);
  });

  it('[XS7] knows the argument that is typed, and the word before the cursor', () => {
    expect(argumentAt('=IF(A1>1,SUM(B1,', 16)).toEqual({ name: 'SUM', index: 1 });
    expect(argumentAt('=IF(A1>1,SUM(B1),', 17)).toEqual({ name: 'IF', index: 2 });
    expect(argumentAt('=A1', 3)).toBeNull();
    expect(wordBefore('=SU', 3)).toEqual({ from: 1, word: 'SU' });
    expect(wordBefore('=1+su', 5)).toEqual({ from: 3, word: 'su' });
    expect(wordBefore('="su', 4)).toBeNull();
    expect(wordBefore('su', 2)).toBeNull();
  });

  it('[XS7] takes a reference behind an operator', () => {
    for (const text of ['=', '=A1+', '=SUM(', '=SUM(A1, '])
      expect(takesReference(text, text.length)).toBe(true);
    for (const text of ['', 'A1+', '=A1', '=SUM(A1)', '=5'])
      expect(takesReference(text, text.length)).toBe(false);
  });

  it('[XS7] turns references from relative to absolute and back', () => {
    const turns = (reference: string, times: number): string =>
      times === 0 ? reference : turns(turnAbsolute(reference), times - 1);
    expect([1, 2, 3, 4].map((times) => turns('A1', times))).toEqual(['$A$1', 'A$1', '$A1', 'A1']);
    expect(turnAbsolute('Sheet1!A1:B2')).toBe('Sheet1!$A$1:$B$2');
    expect(turnAbsolute('A:A')).toBe('$A:$A');
  });
});
