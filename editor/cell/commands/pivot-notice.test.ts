import { beforeEach, expect, it, vi } from 'vitest';
import type { Axis } from '../../../model/cell/area.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { notify } from '../../kit/notices.tsx';
import { readRange } from '../grid/cell-areas.ts';
import { refusesTearing, tellOfPivots, tellOfTyping } from './pivot-notice.ts';

vi.mock('../../kit/notices.tsx', () => ({ notify: vi.fn() }));
beforeEach(() => vi.mocked(notify).mockClear());

const json = blankWorkbook();
/** B3:D6. */
const items = { pivot: { p1: { area: [2, 1, 5, 3], name: 'Pivot' } } };
const workbook = parseWorkbook({ ...json, sheets: json.sheets.map((sheet) => ({ ...sheet, items })) });
const { id: sheet } = workbook.sheets[0]!;

it('[XS226] who types into a pivot table, and nowhere else, is told that it is filled anew', () => {
  for (const [row, column] of [
    [1, 1],
    [6, 3],
    [2, 4],
  ] as const)
    tellOfTyping(workbook.sheets[0]!, { row, column });
  expect(notify).not.toHaveBeenCalled();
  tellOfTyping(workbook.sheets[0]!, { row: 2, column: 1 });
  tellOfTyping(workbook.sheets[0]!, { row: 5, column: 3 });
  expect(notify).toHaveBeenCalledTimes(2);
});

it('[XS219] what is pasted, filled, cleared, sorted or moved into a pivot table is said to go, and looks are not', () => {
  const area = readRange('C4:F5')!;
  const beside = readRange('E1:F99')!;
  const said: CellOperation[] = [
    { op: 'set', sheet, cells: [[5, 3, { v: 1 }]] },
    { op: 'block', sheet, row: 0, column: 0, rows: [[1], [2], [null, 3]] },
    { op: 'fill', sheet, from: readRange('A4')!, to: readRange('A4:B4')!, part: 'all' },
    { op: 'clear', sheet, areas: [beside, area], part: 'content' },
    { op: 'sort', sheet, axis: 'row', band: [0, 1], order: [6, 5] },
    { op: 'moveCells', sheet, area: readRange('F9')!, toSheet: sheet, row: 2, column: 3 },
  ];
  for (const operation of said) tellOfPivots(workbook, [operation]);
  expect(notify).toHaveBeenCalledTimes(said.length);
  tellOfPivots(workbook, [
    { op: 'set', sheet, cells: [[5, 3, { s: 0 }]], formats: [{}] },
    { op: 'block', sheet, row: 0, column: 0, rows: [[1], [2], [3], [null, { s: 0 }]], formats: [{}] },
    { op: 'fill', sheet, from: area, to: area, part: 'format' },
    { op: 'clear', sheet, areas: [area], part: 'format' },
    { op: 'clear', sheet, areas: [beside], part: 'all' },
    { op: 'format', sheet, areas: [area], patch: { font: { bold: true } } },
    { op: 'sort', sheet, axis: 'row', band: [4, 9], order: [6, 5] },
    { op: 'insert', sheet, axis: 'row', at: 0, count: 1 },
  ]);
  expect(notify).toHaveBeenCalledTimes(said.length);
});

it('[XS219] a part of a pivot table is not moved, taken out or pushed apart; all of it is', () => {
  const lines = (
    op: 'insert' | 'delete',
    axis: Axis,
    at: number,
    count: number,
    band?: readonly [number, number],
  ): CellOperation => ({ op, sheet, axis, at, count, ...(band && { band }) });
  const cut = (name: string): CellOperation => ({
    op: 'moveCells',
    sheet,
    area: readRange(name)!,
    toSheet: sheet,
    row: 20,
    column: 20,
  });
  const torn: CellOperation[] = [
    ...[lines('insert', 'row', 3, 1), lines('insert', 'row', 5, 9), lines('insert', 'column', 2, 1)],
    // Cells that move down, up or to the left in some columns or rows of it.
    ...[lines('insert', 'row', 0, 1, [2, 2]), lines('delete', 'row', 0, 1, [0, 1])],
    ...[lines('delete', 'row', 2, 1), lines('delete', 'row', 5, 9), lines('delete', 'column', 0, 2)],
    lines('delete', 'column', 0, 1, [3, 99]),
    ...[cut('B3'), cut('A1:C9')],
    { op: 'move', sheet, axis: 'row', at: 3, count: 1, to: 20 },
    { op: 'move', sheet, axis: 'row', at: 20, count: 1, to: 4 },
  ];
  expect(torn.filter((operation) => !refusesTearing(workbook, [operation]))).toEqual([]);
  expect(notify).toHaveBeenCalledTimes(torn.length);
  const whole: CellOperation[] = [
    ...[lines('insert', 'row', 2, 1), lines('insert', 'row', 6, 1), lines('insert', 'column', 1, 1)],
    ...[lines('insert', 'row', 0, 1, [1, 3]), lines('insert', 'row', 0, 1, [4, 9])],
    ...[lines('delete', 'row', 2, 4), lines('delete', 'row', 0, 2), lines('delete', 'column', 4, 9)],
    ...[cut('B3:D6'), cut('A1:Z99'), cut('A1:A99')],
    { op: 'move', sheet, axis: 'row', at: 2, count: 4, to: 20 },
    { op: 'move', sheet, axis: 'row', at: 20, count: 1, to: 2 },
    { op: 'format', sheet, areas: [[3, 2, 3, 2]], patch: {} },
  ];
  expect(whole.filter((operation) => refusesTearing(workbook, [operation]))).toEqual([]);
  // The row right above it is cut and comes in at the top: by then the table is a row further down.
  const isRefused = refusesTearing(workbook, [
    lines('insert', 'row', 0, 1),
    { op: 'moveCells', sheet, area: readRange('3:3')!, toSheet: sheet, row: 0, column: 0 },
    lines('delete', 'row', 2, 1),
  ]);
  expect(isRefused).toBe(false);
});
