import type { CellOperation } from '../../../model/cell/operations.ts';
import { hasCells, isLeftOpen } from '../../../model/cell/protection.ts';
import { sheetOf, type Workbook } from '../../../model/cell/workbook.ts';
import type { SkipReason } from '../../../model/log/change.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';

/** Says why operations were not made; `refusal` is null where somebody holds their sheet. */
export function tellRefusal(
  workbook: Workbook,
  operations: readonly CellOperation[],
  refusal: SkipReason | null,
): void {
  // Without a protection in the way it is something that is kept from this person.
  if (refusal === 'not-allowed' && operations.some((operation) => !isLeftOpen(workbook, operation))) {
    tellProtected(workbook, operations);
    return;
  }
  notify({ text: t(sentenceFor(workbook, operations, refusal)), kind: 'warning', topic: 'sheet-refused' });
}

function sentenceFor(
  workbook: Workbook,
  operations: readonly CellOperation[],
  refusal: SkipReason | null,
):
  | 'sheet.tooMuchAtOnce'
  | 'sheet.workbookTooLarge'
  | 'sheet.wouldFallOff'
  | 'sheet.tablesTorn'
  | 'sheet.refused' {
  switch (refusal) {
    case 'too-large':
      return 'sheet.tooMuchAtOnce';
    case 'document-too-large':
      return 'sheet.workbookTooLarge';
    case 'out-of-range':
      return operations.some((one) => needsRoom(workbook, one)) ? 'sheet.wouldFallOff' : 'sheet.refused';
    case 'invalid-content':
      return operations.some(({ op }) => movers.has(op)) ? 'sheet.tablesTorn' : 'sheet.refused';
    default:
      return 'sheet.refused';
  }
}

/** What moves cells, which tables cannot always follow. */
const movers: ReadonlySet<CellOperation['op']> = new Set(['insert', 'delete', 'moveCells']);

/** Whether it takes cells to where a sheet may be at its end. */
const needsRoom = (workbook: Workbook, operation: CellOperation): boolean =>
  operation.op === 'insert' ||
  (operation.op === 'moveCells' && sheetOf(workbook, operation.toSheet) !== undefined);

/** Says that a protection does not leave something to people, and which one it is. */
export function tellProtected(workbook: Workbook, operations: readonly CellOperation[]): void {
  const refused = operations.filter((operation) => !isLeftOpen(workbook, operation));
  const isOfKept = refused.some((operation) => isOnKept(workbook, operation));
  const isOfBook = refused.some(isOnSheets);
  const text = t(isOfKept ? 'sheet.keptAsItIs' : isOfBook ? 'rules.structureProtected' : 'rules.unlockFirst');
  notify({ text, kind: 'warning', topic: 'sheet-protection' });
}

/** Whether it adds, removes, names, moves or hides sheets. */
const isOnSheets = ({ op }: CellOperation): boolean =>
  op.endsWith('Sheet') || op === 'sheet' || op === 'workbook';

/** Whether it would change a sheet that has no cells here. */
function isOnKept(workbook: Workbook, operation: CellOperation): boolean {
  if (!('sheet' in operation) || operation.sheet === null) return false;
  if (isOnSheets(operation) && workbook.properties.protected === true) return false;
  const sheet = sheetOf(workbook, operation.sheet);
  return sheet !== undefined && !hasCells(sheet);
}
