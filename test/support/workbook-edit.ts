import { filledAreas, isSheetOfCells } from '../../bench/support/workbook-trial.ts';
import { type Area, contains } from '../../model/cell/area.ts';
import type { CellOperation } from '../../model/cell/operations.ts';
import { isLeftOpen } from '../../model/cell/protection.ts';
import { itemsOf, type Sheet, type Workbook } from '../../model/cell/workbook.ts';

/** One cell that somebody sets. */
export interface WorkbookEdit {
  /** Which of the sheets. */
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
  readonly value: string | number;
  readonly operation: CellOperation;
}

/** The first number that may be changed, so that formulas follow; else a text below all cells; null where all is protected. */
export function workbookEdit(workbook: Workbook): WorkbookEdit | null {
  for (const placesOf of [numbersOf, placeBelow])
    for (const [index, sheet] of workbook.sheets.entries())
      for (const [row, column, value] of isSheetOfCells(sheet) ? placesOf(sheet) : []) {
        const operation: CellOperation = { op: 'set', sheet: sheet.id, cells: [[row, column, { v: value }]] };
        if (isLeftOpen(workbook, operation)) return { sheet: index, row, column, value, operation };
      }
  return null;
}

type Place = readonly [row: number, column: number, value: string | number];

function* numbersOf(sheet: Sheet): Generator<Place> {
  const merged = [...itemsOf(sheet, 'merge').values()].map(({ area }) => area);
  const taken: Area[] = [...filledAreas(sheet), ...merged];
  for (const [row, { cells, columns }] of sheet.grid.rows())
    for (const [at, { value, formula }] of cells.entries()) {
      const column = columns[at]!;
      if (typeof value !== 'number' || formula || value + 1 === value) continue;
      if (taken.some((area) => contains(area, [row, column, row, column]))) continue;
      yield [row, column, value + 1];
    }
}

function* placeBelow({ grid }: Sheet): Generator<Place> {
  yield [grid.lastRow + 2, 0, 'Quire <&> here'];
}
