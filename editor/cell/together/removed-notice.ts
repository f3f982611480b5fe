import { sheetOf, visibleSheets, type Workbook } from '../../../model/cell/workbook.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';

/** Says that others have removed or hidden the sheet that was shown. */
export function tellSheetIsGone(before: Workbook, after: Workbook, shown: string): void {
  const sheet = sheetOf(before, shown);
  const isGone = sheet && !sheetOf(after, shown);
  if (!sheet || !(isGone || hasBeenHidden(before, after, shown))) return;
  const { name } = sheet.properties;
  const text = t(isGone ? 'sheet.sheetIsGone' : 'sheet.sheetIsHidden', { name });
  notify({ text, kind: 'info', topic: 'sheet-gone' });
}

/** Whether a sheet is hidden that was not before. */
export const hasBeenHidden = (before: Workbook, after: Workbook, id: string): boolean =>
  isSeen(before, id) && sheetOf(after, id) !== undefined && !isSeen(after, id);

const isSeen = (workbook: Workbook, id: string): boolean =>
  visibleSheets(workbook).some((sheet) => sheet.id === id);
