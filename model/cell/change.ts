import { decodeEnvelope, encodeEnvelope, type SkipReason } from '../log/change.ts';
import {
  authorOf,
  type ChangeAuthor,
  type LogEntry,
  notAllowed,
  textOf,
  type WithheldAct,
} from '../log/change-author.ts';
import type { Applied } from '../log/kind-model.ts';
import { clearCells, fillCells, formatCells, setBlock, setCells } from './apply-cells.ts';
import { changeChart, changeItem } from './apply-items.ts';
import {
  addSheet,
  changeSheet,
  changeWorkbook,
  moveSheet,
  removeSheet,
  restoreSheet,
} from './apply-sheets.ts';
import { changeLines, deleteLines, insertLines, moveCells, moveLines, sortLines } from './apply-structure.ts';
import { isTooHeavy } from './bounds.ts';
import { withoutGoneColumns } from './gone-columns.ts';
import { CELL_LIMITS } from './limits.ts';
import { readOperation } from './operation-json.ts';
import type { CellOperation, ChangeItem, PutItem, RemoveItem, Several } from './operations.ts';
import { isLeftOpen } from './protection.ts';
import { SeveralWork } from './several-work.ts';
import { followHeadings } from './table-headings.ts';
import { followTotals } from './table-totals.ts';
import { sheetOf, type Workbook } from './workbook.ts';

/** The text of a change. @param number rises with every change of a client */
export function encodeChange(clientId: string, operation: CellOperation, number?: number): string {
  return encodeEnvelope({ clientId, number, step: operation });
}

/** The workbook after one change of the log, or why the change is skipped. Total and deterministic: never throws. */
export function applyChange(workbook: Workbook, entry: LogEntry): Workbook | SkipReason {
  const change = decodeEnvelope(textOf(entry));
  if (typeof change === 'string') return change;
  const applied = applyStep(workbook, change.step, authorOf(entry));
  return typeof applied === 'string' ? applied : applied.doc;
}

/** Reads an operation and applies it, or says why it is skipped. Total and deterministic: never throws. */
export function applyStep(
  workbook: Workbook,
  json: unknown,
  author: ChangeAuthor | null,
): Applied<Workbook, CellOperation> | SkipReason {
  try {
    const operation = readOperation(json);
    if (!operation) return 'unknown-step';
    const after = applyOperation(workbook, operation, author);
    return typeof after === 'string' ? after : { doc: after, step: operation };
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
  if (author?.mayNot?.some((act) => isAct(operation, act))) return notAllowed;
  if (!isLeftOpen(workbook, operation)) return notAllowed;
  const after = applied(workbook, operation, author);
  if (typeof after === 'string') return after;
  if (isTooHeavy(workbook, after)) return 'document-too-large';
  if (!operation.when) return after;
  const [timeMs, seed] = operation.when;
  const region = workbook.volatile.region ?? operation.region;
  return { ...after, volatile: { timeMs, seed, ...(region !== undefined && { region }) } };
}

/** Who may not edit may comment, where that is granted; whose comments, `changeItem` says. */
function mayMake(operation: CellOperation, { may }: ChangeAuthor): boolean {
  // The moment by which everybody calculates is of the workbook, also beside several operations, or none.
  if (operation.when !== undefined) return false;
  if (operation.op === 'several') return operation.operations.every((one) => mayMake(one, { name: '', may }));
  const isOnComment =
    (operation.op === 'put' || operation.op === 'patch' || operation.op === 'drop') &&
    operation.kind === 'comment';
  return isOnComment && may!.includes('comment');
}

/** Whether an operation protects or lifts a protection, or filters; of `several` each part is judged for itself. */
function isAct(operation: CellOperation, act: WithheldAct): boolean {
  switch (operation.op) {
    case 'sheet':
      return act === 'protect' && operation.patch.protection !== undefined;
    case 'workbook': {
      const { protected: isProtected, structureKey } = operation.patch;
      return act === 'protect' && (isProtected !== undefined || structureKey !== undefined);
    }
    case 'lines':
      return act === 'filter' && operation.patch.filtered !== undefined;
    case 'put':
    case 'patch':
    case 'drop':
      return act === 'protect' ? operation.kind === 'openRange' : isAboutFilter(operation);
    default:
      return false;
  }
}

function isAboutFilter(operation: PutItem | ChangeItem | RemoveItem): boolean {
  if (operation.kind === 'filter') return true;
  if (operation.kind !== 'table') return false;
  const fields = operation.op === 'put' ? operation.item : operation.op === 'patch' ? operation.patch : {};
  return 'filter' in fields && fields.filter !== undefined;
}

/** Operations that one sheet has to be there for. */
type SheetOperation = Exclude<
  CellOperation,
  | { op: 'addSheet' | 'restoreSheet' | 'workbook' | 'several' | 'recalculate' | 'nothing' }
  | { op: 'put' | 'patch' | 'drop' }
>;

function applied(
  workbook: Workbook,
  operation: CellOperation,
  author: ChangeAuthor | null,
): Workbook | SkipReason {
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
    case 'several':
      return appliedInTurn(workbook, operation, author);
    case 'recalculate':
    case 'nothing':
      return workbook;
    default:
      return appliedToSheet(workbook, operation);
  }
}

/** Each that applies, one on the other; the reason of the first that does not, where none does. */
function appliedInTurn(
  workbook: Workbook,
  { operations }: Several,
  author: ChangeAuthor | null,
): Workbook | SkipReason {
  let current = workbook;
  let first: SkipReason | null = null;
  let work = 0;
  const several = new SeveralWork();
  for (const one of operations) {
    work += several.of(current, one);
    if (work > CELL_LIMITS.cellsPerSeveral) return 'too-large';
    const after = applyOperation(current, one, author);
    // What is not allowed in part is not allowed: half of it could do something else.
    if (after === notAllowed) return notAllowed;
    if (typeof after === 'string') first ??= after;
    else current = after;
  }
  return current === workbook && first !== null ? first : current;
}

function appliedToSheet(workbook: Workbook, operation: SheetOperation): Workbook | SkipReason {
  const sheet = sheetOf(workbook, operation.sheet);
  if (!sheet) return 'out-of-range';
  const told = (after: Workbook | SkipReason, other = sheet.id) =>
    typeof after === 'string'
      ? after
      : [...new Set([sheet.id, other])].reduce(
          (now, id) => followTotals(workbook, followHeadings(workbook, now, id), id),
          after,
        );
  const taken = (after: Workbook | SkipReason) =>
    typeof after === 'string' ? after : withoutGoneColumns(workbook, after);
  switch (operation.op) {
    case 'set':
      return told(setCells(workbook, sheet, operation));
    case 'block':
      return told(setBlock(workbook, sheet, operation));
    case 'clear': {
      const after = clearCells(workbook, sheet, operation);
      return typeof after === 'string' ? after : followTotals(workbook, after, sheet.id);
    }
    case 'fill':
      return told(fillCells(workbook, sheet, operation));
    case 'format':
      return formatCells(workbook, sheet, operation);
    case 'insert':
      return insertLines(workbook, sheet, operation);
    case 'delete':
      return taken(deleteLines(workbook, sheet, operation));
    case 'move':
      return moveLines(workbook, sheet, operation);
    case 'moveCells':
      return told(taken(moveCells(workbook, sheet, operation)), operation.toSheet);
    case 'sort':
      return told(sortLines(workbook, sheet, operation));
    case 'lines':
      return changeLines(workbook, sheet, operation);
    case 'removeSheet':
      return taken(removeSheet(workbook, sheet, operation));
    case 'moveSheet':
      return moveSheet(workbook, sheet, operation);
    case 'sheet':
      return changeSheet(workbook, sheet, operation);
    case 'chart':
      return changeChart(workbook, sheet, operation);
  }
}
