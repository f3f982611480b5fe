import { expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { type CellPosition, cellName, readRange } from '../grid/cell-areas.ts';
import { plainSheet } from '../testing/plain-sheet.ts';
import { nextOpenCell } from './open-cells.ts';

const s1 = { sheet: 's1' };
const unlock = (...names: string[]): CellOperation => ({
  ...{ op: 'format', ...s1, areas: names.map((name) => readRange(name)!) },
  patch: { protection: { locked: false } },
});
const open = changedWorkbook(parseWorkbook(blankWorkbook()), unlock('B2', 'D2', 'B4:C4', 'B6', 'F9'));
const workbook = changedWorkbook(open, { op: 'sheet', ...s1, patch: { protection: { allows: [] } } });
/** Row 6 is hidden, and B4:C4 is one cell. */
const terrain = plainSheet({
  used: readRange('A1:D7')!,
  merges: [readRange('B4:C4')!],
  rowRuns: [{ from: 5, to: 6, size: 0 }],
});
const from = (name: string): CellPosition => {
  const [row, column] = readRange(name)!;
  return { row, column };
};
const next = (name: string, step: 1 | -1 = 1, of = workbook) => {
  const cell = nextOpenCell(of, of.sheets[0]!, terrain, from(name), step);
  return cell && cellName(cell);
};

it('[XS211] Tab goes to the next open cell of a protected sheet, row by row and around', () => {
  expect(['A1', 'B2', 'C2', 'D2', 'B4', 'D7'].map((name) => next(name))).toEqual([
    ...['B2', 'D2', 'D2', 'B4', 'B2', 'B2'],
  ]);
  expect(['B2', 'D2', 'B4', 'A1'].map((name) => next(name, -1))).toEqual(['B4', 'B2', 'D2', 'B4']);
});

it('[XS211] from beside what is used it goes on from there, and as ever where nothing is protected', () => {
  expect([next('F2'), next('F9'), next('F2', -1), next('F9', -1)]).toEqual(['B4', 'B2', 'D2', 'B4']);
  expect(next('A1', 1, open)).toBeNull();
});
