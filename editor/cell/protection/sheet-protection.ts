import type { Area } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf, type Sheet, type SheetAct, sheetOf, type Workbook } from '../../../model/cell/workbook.ts';
import { intersectionOf } from '../grid/cell-range.ts';
import { rangeOfArea } from '../shown/sheet-view.ts';

/** So many cells are looked at one by one; a larger area of a protected sheet is not free throughout. */
const mostCells = 100_000;

/** Whether the protection of sheets lets all of some operations be made. */
export const mayChange = (workbook: Workbook, operations: readonly CellOperation[]): boolean =>
  operations.every((operation) => isAllowed(workbook, operation));

function isAllowed(workbook: Workbook, operation: CellOperation): boolean {
  switch (operation.op) {
    case 'addSheet':
    case 'removeSheet':
    case 'restoreSheet':
    case 'moveSheet':
      return workbook.properties.protected !== true;
    case 'sheet': {
      const { name, state, color } = operation.patch;
      const isOfBook = name !== undefined || state !== undefined || color !== undefined;
      return !isOfBook || workbook.properties.protected !== true;
    }
    case 'several':
      return mayChange(workbook, operation.operations);
    case 'workbook':
    case 'recalculate':
    case 'nothing':
      return true;
    default: {
      const sheet = operation.sheet === null ? undefined : sheetOf(workbook, operation.sheet);
      const { protection } = sheet?.properties ?? {};
      return !sheet || !protection || isOpen(workbook, sheet, operation, new Set(protection.allows));
    }
  }
}

/** Whether an operation on the content of a protected sheet is one of those that its protection leaves. */
function isOpen(
  workbook: Workbook,
  sheet: Sheet,
  operation: CellOperation,
  allows: ReadonlySet<SheetAct>,
): boolean {
  switch (operation.op) {
    case 'set':
      return operation.cells.every(([row, column]) => isFree(workbook, sheet, [row, column, row, column]));
    case 'block': {
      const { row, column, rows } = operation;
      const widest = Math.max(1, ...rows.map(({ length }) => length));
      return isFree(workbook, sheet, [row, column, row + rows.length - 1, column + widest - 1]);
    }
    case 'clear':
      return operation.areas.every((area) => isFree(workbook, sheet, area));
    case 'fill':
      return isFree(workbook, sheet, operation.to);
    case 'format':
      return allows.has('formatCells');
    case 'insert':
      return allows.has(operation.axis === 'row' ? 'insertRows' : 'insertColumns');
    case 'delete':
      return allows.has(operation.axis === 'row' ? 'deleteRows' : 'deleteColumns');
    case 'lines':
      if (operation.patch.filtered !== undefined) return allows.has('filter');
      return allows.has(operation.axis === 'row' ? 'formatRows' : 'formatColumns');
    case 'sort':
      return allows.has('sort');
    case 'put':
    case 'patch':
    case 'drop':
      if (operation.kind === 'comment' || operation.kind === 'drawing') return allows.has('objects');
      if (operation.kind === 'filter') return allows.has('filter');
      return operation.kind === 'link' && allows.has('insertLinks');
    default:
      return false;
  }
}

/** Whether all cells of an area may be typed into although the sheet is protected. */
function isFree(workbook: Workbook, sheet: Sheet, area: Area): boolean {
  const open = [...itemsOf(sheet, 'openRange').values()].flatMap(({ areas }) => areas.map(rangeOfArea));
  const { top, left, bottom, right } = rangeOfArea(area);
  if ((bottom - top + 1) * (right - left + 1) > mostCells) return false;
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const one = { top: row, left: column, bottom: row, right: column };
      if (open.some((range) => intersectionOf(range, one))) continue;
      if (isLocked(workbook, sheet, row, column)) return false;
    }
  }
  return true;
}

function isLocked({ formats }: Workbook, { grid, columns }: Sheet, row: number, column: number): boolean {
  const stored = grid.row(row);
  const has = stored?.columns.includes(column) === true;
  const format = has
    ? grid.cell(row, column).format
    : (stored?.line.format ?? columns.at(column).format ?? 0);
  return formats.at(format).protection?.locked !== false;
}
