import { type Area, contains, intersection } from '../../../model/cell/area.ts';
import { type Sheet, sheetOf } from '../../../model/cell/workbook.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';

/** Whether an area has a part of the cells that an array formula fills, or a data table, and not all of them. */
export function tearsArray({ grid }: Sheet, area: Area): boolean {
  for (const [row, { columns, cells }] of grid.rows(0, area[2])) {
    for (const [at, column] of columns.entries()) {
      const span = cells[at]!.formula?.span;
      if (!span || span.kind === 'dynamic' || column > area[3]) continue;
      const filled: Area = [row, column, row + span.rows - 1, column + span.columns - 1];
      if (intersection(area, filled) && !contains(area, filled)) return true;
    }
  }
  return false;
}

/** Whether cells cannot be moved since an array would be torn, which is said. */
export function refusesTearing(editor: CellEditor, id: string, area: Area): boolean {
  const sheet = sheetOf(editor.page.workbook.peek(), id);
  if (!sheet || !tearsArray(sheet, area)) return false;
  notify({ text: t('sheet.arrayTorn'), kind: 'warning', topic: 'sheet-refused' });
  return true;
}
