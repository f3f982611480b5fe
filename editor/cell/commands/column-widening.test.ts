import { describe, expect, it } from 'vitest';
import { readRange } from '../grid/cell-areas.ts';
import { plainSheet } from '../testing/plain-sheet.ts';
import { narrowColumns } from './column-widening.ts';

// Every letter is 10 pixels wide, and a cell has 3 on each side.
const measures = { measure: (text: string) => text.length * 10, heights: () => ({ ascent: 10, descent: 3 }) };
const settings = { locale: 'en-US' };
const pattern = 'dd/mm/yyyy';

describe('columns that are too narrow for numbers', () => {
  const widths = (column: number, value: number, fixed: readonly number[] = [], merges = ['F1:G1']) => {
    const sheet = plainSheet({
      cells: { A1: 1, B1: 1, F1: 1 },
      merges: merges.map((name) => readRange(name)!),
    });
    const isFixed = (one: number) => fixed.includes(one);
    const number = { row: 0, column, value, pattern };
    return [...narrowColumns(sheet, [number], { isFixed, measures, settings })];
  };

  it('[XH21] become as wide as the number is as it will be shown, unless somebody has chosen their width', () => {
    expect(widths(0, 45_000)).toEqual([[0, 107]]);
    expect(widths(1, 45_000, [0])).toEqual([[1, 107]]);
    expect(widths(0, 45_000, [0])).toEqual([]);
    expect(widths(5, 45_000)).toEqual([]);
  });

  it('[XH29] become as wide as accounting formats need, whose numbers end with a blank', () => {
    const sheet = plainSheet({ cells: { A1: 1 } });
    const number = { row: 0, column: 0, value: 12_345, pattern: '_(* #,##0_);_(* (#,##0);_(* "-"??_);_(@_)' };
    // ` 12,345 ` has eight signs.
    expect([...narrowColumns(sheet, [number], { isFixed: () => false, measures, settings })]).toEqual([
      [0, 87],
    ]);
  });

  it('[XH29] become as wide as what a formula comes to, but for digits of a general number that can be left out', () => {
    const sheet = plainSheet({ cells: { A1: 1 } });
    const widened = (value: number, format: string) =>
      [
        ...narrowColumns(sheet, [{ row: 0, column: 0, value, pattern: format, isResult: true }], {
          ...{ isFixed: () => false, measures, settings },
        }),
      ].map(([, width]) => width);
    expect(widened(1 / 3, 'General')).toEqual([]);
    expect(widened(45_000, pattern)).toEqual([107]);
    expect(widened(1234567.5, '#,##0.00')).toEqual([127]);
  });

  it('[XH21] stay as they are where it fits', () => {
    const sheet = plainSheet({ cells: { A1: 1 } });
    const number = { row: 0, column: 0, value: 12, pattern: 'General' };
    expect(narrowColumns(sheet, [number], { isFixed: () => false, measures, settings }).size).toBe(0);
  });
});
