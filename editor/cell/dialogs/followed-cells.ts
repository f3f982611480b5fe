import { useEffect, useState } from 'preact/hooks';
import type { Area } from '../../../model/cell/area.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';

/** Tells where cells are now that were somewhere when the dialog was opened; null where they, or their sheet, are gone. */
export function useFollowedCells({ page, records }: CellEditor): (area: Area) => Area | null {
  const [sheet] = useState(() => page.sheetId.peek());
  const [record] = useState(() => records.begin(sheet));
  useEffect(() => () => record.end(), [record]);
  return (area) => (page.sheetId.peek() === sheet ? record.now(area) : null);
}

/** Says that others have removed the cells that a dialog is about. */
export function tellCellsAreGone(): void {
  notify({ text: t('ruleDialogs.cellsAreGone'), kind: 'warning', topic: 'sheet-refused' });
}
