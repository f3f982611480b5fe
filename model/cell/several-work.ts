import { formulaWork, workOf } from './bounds.ts';
import type { CellOperation, DeleteLines, InsertLines } from './operations.ts';
import type { Workbook } from './workbook.ts';

/** Whole lines that are put in or taken out. */
type LineChange = InsertLines | DeleteLines;

/** So many of these wait for the formulas that follow them; then all formulas follow. */
const mostWaiting = 1_024;

/**
 * What operations come to that are made one after the other. Formulas follow whole rows, or columns, of one sheet that are put in and
 * taken out at once, however many there are: they count for the first of them, and again for each 1,024.
 */
export class SeveralWork {
  /** The last operation that formulas follow, where it is of whole lines. */
  #lines: LineChange | null = null;
  #waiting = 0;

  /** How many cells and items the next operation writes or looks through. */
  of(workbook: Workbook, operation: CellOperation): number {
    const work = workOf(workbook, operation);
    if (isAsideOf(operation)) return work;
    const lines = isOfLines(operation) ? operation : null;
    const before = this.#lines;
    const joins = lines !== null && before?.sheet === lines.sheet && before.axis === lines.axis;
    this.#lines = lines;
    this.#waiting = joins ? (this.#waiting + 1) % mostWaiting : 0;
    return this.#waiting === 0 ? work : work - formulaWork(workbook);
  }
}

const isOfLines = (operation: CellOperation): operation is LineChange =>
  (operation.op === 'insert' || operation.op === 'delete') && !operation.band;

/** Whether no formula follows an operation, whatever its fields are. */
function isAsideOf(operation: CellOperation): boolean {
  switch (operation.op) {
    case 'set':
    case 'block':
    case 'fill':
    case 'clear':
    case 'format':
    case 'lines':
    case 'nothing':
      return true;
    case 'put':
    case 'patch':
    case 'drop':
      return operation.kind !== 'name' && operation.kind !== 'table';
    default:
      return false;
  }
}
