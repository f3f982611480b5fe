import { describe, expect, it } from 'vitest';
import type { CellFormat } from '../../model/cell/cell-format.ts';
import { applyOperation } from '../../model/cell/change.ts';
import { parseWorkbook, WORKBOOK_FORMAT } from '../../model/cell/document.ts';
import { readOperation } from '../../model/cell/operation-json.ts';
import type { CellOperation } from '../../model/cell/operations.ts';
import { WORKBOOK_VERSION } from '../../model/cell/version.ts';
import type { Workbook } from '../../model/cell/workbook.ts';
import { effectsOf } from './effects.ts';
import { inverseOf } from './inverse.ts';
import { Rebase } from './rebase.ts';

const sheet = 's1';
const red: CellFormat = { fill: { pattern: 'solid', color: { rgb: 'FF0000' } } };
const bold = { font: { bold: true } };

const done = (workbook: Workbook, ...operations: readonly CellOperation[]): Workbook =>
  operations.reduce((now, operation) => {
    const after = applyOperation(now, operation);
    if (typeof after === 'string') throw new Error(after);
    return after;
  }, workbook);

/** So many rows of ten cells each, every third of which is red. */
const begun = (rows: number): Workbook =>
  parseWorkbook({
    ...{ format: WORKBOOK_FORMAT, version: WORKBOOK_VERSION, formats: [{}, red] },
    sheets: [
      {
        id: sheet,
        properties: { name: 'Sheet1' },
        rows: Array.from({ length: rows }, (_, row) => [
          ...[0, 0],
          ...Array.from({ length: 10 }, (__, column) => [
            column,
            column % 3 === 0 ? 1 : 0,
            row + column,
          ]).flat(),
        ]),
      },
    ],
  } as never);

const lookAt = (workbook: Workbook, row: number, column: number): CellFormat => {
  const { grid, columns } = workbook.sheets[0]!;
  const held = grid.row(row);
  const at = held?.columns.indexOf(column) ?? -1;
  return workbook.formats.at(at >= 0 ? held!.cells[at]!.format : (columns.at(column).format ?? 0));
};

describe('what takes back how cells look', () => {
  const format: CellOperation = { op: 'format', sheet, areas: [[0, 0, 999, 11]], patch: bold };

  it('[XC43] names areas of cells that looked alike, however many cells they are', () => {
    const before = begun(1_000);
    const after = done(before, format);
    expect(lookAt(after, 999, 11)).toMatchObject(bold);
    const back = inverseOf([{ operation: format, document: before }], after);
    expect(back.map(({ op }) => op)).toEqual(['format', 'format']);
    expect(JSON.stringify(back).length).toBeLessThan(1_000);
    const { grid } = done(after, ...back).sheets[0]!;
    expect([...grid.rows()].map(([place, { columns, cells }]) => [place, columns, cells])).toEqual(
      [...before.sheets[0]!.grid.rows()].map(([place, { columns, cells }]) => [place, columns, cells]),
    );
    expect(grid.weight).toBe(before.sheets[0]!.grid.weight);
  });

  it('[XC43] leaves alone what others have made of the looks of some of them', () => {
    const before = begun(20);
    const own: CellOperation = { ...format, areas: [[0, 0, 19, 9]] };
    const after = done(before, own);
    const other: CellOperation = {
      op: 'format',
      sheet,
      areas: [[5, 2, 6, 3]],
      patch: { font: { italic: true } },
    };
    const later = done(after, other);
    const made = inverseOf([{ operation: own, document: before }], after).map((operation) => ({
      operation,
      document: after,
    }));
    const { document } = new Rebase(effectsOf(other), later).made(made);
    expect(lookAt(document, 5, 2).font).toEqual({ bold: true, italic: true });
    expect([lookAt(document, 4, 2), lookAt(document, 4, 3), lookAt(document, 7, 3)]).toEqual([{}, red, red]);
  });

  it('[XC45] shows the look of row or column again where a cell was not kept', () => {
    const column: CellOperation = {
      op: 'format',
      sheet,
      areas: [[0, 4, 1_048_575, 4]],
      patch: { fill: red.fill! },
    };
    const before = done(begun(0), column);
    const own: CellOperation = { op: 'format', sheet, areas: [[2, 4, 3, 5]], patch: bold };
    const after = done(before, own);
    const back = done(after, ...inverseOf([{ operation: own, document: before }], after));
    expect([lookAt(back, 2, 4).fill, lookAt(back, 2, 4).font, lookAt(back, 2, 5)]).toEqual([
      red.fill,
      undefined,
      {},
    ]);
  });

  it('[XC43] has no more areas or spans in one operation than may be', () => {
    const before = begun(24_000);
    const spans = (from: number) =>
      Array.from({ length: 10_000 }, (_, at) => [from + at * 2, from + at * 2] as const);
    const made: CellOperation[] = [1, 3_999].map((from) => ({
      ...{ op: 'lines', sheet, axis: 'row', spans: spans(from), patch: { filtered: true } },
    }));
    const several: CellOperation = { op: 'several', operations: made };
    const after = done(before, several);
    const back = inverseOf([{ operation: several, document: before }], after);
    expect(back.length).toBeGreaterThan(1);
    for (const operation of back) expect(readOperation(operation)).not.toBeNull();
    expect([...done(after, ...back).sheets[0]!.grid.rows()].some(([, { line }]) => line.filtered)).toBe(
      false,
    );
  });
});

describe('what takes back what cells hold', () => {
  const clear: CellOperation = { op: 'clear', sheet, areas: [[0, 0, 1_048_575, 9]], part: 'content' };
  const contentsOf = (workbook: Workbook) =>
    [...workbook.sheets[0]!.grid.rows()].flatMap(([row, { columns, cells }]) =>
      cells.map(({ value, formula }, at) => [row, columns[at], value, formula?.text ?? null]),
    );
  const backOf = (operation: CellOperation, before: Workbook, after: Workbook) =>
    inverseOf([{ operation, document: before }], after);

  it('[XC48] is blocks of cells, or areas of empty ones, however many they are: with formulas, rich texts and errors', () => {
    const rich = { r: [{ t: 'rich', font: { bold: true } }] };
    const before = done(begun(2_000), {
      ...{ op: 'set', sheet },
      cells: [
        [3, 2, { f: 'A1*2', v: 7 }],
        [3, 3, { v: rich as never }],
        [4, 3, { v: { e: '#N/A' } as never }],
        [7, 0, { v: null }],
        [8, 9, { v: false }],
        [9, 9, { v: '' }],
      ],
    });
    const after = done(before, clear);
    const back = backOf(clear, before, after);
    // The row whose first cell holds nothing begins elsewhere.
    expect(back.map(({ op }) => op)).toEqual(['set', 'block']);
    expect(JSON.stringify(back).length).toBeLessThan(7 * 20_000);
    for (const operation of back) expect(readOperation(operation)).not.toBeNull();
    const restored = done(after, ...back);
    expect(contentsOf(restored)).toEqual(contentsOf(before));
    const again = inverseOf(
      back.map((operation, at) => ({ operation, document: done(after, ...back.slice(0, at)) })),
      restored,
    );
    expect(again.map(({ op }) => op)).toEqual(['clear']);
    expect(contentsOf(done(restored, ...again))).toEqual(contentsOf(after));
  });

  it('[XC48] is a set where cells lie here and there, and no more operations than may be', () => {
    const few: CellOperation = {
      op: 'set',
      sheet,
      cells: [1, 40, 9].map((row) => [row, row % 7, { v: 'x' }]),
    };
    const before = begun(0);
    expect(backOf(few, before, done(before, few)).map(({ op }) => op)).toEqual(['set']);
    // Of each ten rows the first holds something, in blocks of their own.
    const rows = Array.from({ length: 3_000 }, (_, row) => (row % 10 === 0 ? new Array(20).fill(row) : []));
    const apart: CellOperation = { op: 'block', sheet, row: 0, column: 0, rows };
    const filled = done(before, apart);
    const back = backOf({ ...clear, areas: [[0, 0, 2_999, 19]] }, filled, before);
    expect(back.length).toBe(65);
    expect(contentsOf(done(before, ...back))).toEqual(contentsOf(filled));
  });

  it('[XC48] leaves alone what others have put into some of the cells', () => {
    const before = begun(100);
    const after = done(before, clear);
    const other: CellOperation = { op: 'set', sheet, cells: [[50, 4, { v: 'theirs' }]] };
    const later = done(after, other);
    const made = backOf(clear, before, after).map((operation) => ({ operation, document: after }));
    const { document, made: became } = new Rebase(effectsOf(other), later).made(made);
    expect(became.map((one) => one?.operation.op)).toEqual(['block']);
    const { grid } = document.sheets[0]!;
    expect([grid.cell(50, 3).value, grid.cell(50, 4).value, grid.cell(50, 5).value]).toEqual([
      53,
      'theirs',
      55,
    ]);
  });
});
