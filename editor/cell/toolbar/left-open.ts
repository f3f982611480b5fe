import type { SheetAct } from '../../../model/cell/workbook.ts';
import type { CellEditor, DialogName } from '../cell-editor.ts';
import type { ActionName } from '../commands/actions.ts';

type Offered = ActionName | DialogName;

/** What a protected sheet leaves only by one of its acts, or not at all; everything else asks the cells that it changes. */
const acts: readonly (readonly [act: SheetAct | 'none', names: readonly Offered[]])[] = [
  [
    'formatCells',
    [
      ...(['bold', 'italic', 'underline', 'strike', 'alignLeft', 'alignCenter', 'alignRight'] as const),
      ...(['alignTop', 'alignMiddle', 'alignBottom', 'wrap', 'turnUp', 'turnDown', 'turnBack'] as const),
      ...(['indent', 'outdent', 'general', 'number', 'currency', 'accounting', 'percent'] as const),
      ...(['fraction', 'scientific', 'date', 'time', 'dateTime', 'duration', 'plainText'] as const),
      ...(['numberFormat', 'moreDecimals', 'fewerDecimals', 'clearFormats'] as const),
      ...(['bordersAll', 'bordersOuter', 'bordersThick', 'bordersInner', 'bordersNone'] as const),
      ...(['borderTop', 'borderBottom', 'borderLeft', 'borderRight', 'borders'] as const),
    ],
  ],
  ['formatRows', ['hideRows', 'showRows', 'rowHeight', 'fitRows']],
  ['formatColumns', ['hideColumns', 'showColumns', 'columnWidth', 'fitColumns']],
  ['insertRows', ['rowsAbove', 'rowsBelow']],
  ['insertColumns', ['columnsBefore', 'columnsAfter']],
  ['deleteRows', ['deleteRows']],
  ['deleteColumns', ['deleteColumns']],
  ['insertLinks', ['link']],
  ['sort', ['sortRising', 'sortFalling', 'sortBy']],
  ['filter', ['filterAgain']],
  ['objects', ['insertChart', 'editChart', 'picture', 'drawing', 'drawingToFront', 'drawingToBack']],
  [
    'none',
    [
      ...(['merge', 'filter', 'lockCells', 'hideFormulas', 'insertCellsDown', 'insertCellsRight'] as const),
      ...(['deleteCellsUp', 'deleteCellsLeft', 'insertCopied', 'insertCopiedRight', 'table'] as const),
      ...(['conditions', 'validation', 'duplicates', 'pageBreak', 'removeBreaks'] as const),
    ],
  ],
];
const ofSheets: readonly Offered[] = [
  ...(['addSheet', 'renameSheet', 'tabColor', 'copySheet', 'removeSheet', 'hideSheet'] as const),
  ...(['sheetBefore', 'sheetAfter'] as const),
];

/** Whether the protection of the sheet that is shown leaves an act to people. */
export function leavesAct(editor: CellEditor, act: SheetAct): boolean {
  const { protection } = editor.page.sheet.properties;
  return protection === undefined || protection.allows.includes(act);
}

/** Whether the protections of the sheet that is shown and of the workbook leave to people what a menu offers. */
export function isLeft(editor: CellEditor, name: Offered): boolean {
  if (ofSheets.includes(name)) return editor.page.workbook.value.properties.protected !== true;
  const act = acts.find(([, names]) => names.includes(name))?.[0];
  if (act === undefined) return true;
  return act === 'none' ? editor.page.sheet.properties.protection === undefined : leavesAct(editor, act);
}
