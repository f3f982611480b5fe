import { expect, it } from 'vitest';
import type { Axis } from '../../../model/cell/area.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { cornerOf, rangeName, readRange } from '../grid/cell-areas.ts';
import { cutInsertion, naturalAxis } from './cut-insertion.ts';

const blank = parseWorkbook(blankWorkbook());
const { id: sheet } = blank.sheets[0]!;

/** Two columns of five numbers, and a formula that follows some of them. */
const begun = changedWorkbook(blank, [
  {
    ...{ op: 'set', sheet },
    cells: [
      ...[0, 1, 2, 3, 4].flatMap((row): [number, number, { v: number }][] => [
        [row, 0, { v: row + 1 }],
        [row, 1, { v: row + 11 }],
      ]),
      [8, 8, { f: 'A2+SUM(A1:A5)', v: 0 }],
    ],
  },
]);

function after(cut: string, before: string, axis: Axis) {
  const insertion = cutInsertion(sheet, readRange(cut)!, cornerOf(readRange(before)!), axis);
  if (typeof insertion === 'string') return insertion;
  const { grid } = changedWorkbook(begun, insertion.operations).sheets[0]!;
  const column = (at: number) => [0, 1, 2, 3, 4, 5].map((row) => grid.cell(row, at).value);
  const formulas = [...grid.rows()].flatMap(([, { cells }]) =>
    cells.flatMap(({ formula }) => formula?.text ?? []),
  );
  return { columns: [column(0), column(1), column(2)], formulas, area: rangeName(insertion.area) };
}

it('[XS143] cells that were cut come between others of their columns, which close the gap', () => {
  expect(after('A2:A3', 'A5', 'row')).toMatchObject({
    ...{ area: 'A3:A4', formulas: ['A3+SUM(A1:A5)'] },
    columns: [[1, 4, 2, 3, 5, null], [11, 12, 13, 14, 15, null], expect.anything()],
  });
  expect(after('A4:A5', 'A1', 'row')).toMatchObject({
    ...{ area: 'A1:A2', formulas: ['A4+SUM(A3:A5)'] },
    columns: [[4, 5, 1, 2, 3, null], expect.anything(), expect.anything()],
  });
});

it('[XS143] cells that were cut come between those of other columns, or into rows', () => {
  expect(after('A2', 'B1', 'row')).toMatchObject({
    ...{ area: 'B1', formulas: ['B1+SUM(A1:A4)'] },
    columns: [[1, 3, 4, 5, null, null], [2, 11, 12, 13, 14, 15], expect.anything()],
  });
  expect(after('A1:A2', 'C1', 'column')).toMatchObject({
    area: 'B1:B2',
    columns: [[11, 12, 3, 4, 5, null], [1, 2, 13, 14, 15, null], expect.anything()],
  });
});

it('[XS143] cells that would be torn, or stay where they are, come nowhere', () => {
  expect(after('A1:B2', 'B4', 'row')).toBe('torn');
  expect(after('A2:A3', 'A3', 'row')).toBe('stays');
  expect(after('A2:A3', 'A4', 'row')).toBe('stays');
  expect(after('A1:B2', 'XFD4', 'row')).toBe('no-room');
  expect([
    naturalAxis([0, 0, 1, 0], { row: 0, column: 3 }),
    naturalAxis([0, 0, 1, 0], { row: 4, column: 0 }),
  ]).toEqual(['column', 'row']);
});
