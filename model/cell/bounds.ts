import { type Area, lastColumn, sizeOf } from './area.ts';
import type { FormulaJson } from './formula/formula.ts';
import type { Item, ItemKind } from './items.ts';
import { CELL_LIMITS } from './limits.ts';
import type {
  CellOperation,
  ChangeDrawnChart,
  ChangeItem,
  PutItem,
  RemoveItem,
  SetBlock,
  SetCells,
} from './operations.ts';
import { type Items, type Sheet, sheetOf, type Workbook } from './workbook.ts';

/** What keeps operations from asking more of a replica than it has: memory, or time. All replicas count alike. */

const itemCount = ({ items }: Pick<Workbook | Sheet, 'items'>): number =>
  Object.values(items as Readonly<Record<string, ReadonlyMap<string, unknown>>>).reduce(
    (sum, { size }) => sum + size,
    0,
  );

const itemsOfAll = (workbook: Workbook): number =>
  workbook.sheets.reduce((sum, sheet) => sum + itemCount(sheet), itemCount(workbook));

/** So many formulas of cells that follow cost what one cell does that is written; an item that follows costs as much as some cells. */
const formulasPerCell = 10;
const cellsPerItem = 8;

/**
 * What it costs that everything follows which may name cells, sheets or names: an item is read at once, and a formula of a cell when
 * its row is looked at the next time.
 */
const followWork = (workbook: Workbook): number =>
  itemsOfAll(workbook) * cellsPerItem + formulaWork(workbook);

/** The part of it that is the formulas of cells. */
export function formulaWork({ sheets }: Workbook): number {
  const formulas = sheets.reduce((sum, { grid }) => sum + grid.formulaCount, 0);
  return Math.ceil(formulas / formulasPerCell);
}

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
function reachOf({ grid }: Sheet, areas: readonly Area[]): number {
  return areas.reduce((sum, area) => {
    const rows = Math.max(0, Math.min(area[2], grid.height - 1) - area[0] + 1);
    return sum + rows + Math.min(sizeOf(area), grid.weight);
  }, 0);
}

/** Whether areas of a sheet can be looked through: all of the sheet, and some more where they overlap. */
export const isInReach = (sheet: Sheet, areas: readonly Area[]): boolean =>
  reachOf(sheet, areas) <= CELL_LIMITS.cellsPerOperation + sheet.grid.height + sheet.grid.weight;

/** How many cells the formulas fill that an operation enters: those of arrays, and that spill, fill more than their own. */
export function filledCells(operation: SetCells | SetBlock): number {
  let count = 0;
  const take = (f: FormulaJson | undefined) => {
    if (typeof f === 'object') count += f.a[1] * f.a[2];
  };
  if (operation.op === 'set') for (const [, , { f }] of operation.cells) take(f);
  else
    for (const inputs of operation.rows)
      for (const input of inputs) if (typeof input === 'object') take(input?.f);
  return count;
}

/** How many cells and items an operation among others writes or looks through, where that is not bounded by its text. */
export function workOf(workbook: Workbook, operation: CellOperation): number {
  switch (operation.op) {
    case 'set':
    case 'block':
      return filledCells(operation) + headingsOf(workbook, operation.sheet);
    case 'fill':
      return sizeOf(operation.to) + headingsOf(workbook, operation.sheet);
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
      const others = operation.op === 'sort' ? itemsOfAll(workbook) : followWork(workbook);
      const isByRows =
        'axis' in operation && operation.axis === 'row' && !('band' in operation && operation.band);
      const sheet = sheetOf(workbook, operation.sheet);
      const count = 'count' in operation ? operation.count : 0;
      return others + count + (isByRows || !sheet ? 0 : sheet.grid.weight);
    }
    case 'put':
    case 'patch':
    case 'drop':
    case 'chart':
      return workOnItem(workbook, operation);
    case 'addSheet':
    case 'restoreSheet':
      return itemsOfAll(workbook);
    case 'removeSheet':
      return followWork(workbook);
    case 'sheet':
      return operation.patch.name === undefined ? itemsOfAll(workbook) : followWork(workbook);
    default:
      return 0;
  }
}

/** Tables whose headings may be among the cells of a sheet that are written. */
const headingsOf = (workbook: Workbook, id: string): number => sheetOf(workbook, id)?.items.table?.size ?? 0;

/** An item comes into a new list of all of its kind; one that is changed is read again, and where it gets another name all are asked. */
function workOnItem(
  workbook: Workbook,
  operation: PutItem | ChangeItem | RemoveItem | ChangeDrawnChart,
): number {
  const { sheet, id } = operation;
  const kind = operation.op === 'chart' ? 'drawing' : operation.kind;
  const holder = sheet === null ? workbook : sheetOf(workbook, sheet);
  const items = (holder?.items as Items<ItemKind> | undefined)?.[kind];
  const given = operation.op === 'put' ? operation.item : operation.op === 'patch' ? operation.patch : {};
  const isNamed = (kind === 'name' || kind === 'table') && 'name' in given;
  const isRenamed = isNamed && items?.has(id) === true;
  const others = isRenamed ? followWork(workbook) : isNamed ? itemsOfAll(workbook) : (items?.size ?? 0);
  const isReadAgain = operation.op === 'patch' || operation.op === 'chart';
  return others + (isReadAgain ? piecesOf(items?.get(id)) : 0);
}

const pieces = new WeakMap<Item, number>();

/** How many values an item has in it. */
function piecesOf(item: Item | undefined): number {
  if (!item) return 0;
  const known = pieces.get(item) ?? countOf(item);
  pieces.set(item, known);
  return known;
}

const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, part) => sum + countOf(part), 1)
    : 1;
