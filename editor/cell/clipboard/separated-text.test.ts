import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCells, readSeparated, writeSeparated } from './separated-text.ts';

describe('cells as text with tabs', () => {
  it('[XS10] are read as they were written', () => {
    const cell = fc
      .array(fc.constantFrom('a', '"', '\t', '\n', ' ', '1'), { maxLength: 5 })
      .map((signs) => signs.join(''));
    const rows = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }),
      );
    fc.assert(
      fc.property(rows, (given) => {
        // An empty last row of one cell is what a last line break would be.
        fc.pre(!(given[0]!.length === 1 && given.at(-1)![0] === ''));
        expect(readSeparated(writeSeparated(given))).toEqual(given);
      }),
    );
  });

  it('[XS10] are read as other programs write them', () => {
    expect(readSeparated('a\tb\r\n1\t2\r\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    expect(readSeparated('"two\nlines"\tb')).toEqual([['two\nlines', 'b']]);
    expect(readSeparated('"quoted" text')).toEqual([['"quoted" text']]);
    expect(readSeparated('5" nail')).toEqual([['5" nail']]);
  });

  it('[XH9] are counted before they are read, so that too many are refused at once', () => {
    expect(countCells('')).toBe(0);
    expect(countCells('a\tb\nc\td')).toBe(4);
    expect(countCells(`${'x\t'.repeat(299_999)}x\n`)).toBeGreaterThan(300_000);
  });
});
