import type { Cell } from '../../../model/cell/cell.ts';
import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import { sheetOf, type Workbook } from '../../../model/cell/workbook.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import { editedText } from '../commands/cell-input.ts';
import { cellName } from '../grid/cell-areas.ts';
import type { OwnCell } from './own-cells.ts';

/**
 * Says what others have put in the place of what this person had just put in, with the way back.
 * @param workbook as it is now
 */
export function tellReplaced(
  replaced: readonly OwnCell[],
  workbook: Workbook,
  settings: FormatSettings,
  putBack: () => void,
): void {
  const [first, ...more] = replaced;
  const sheet = first && sheetOf(workbook, first.sheet);
  if (!first || !sheet) return;
  const { cell } = first;
  const theirs = sheet.grid.cell(cell.row, cell.column);
  const format = workbook.formats.at(theirs.format);
  const text = ({ value, formula }: Cell) =>
    editedText({ value, formula: formula?.text ?? null, format }, settings) || t('sheet.empty');
  const values = { cell: cellName(cell), mine: text(first.content), theirs: text(theirs) };
  notify({
    text:
      more.length > 0
        ? t('sheet.replacedMore', { ...values, count: more.length })
        : t('sheet.replaced', values),
    kind: 'warning',
    topic: 'sheet-replaced',
    action: { label: t('sheet.putBack'), run: putBack },
  });
}
