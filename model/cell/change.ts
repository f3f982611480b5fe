import { decodeEnvelope, encodeEnvelope, type SkipReason } from '../log/change.ts';
import { authorOf, type ChangeAuthor, type LogEntry, notAllowed, textOf } from '../log/change-author.ts';
import { clearCells, fillCells, formatCells, setBlock, setCells } from './apply-cells.ts';
import { changeItem } from './apply-items.ts';
import {
  addSheet,
  changeSheet,
  changeWorkbook,
  moveSheet,
  removeSheet,
  restoreSheet,
} from './apply-sheets.ts';
import { changeLines, deleteLines, insertLines, moveCells, moveLines, sortLines } from './apply-structure.ts';
import { readOperation } from './operation-json.ts';
import type { CellOperation } from './operations.ts';
import { sheetOf, type Workbook } from './workbook.ts';

/** The text of a change. @param number rises with every change of a client */
export function encodeChange(clientId: string, operation: CellOperation, number?: number): string {
  return encodeEnvelope({ clientId, number, step: operation });
}

/** The workbook after one change of the log, or why the change is skipped. Total and deterministic: never throws. */
export function applyChange(workbook: Workbook, entry: LogEntry): Workbook | SkipReason {
  const change = decodeEnvelope(textOf(entry));
  if (typeof change === 'string') return change;
  try {
    const operation = readOperation(change.step);
    return operation ? applyOperation(workbook, operation, authorOf(entry)) : 'unknown-step';
  } catch {
    return 'invalid-content';
  }
}

/**
 * The workbook after an operation that was read, or why it does not apply.
 * @param author null: it may be anybody's
 */
export function applyOperation(
  workbook: Workbook,
  operation: CellOperation,
  author: ChangeAuthor | null = null,
): Workbook | SkipReason {
  if (author?.may && !mayMake(operation, author)) return notAllowed;
  const after = applied(workbook, operation, author);
  if (typeof after === 'string' || !operation.when) return after;
  const [timeMs, seed] = operation.when;
  return { ...after, volatile: { timeMs, seed } };
}

/** Who may not edit may comment, where that is granted; whose comments, `changeItem` says. */
function mayMake(operation: CellOperation, { may }: ChangeAuthor): boolean {
  if (operation.op === 'several') return operation.operations.every((one) => mayMake(one, { name: '', may }));
  const isOnComment =
    (operation.op === 'put' || operation.op === 'patch' || operation.op === 'drop') &&
    operation.kind === 'comment';
  return isOnComment && may!.includes('comment') && operation.when === undefined;
}

function applied(
  workbook: Workbook,
  operation: CellOperation,
  author: ChangeAuthor | null,
): Workbook | SkipReason {
  let current = workbook;
  switch (operation.op) {
    case 'addSheet':
      return addSheet(workbook, operation);
    case 'restoreSheet':
      return restoreSheet(workbook, operation);
    case 'put':
    case 'patch':
    case 'drop':
      return changeItem(workbook, operation, author);
    case 'workbook':
      return changeWorkbook(workbook, operation);
    case 'several': {
      const results = operation.operations.map((one) => {
        const after = applyOperation(current, one, author);
        if (typeof after !== 'string') current = after;
        return after;
      });
      const [first] = results;
      return current === workbook && typeof first === 'string' ? first : current;
    }
    case 'recalculate':
    case 'nothing':
      return workbook;
  }
  const sheet = sheetOf(workbook, operation.sheet);
  if (!sheet) return 'out-of-range';
  switch (operation.op) {
    case 'set':
      return setCells(workbook, sheet, operation);
    case 'block':
      return setBlock(workbook, sheet, operation);
    case 'clear':
      return clearCells(workbook, sheet, operation);
    case 'fill':
      return fillCells(workbook, sheet, operation);
    case 'format':
      return formatCells(workbook, sheet, operation);
    case 'insert':
      return insertLines(workbook, sheet, operation);
    case 'delete':
      return deleteLines(workbook, sheet, operation);
    case 'move':
      return moveLines(workbook, sheet, operation);
    case 'moveCells':
      return moveCells(workbook, sheet, operation);
    case 'sort':
      return sortLines(workbook, sheet, operation);
    case 'lines':
      return changeLines(workbook, sheet, operation);
    case 'removeSheet':
      return removeSheet(workbook, sheet, operation);
    case 'moveSheet':
      return moveSheet(workbook, sheet, operation);
    case 'sheet':
      return changeSheet(workbook, sheet, operation);
  }
}
