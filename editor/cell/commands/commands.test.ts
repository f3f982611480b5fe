import { describe, expect, it } from 'vitest';
import type { CellValue } from '../../../model/cell/values.ts';
import { rangeName, readRange } from '../grid/cell-range.ts';
import { draggedRange, seriesOf } from './filling.ts';
import { borderOperations, withDecimals } from './formatting.ts';
import { freeSheetName } from './sheets.ts';
import { sortedOrder } from './sorting.ts';

describe('what fills the cells behind a selection', () => {
  const next = (values: CellValue[], isDate = false) => {
    const series = seriesOf(values, isDate);
    return series && [0, 1, 2].map(series);
  };

  it('[XS12] continues numbers, days, months, numbered words and names', () => {
    expect(next([1, 2])).toEqual([3, 4, 5]);
    expect(next([0.1, 0.2])).toEqual([0.3, 0.4, 0.5]);
    expect(next([5])).toBeNull();
    expect(next([45_293], true)).toEqual([45_294, 45_295, 45_296]);
    // The ends of January, February … 2024.
    expect(next([45_322, 45_322 + 31 + 29], true)).toEqual([45_443, 45_504, 45_565].map((day) => day - 0));
    expect(next(['Item 1'])).toEqual(['Item 2', 'Item 3', 'Item 4']);
    expect(next(['Q01', 'Q03'])).toEqual(['Q05', 'Q07', 'Q09']);
    expect(next(['Monday'])).toEqual(['Tuesday', 'Wednesday', 'Thursday']);
    expect(next(['nov', 'dec'])).toEqual(['Jan', 'Feb', 'Mar']);
    expect(next(['a', 'b'])).toBeNull();
    expect(next([1, 'a'])).toBeNull();
  });

  it('[XS12] goes the way in which the handle was dragged farthest', () => {
    const from = readRange('B2:C3')!;
    expect(draggedRange(from, 2, 2)).toBeNull();
    expect(rangeName(draggedRange(from, 6, 3)!)).toBe('B4:C7');
    expect(rangeName(draggedRange(from, 0, 2)!)).toBe('B1:C1');
    expect(rangeName(draggedRange(from, 3, 9)!)).toBe('D2:J3');
  });
});

describe('sorting', () => {
  it('[XS13] puts numbers before text, empty cells last in either direction, and keeps equal ones in their order', () => {
    const values: CellValue[] = ['b', 10, null, 'B', 2, true, { e: '#N/A' }, 'a10', 'a9'];
    const places = [...values.keys()];
    const order = (direction: 1 | -1) =>
      sortedOrder(places, (at) => values[at]!, 'en', direction).map((at) => values[at]);
    expect(order(1)).toEqual([2, 10, 'a9', 'a10', 'b', 'B', true, { e: '#N/A' }, null]);
    expect(order(-1).at(-1)).toBeNull();
    expect(order(-1)[0]).toEqual({ e: '#N/A' });
    expect(sortedOrder([5, 3, 4], () => 1, 'en', 1)).toEqual([3, 4, 5]);
  });
});

describe('looks of cells', () => {
  it('[XS14] have a decimal more or less in every kind of number', () => {
    expect(withDecimals('General', 1)).toBe('0.0');
    expect(withDecimals('0', 1)).toBe('0.0');
    expect(withDecimals('#,##0.00 "€";[Red]-#,##0.00 "€"', -1)).toBe('#,##0.0 "€";[Red]-#,##0.0 "€"');
    expect(withDecimals('0.0%', -1)).toBe('0%');
    expect(withDecimals('0', -1)).toBe('0');
  });

  it('[XS14] have lines around and between cells, and lose them also where cells beside name them', () => {
    const range = readRange('B2:C3')!;
    const areas = (choice: Parameters<typeof borderOperations>[2]) =>
      borderOperations('s', range, choice).map((operation) =>
        operation.op === 'format' ? [operation.areas[0], operation.patch.border] : [],
      );
    const thin = { style: 'thin' };
    expect(areas('outer')).toEqual([
      [[1, 1, 1, 2], { top: thin }],
      [[1, 2, 2, 2], { right: thin }],
      [[2, 1, 2, 2], { bottom: thin }],
      [[1, 1, 2, 1], { left: thin }],
    ]);
    expect(areas('none')).toHaveLength(5);
    expect(borderOperations('s', readRange('A1')!, 'none')).toHaveLength(3);
  });

  it('[XS15] new sheets have a name that none has yet', () => {
    expect(freeSheetName(['Sheet1', 'SHEET2'], 'Sheet')).toBe('Sheet3');
  });
});
