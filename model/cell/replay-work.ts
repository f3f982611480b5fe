import { type Area, lastColumn, lastRow, sizeOf } from './area.ts';
import { CELL_LIMITS } from './limits.ts';

/** So many cells that are written are about as much work as one that is typed, with all that belongs to a change. */
const cellsAtOnce = 250;
/** What may look through a sheet, or through all formulas: how much that is depends on the workbook. */
const throughSheet = 100;
/** What has others asked for its name. */
const named = 10;
/** The most that an operation counts: what several may be together. */
const most = CELL_LIMITS.cellsPerSeveral / cellsAtOnce;

/** How a change names its operation, within so many characters. */
const firstOperation = /"s":\{"op":"(\w+)",/;
const beginningCharacters = 500;

type Fields = Readonly<Record<string, unknown>>;

/**
 * About how much work an operation is for every replica, where a cell that is typed is 1. Only the operation is looked at, so that a
 * server can tell that has no workbook: for what it looks through in the workbook this is a guess. Total: takes any JSON.
 */
export const replayWork = (operation: unknown): number =>
  Math.min(most, Math.max(1, Math.ceil(workOf(fieldsOf(operation)))));

/**
 * The same of the text of a change that is too long to be read. Where it is plainly one operation that writes cells one by one, its length
 * tells the rest. Nothing behind its beginning may make another one of it, nor be written so that it could.
 */
export function replayWorkUnread(text: string): number {
  const begun = firstOperation.exec(text.slice(0, beginningCharacters));
  if (!begun || text.includes('"op"', begun.index + begun[0].length) || text.includes('\\u00')) return most;
  const isOfCells = begun[1] === 'set' || begun[1] === 'block';
  return isOfCells ? 1 : CELL_LIMITS.cellsPerOperation / cellsAtOnce;
}

function workOf({ op, ...fields }: Fields): number {
  switch (op) {
    case 'fill':
      return cellsIn([fields.to]) / cellsAtOnce;
    case 'format':
      return (
        cellsIn(listOf(fields.areas).filter((area) => !isWhole(area))) / cellsAtOnce +
        (listOf(fields.areas).some(isWhole) ? throughSheet : 0)
      );
    case 'clear':
      return Math.min(throughSheet, cellsIn(listOf(fields.areas)) / cellsAtOnce);
    case 'lines':
      return cellsIn(listOf(fields.spans).map(asArea)) / cellsAtOnce;
    case 'insert':
    case 'delete':
      // Formulas follow any number of whole rows at once.
      return fields.axis === 'row' && fields.band === undefined ? 1 : throughSheet;
    case 'move':
    case 'moveCells':
    case 'sort':
    case 'removeSheet':
    case 'restoreSheet':
      return throughSheet;
    case 'addSheet':
      return fields.copyOf === undefined ? named : throughSheet;
    case 'sheet':
      return fieldsOf(fields.patch).name === undefined ? 1 : throughSheet;
    case 'put':
    case 'patch':
    case 'drop':
      return fields.kind === 'name' || fields.kind === 'table' ? named : 1;
    case 'several':
      return listOf(fields.operations).reduce((sum: number, one) => sum + replayWork(one), 0);
    default:
      return 1;
  }
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const isArea = (value: unknown): value is Area =>
  Array.isArray(value) && value.length === 4 && value.every((place) => typeof place === 'number');

/** Lines as cells of one column. */
const asArea = (span: unknown): unknown => {
  const [from, to] = listOf(span);
  return [from, 0, to, 0];
};

const isWhole = (value: unknown): boolean =>
  isArea(value) && ((value[0] === 0 && value[2] === lastRow) || (value[1] === 0 && value[3] === lastColumn));

const cellsIn = (areas: readonly unknown[]): number =>
  areas.reduce((sum: number, area) => {
    const size = isArea(area) ? sizeOf(area) : 0;
    return size > 0 ? sum + Math.min(size, CELL_LIMITS.cellsPerOperation) : sum;
  }, 0);
