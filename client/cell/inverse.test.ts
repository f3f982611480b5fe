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
