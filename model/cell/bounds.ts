import { type Area, lastColumn, sizeOf } from './area.ts';
import { CELL_LIMITS } from './limits.ts';
import type { CellOperation } from './operations.ts';
import { type Sheet, sheetOf, type Workbook } from './workbook.ts';

/** What keeps operations from asking more of a replica than it has: memory, or time. All replicas count alike. */

const itemCount = ({ items }: Pick<Workbook | Sheet, 'items'>): number =>
  Object.values(items as Readonly<Record<string, ReadonlyMap<string, unknown>>>).reduce(
    (sum, { size }) => sum + size,
    0,
  );

/** Cells, rows and items of a sheet. */
export const weightOfSheet = (sheet: Sheet): number => sheet.grid.weight + itemCount(sheet);

const weightOfSheets = (sheets: readonly Sheet[]): number =>
  sheets.reduce((sum, sheet) => sum + weightOfSheet(sheet), 0);

/** Whether an operation has made a workbook larger than one may be. */
export function isTooHeavy(before: Workbook, after: Workbook): boolean {
  if (before.sheets === after.sheets) return false;
  const weight = weightOfSheets(after.sheets);
  return weight > CELL_LIMITS.kept && weight > weightOfSheets(before.sheets) + CELL_LIMITS.keptBeyond;
}

/** What the cells and rows of a sheet may come to, beside all the others. */
export function roomIn(workbook: Workbook, sheet: Sheet): number {
  const room = Math.max(CELL_LIMITS.keptBeyond, CELL_LIMITS.kept - weightOfSheets(workbook.sheets));
  return sheet.grid.weight + room;
}

/** Rows and cells of a sheet that have to be looked at for areas of it. */
export function reachOf({ grid }: Sheet, areas: readonly Area[]): number {
  return areas.reduce((sum, area) => {
    const rows = Math.max(0, Math.min(area[2], grid.height - 1) - area[0] + 1);
    return sum + rows + Math.min(sizeOf(area), grid.weight);
  }, 0);
}

/** Whether areas of a sheet can be looked through: all of the sheet, and some more where they overlap. */
export const isInReach = (sheet: Sheet, areas: readonly Area[]): boolean =>
  reachOf(sheet, areas) <= CELL_LIMITS.cellsPerOperation + sheet.grid.height + sheet.grid.weight;

/** How many cells and items an operation among others writes or looks through, where that is not bounded by its text. */
export function workOf(workbook: Workbook, operation: CellOperation): number {
  switch (operation.op) {
    case 'fill':
      return sizeOf(operation.to);
    case 'clear':
    case 'format': {
      const sheet = sheetOf(workbook, operation.sheet);
      const isWhole = ([, c1, , c2]: Area) => c1 === 0 && c2 === lastColumn;
      const written = operation.op === 'clear' ? [] : operation.areas.filter((area) => !isWhole(area));
      const cells = written.reduce(
        (sum, area) => sum + Math.min(sizeOf(area), CELL_LIMITS.cellsPerOperation),
        0,
      );
      return cells + (sheet ? reachOf(sheet, operation.areas) : 0);
    }
    case 'lines':
      return operation.spans.reduce((sum, [from, to]) => sum + to - from + 1, 0);
    case 'insert':
    case 'delete':
    case 'move':
    case 'moveCells':
    case 'sort': {
      // References in items follow everywhere; of cells, those of a row that moves as a whole are not looked at.
      const items = workbook.sheets.reduce((sum, sheet) => sum + itemCount(sheet), itemCount(workbook));
      const isByRows =
        'axis' in operation && operation.axis === 'row' && !('band' in operation && operation.band);
      const sheet = sheetOf(workbook, operation.sheet);
      const count = 'count' in operation ? operation.count : 0;
      return items + count + (isByRows || !sheet ? 0 : sheet.grid.weight);
    }
    case 'addSheet':
    case 'removeSheet':
    case 'restoreSheet':
    case 'sheet':
      return workbook.sheets.reduce((sum, sheet) => sum + itemCount(sheet), itemCount(workbook));
    default:
      return 0;
  }
}
