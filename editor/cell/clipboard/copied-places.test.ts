import { expect, it } from 'vitest';
import { rangeName, readRange } from '../grid/cell-areas.ts';
import type { CellTable } from './cell-table.ts';
import { copiesOf } from './copied-places.ts';

const table: CellTable = {
  rows: [
    ['a', 'b', ''],
    ['c', 'd', ''],
    ['', '', 'e'],
  ].map((texts) => texts.map((text) => ({ text }))),
  merges: [],
  origin: { rows: [4, 5, 9], columns: [0, 1, 2], widths: [], heights: null, hasWholeColumns: false },
};

const places = (to: string, isTransposed: boolean) =>
  copiesOf(table, readRange(to)!, { isTransposed, skipsBlanks: true }).map(
    ({ rows, columns, to }) => `${rows} ${columns} ${rangeName(to)}`,
  );

it('[XS139] where blanks are left out, only the cells that hold something come somewhere', () => {
  expect(places('A1:C3', false)).toEqual(['4,5 0,1 A1:B2', '9 2 C3']);
  expect(places('A1:F3', true)).toEqual(['4,5 0,1 A1:B2', '9 2 C3', '4,5 0,1 D1:E2', '9 2 F3']);
  expect(copiesOf({ ...table, rows: [] }, [0, 0, 2, 2], { isTransposed: false, skipsBlanks: true })).toEqual(
    [],
  );
});
