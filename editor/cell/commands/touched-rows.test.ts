import { describe, expect, it } from 'vitest';
import { applyOperation } from '../../../model/cell/change.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { touchedRows } from './touched-rows.ts';

const begun = parseWorkbook(blankWorkbook());
const sheet = begun.sheets[0]!.id;
const withText = applyOperation(begun, {
  op: 'set',
  sheet,
  formats: [{ align: { wrap: true } }],
  cells: [
    [3, 1, { v: 'broken into lines', s: 0 }],
    [7, 1, { v: 'on one line' }],
  ],
}) as Workbook;

const rowsOf = (...changes: CellOperation[]) =>
  touchedRows(changes, withText.sheets[0]!, (format) => withText.formats.at(format).align?.wrap === true);

describe('the rows that changes may make higher or lower', () => {
  it('[XS125] are those with other content or looks, each once and in order', () => {
    const written: CellOperation = {
      op: 'set',
      sheet,
      cells: [
        [9, 0, { v: 1 }],
        [8, 4, { v: 1 }],
        [9, 4, { v: 1 }],
      ],
    };
    expect(rowsOf(written, { op: 'clear', sheet, areas: [[2, 0, 4, 0]], part: 'content' })).toEqual([
      [2, 4],
      [8, 9],
    ]);
    expect(rowsOf({ op: 'format', sheet, areas: [[1, 0, 1, 3]], patch: { font: { size: 20 } } })).toEqual([
      [1, 1],
    ]);
    expect(rowsOf({ op: 'format', sheet, areas: [[1, 0, 1, 3]], patch: { number: '0%' } })).toEqual([]);
    expect(
      rowsOf({ op: 'moveCells', sheet, area: [0, 0, 1, 0], toSheet: sheet, row: 20, column: 0 }),
    ).toEqual([
      [0, 1],
      [20, 21],
    ]);
    const order = Array.from({ length: 300_000 }, (_, row) => 300_000 - row);
    expect(rowsOf({ op: 'sort', sheet, axis: 'row', band: [0, 3], order })).toEqual([[1, 300_000]]);
    expect(rowsOf({ ...written, sheet: 'another' })).toEqual([]);
  });

  it('[XS125] are those with text broken into lines where a column gets another width', () => {
    const widened = (column: number): CellOperation => {
      return { op: 'lines', sheet, axis: 'column', spans: [[column, column]], patch: { size: 30 } };
    };
    expect(rowsOf(widened(1))).toEqual([[3, 3]]);
    expect(rowsOf(widened(2))).toEqual([]);
  });
});
