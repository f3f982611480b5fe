import { describe, expect, it } from 'vitest';
import { editedText, inputOf, setOperation } from './cell-input.ts';

const english = { locale: 'en' };
const plain = { value: null, formula: null, format: {} };

describe('what a cell gets that somebody has typed into', () => {
  it('[XS9] has the number format that was typed, unless the cell has one', () => {
    expect(inputOf('12%', plain, english)).toEqual({ input: { v: 0.12 }, format: { number: '0%' } });
    const bold = { format: { number: '0.00', font: { bold: true } } };
    expect(inputOf('12%', bold, english)).toEqual({ input: { v: 0.12 }, format: null });
    const operation = setOperation(
      's',
      [
        { row: 0, column: 0, text: '1', cell: plain },
        { row: 1, column: 0, text: '50%', cell: plain },
        { row: 2, column: 0, text: '=SUM(A1:A2', cell: plain },
      ],
      english,
    );
    expect(operation).toEqual({
      op: 'set',
      sheet: 's',
      cells: [
        [0, 0, { v: 1 }],
        [1, 0, { v: 0.5, s: 0 }],
        [2, 0, { f: 'SUM(A1:A2)' }],
      ],
      formats: [{ number: '0%' }],
    });
  });

  it('[XS9] is broken into lines where it has several', () => {
    expect(inputOf('a\nb', plain, english).format).toEqual({ align: { wrap: true } });
  });

  it('[XS9] is edited as what it was, also text that looks like a number', () => {
    const texts: [unknown, string | null, string][] = [
      [12.5, null, '12.5'],
      ['abc', null, 'abc'],
      ['007', null, "'007"],
      [true, null, 'TRUE'],
      [{ e: '#N/A' }, null, '#N/A'],
      [{ r: [{ t: 'a' }, { t: 'b' }] }, null, 'ab'],
      [3, 'A1+A2', '=A1+A2'],
      [3, '_xlfn.STDEV.S(A1:A9)', '=STDEV.S(A1:A9)'],
    ];
    for (const [value, formula, text] of texts) {
      const cell = { value: value as never, formula, format: {} };
      expect(editedText(cell, english)).toBe(text);
      if (formula === null && typeof value !== 'object') {
        expect(inputOf(text, cell, english).input).toEqual({ v: value });
      }
    }
  });
});
