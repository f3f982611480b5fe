import type { CellOperation } from '../../model/cell/operations.ts';

/** What is not of one sheet: names, the order of sheets, the workbook itself. */
const workbookElement = 'workbook';

/** The elements that an operation changes, as strict mode locks them: sheets as a whole, and the workbook. */
export function* touchedIds(operation: CellOperation): Iterable<string> {
  switch (operation.op) {
    case 'several':
      for (const one of operation.operations) yield* touchedIds(one);
      break;
    case 'nothing':
    case 'recalculate':
      break;
    case 'workbook':
    case 'addSheet':
    case 'removeSheet':
    case 'restoreSheet':
    case 'moveSheet':
      yield workbookElement;
      break;
    case 'moveCells':
      yield operation.sheet;
      if (operation.toSheet !== operation.sheet) yield operation.toSheet;
      break;
    default:
      yield operation.sheet ?? workbookElement;
  }
}
