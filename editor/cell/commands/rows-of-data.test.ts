import { describe, expect, it } from 'vitest';
import type { CellValue } from '../../../model/cell/values.ts';
import { duplicatesAmong, orderBy, partsOfText } from './rows-of-data.ts';

const table: CellValue[][] = [
  ['b', 2],
  ['a', 10],
  ['B', 2],
  ['a', 9],
  [null, 1],
  ['2', 2],
  [2, 2],
];
const rows = [...table.keys()];
const valueAt = (row: number, column: number): CellValue => table[row]![column]!;

describe('rows of data', () => {
  it('[XS33] are sorted by several columns, each in its direction; equal ones keep their order', () => {
    const order = orderBy(
      rows,
      [
        { column: 0, direction: 1 },
        { column: 1, direction: -1 },
      ],
      valueAt,
      'en',
    );
    expect(order).toEqual([6, 5, 1, 3, 0, 2, 4]);
    expect(orderBy(rows, [{ column: 1, direction: -1 }], valueAt, 'en')).toEqual([1, 3, 0, 2, 5, 6, 4]);
  });

  it('[XS33] are duplicates when an earlier one says the same, whatever its case; numbers are no texts', () => {
    expect([...duplicatesAmong(rows, [0, 1], valueAt)]).toEqual([2]);
    expect([...duplicatesAmong(rows, [1], valueAt)]).toEqual([2, 5, 6]);
  });

  it('[XS33] of text are split at a separator that does not stand in quotes', () => {
    expect(partsOfText('a,b,,c', ',')).toEqual(['a', 'b', '', 'c']);
    expect(partsOfText('"a,b",c,"say ""x"""', ',')).toEqual(['a,b', 'c', 'say "x"']);
    expect(partsOfText('5" pipe,b', ',')).toEqual(['5" pipe', 'b']);
    expect(partsOfText('a - b', ' - ')).toEqual(['a', 'b']);
  });
});
