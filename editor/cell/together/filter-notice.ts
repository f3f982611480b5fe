import { formatKey } from '../../../model/cell/cell-format.ts';
import { itemsOf, sheetOf, type Workbook } from '../../../model/cell/workbook.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';

/** By what the rows of a sheet are filtered, as a text; empty for nothing. */
function filtersOf(workbook: Workbook, id: string): string {
  const sheet = sheetOf(workbook, id);
  if (!sheet) return '';
  const columns = [
    ...[...itemsOf(sheet, 'filter').values()].flatMap((filter) => filter.columns),
    ...[...itemsOf(sheet, 'table').values()].flatMap(({ filter = [] }) => filter),
  ];
  return columns.length === 0 ? '' : formatKey(columns);
}

/** Says that others have filtered the sheet that is shown: rows come and go for everybody. */
export function tellFiltered(before: Workbook, after: Workbook, sheet: string): void {
  if (before === after || filtersOf(before, sheet) === filtersOf(after, sheet)) return;
  notify({ text: t('sheet.filterChanged'), kind: 'info', topic: 'sheet-filter' });
}
