import { sheetOf, type Workbook } from '../../../model/cell/workbook.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import { hasBeenHidden } from '../shown/neighbour-sheet.ts';

/** Says that others have removed or hidden the sheet that was shown. */
export function tellSheetIsGone(before: Workbook, after: Workbook, shown: string): void {
  const sheet = sheetOf(before, shown);
  const isGone = sheet && !sheetOf(after, shown);
  if (!sheet || !(isGone || hasBeenHidden(before, after, shown))) return;
  const { name } = sheet.properties;
  const text = t(isGone ? 'sheet.sheetIsGone' : 'sheet.sheetIsHidden', { name });
  notify({ text, kind: 'info', topic: 'sheet-gone' });
}
