import { lastColumn } from './area.ts';
import { filters, hiddenOf } from './calculated-contents.ts';
import { type Cell, isCalculated, sameValue } from './cell.ts';
import type { CellOrigins, SheetOrigin } from './cell-origins.ts';
import { FormulaComparison } from './formula/formula-comparison.ts';
import type { FormulaPlace } from './formula/formula-reads.ts';
import { cellIn, emptyRow, type Row } from './row.ts';
import { isTelling } from './row-matches.ts';
import type { Sheet, Workbook } from './workbook.ts';

/** Tells what differs between two versions of a workbook in the places of the later one. */
export class MovedDifferences {
  readonly #before: Workbook;
  readonly #after: Workbook;
  readonly #origins: CellOrigins;
  readonly #formulas: FormulaComparison;

  constructor(before: Workbook, after: Workbook, origins: CellOrigins) {
    [this.#before, this.#after, this.#origins] = [before, after, origins];
    this.#formulas = new FormulaComparison(before, after, origins);
  }

  /** Whether a row is hidden that was not, or the other way round, or for another reason. */
  areRowsHiddenOtherwise(): boolean {
    return this.#after.sheets.some((sheet, at) => {
      const origin = this.#origins.sheets[at]!;
      if (!origin) return false;
      const before = this.#before.sheets[origin.sheet]!;
      const [wasFiltering, isFiltering] = [filters(before), filters(sheet)];
      const isOther = (one: Row, other: Row) => hiddenOf(one, wasFiltering) !== hiddenOf(other, isFiltering);
      return (
        some(sheet.grid.rows(), ([place, row]) => {
          const was = origin.rows.originOf(place);
          return was !== undefined && isOther(before.grid.row(was) ?? emptyRow, row);
        }) ||
        some(before.grid.rows(), ([place, row]) => {
          const now = origin.rows.placeOf(place);
          return now !== undefined && isOther(row, sheet.grid.row(now) ?? emptyRow);
        })
      );
    });
  }

  /** Cells that hold something else than where they come from, or that come from nowhere and hold something. */
  *cells(): Generator<FormulaPlace> {
    for (const [number, sheet] of this.#after.sheets.entries()) {
      const origin = this.#origins.sheets[number]!;
      for (const [place, row] of sheet.grid.rows()) {
        const earlier = origin && this.#earlierRow(origin, place);
        for (let at = 0; at < row.columns.length; at++) {
          const cell = row.cells[at]!;
          const isSame =
            earlier && this.#isSame(cell, { sheet: number, row: place, column: row.columns[at]! }, earlier);
          if (isTelling(cell) && !isSame) yield { sheet: number, row: place, column: row.columns[at]! };
        }
      }
      if (origin) yield* this.#emptied(number, sheet, origin);
    }
  }

  /** The row that one was, if it was any. */
  #earlierRow(origin: SheetOrigin, row: number): EarlierCells | null {
    const place = origin.rows.originOf(row);
    if (place === undefined) return null;
    return { origin, place, row: this.#before.sheets[origin.sheet]!.grid.row(place) };
  }

  #isSame(cell: Cell, place: FormulaPlace, { origin, place: row, row: earlier }: EarlierCells): boolean {
    const column = origin.columns.originOf(place.column);
    if (column === undefined) return false;
    const was = cellIn(earlier, column);
    if (!sameValue(cell.value, was.value) || isCalculated(cell) !== isCalculated(was)) return false;
    return (
      !isCalculated(cell) ||
      this.#formulas.isSame(
        { what: cell.formula!, place },
        { what: was.formula!, place: { sheet: origin.sheet, row, column } },
      )
    );
  }

  /** Cells that hold nothing any more. */
  *#emptied(number: number, { grid }: Sheet, { sheet, rows, columns }: SheetOrigin): Generator<FormulaPlace> {
    const areColumnsStill = columns.isStill(lastColumn);
    for (const [place, earlier] of this.#before.sheets[sheet]!.grid.rows()) {
      const row = rows.placeOf(place);
      if (row === undefined) continue;
      const later = grid.row(row);
      if (later === earlier && areColumnsStill) continue;
      for (let at = 0; at < earlier.columns.length; at++) {
        const column = columns.placeOf(earlier.columns[at]!);
        if (column === undefined || !isTelling(earlier.cells[at]!)) continue;
        if (!isTelling(cellIn(later, column))) yield { sheet: number, row, column };
      }
    }
  }
}

/** What a row of the later version was. */
interface EarlierCells {
  readonly origin: SheetOrigin;
  readonly place: number;
  readonly row: Row | undefined;
}

function some<T>(all: Iterable<T>, is: (one: T) => boolean): boolean {
  for (const one of all) if (is(one)) return true;
  return false;
}
