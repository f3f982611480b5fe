import { applyOperation } from '../change.ts';
import type { CellOperation } from '../operations.ts';
import type { Workbook } from '../workbook.ts';

/** A workbook after operations, each of which has to be taken. @throws Error that says which one was not, and why */
export const changedWorkbook = (
  workbook: Workbook,
  ...operations: readonly (CellOperation | readonly CellOperation[])[]
): Workbook =>
  operations.flat().reduce((current, operation) => {
    const next = applyOperation(current, operation);
    if (typeof next === 'string') throw new Error(`${JSON.stringify(operation)}: ${next}`);
    return next;
  }, workbook);
