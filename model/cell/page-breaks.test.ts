import { expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from './document.ts';
import type { CellOperation } from './operations.ts';
import { changedWorkbook } from './testing/changed-workbook.ts';
import { itemsOf } from './workbook.ts';

const sheet = 's1';
const put = (id: string, axis: 'row' | 'column', cell: readonly [number, number]): CellOperation =>
  ({ op: 'put', sheet, kind: 'pageBreak', id, item: { axis, cell } }) as CellOperation;
const begun = changedWorkbook(
  parseWorkbook(blankWorkbook()),
  put('r', 'row', [5, 0]),
  put('c', 'column', [0, 3]),
);

function breaksAfter(...operations: CellOperation[]) {
  const items = itemsOf(changedWorkbook(begun, ...operations).sheets[0]!, 'pageBreak');
  return Object.fromEntries([...items].map(([id, { cell }]) => [id, cell]));
}

it('[XC39] a page break goes with the row or column that it stands before, and not with a cell of it', () => {
  const lines = (op: 'insert' | 'delete', axis: 'row' | 'column', at: number, count: number) =>
    ({ op, sheet, axis, at, count }) as CellOperation;
  expect(breaksAfter()).toEqual({ r: [5, 0], c: [0, 3] });
  expect(breaksAfter(lines('insert', 'row', 2, 2))).toEqual({ r: [7, 0], c: [0, 3] });
  expect(breaksAfter(lines('delete', 'row', 0, 2))).toEqual({ r: [3, 0], c: [0, 3] });
  expect(breaksAfter(lines('delete', 'row', 5, 1))).toEqual({ c: [0, 3] });
  // Of the first column and row, in which a file says them to be.
  expect(breaksAfter(lines('delete', 'column', 0, 1))).toEqual({ r: [5, 0], c: [0, 2] });
  expect(breaksAfter(lines('insert', 'column', 0, 1))).toEqual({ r: [5, 0], c: [0, 4] });
  expect(
    breaksAfter({ op: 'moveCells', sheet, area: [5, 0, 5, 0], toSheet: sheet, row: 9, column: 9 }),
  ).toEqual({ r: [5, 0], c: [0, 3] });
  expect(breaksAfter({ op: 'move', sheet, axis: 'row', at: 5, count: 1, to: 9 })).toEqual({
    ...{ r: [8, 0], c: [0, 3] },
  });
});
