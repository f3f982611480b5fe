import { contains } from '../../../model/cell/area.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellPosition } from '../grid/cell-areas.ts';

/** Who types into a pivot table is told that programs which fill it anew put something else there. */
export function tellOfPivot(sheet: Sheet, { row, column }: CellPosition): void {
  const isInPivot = [...itemsOf(sheet, 'pivot').values()].some(({ area }) =>
    contains(area, [row, column, row, column]),
  );
  if (isInPivot) notify({ text: t('sheet.inPivot'), kind: 'warning', topic: 'sheet-pivot' });
}
