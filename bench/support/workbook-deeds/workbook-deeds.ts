import type { Workbook } from '../../../model/cell/workbook.ts';
import { cellDeeds } from './cell-deeds.ts';
import type { Deed, Place } from './deed.ts';
import { itemDeeds } from './item-deeds.ts';
import { lineDeeds } from './line-deeds.ts';
import { nameDeeds } from './name-deeds.ts';
import { sheetDeeds } from './sheet-deeds.ts';

/** Every operation that there is, each alone. */
export const workbookDeeds: readonly Deed[] = [
  ...cellDeeds,
  ...lineDeeds('row'),
  ...lineDeeds('column'),
  ...sheetDeeds,
  ...nameDeeds,
  ...itemDeeds,
];

/** A sheet of a workbook to do something to: the first that has cells, if one does. */
export function placeIn(workbook: Workbook): Place | undefined {
  const sheets = workbook.sheets.filter(({ properties }) => (properties.type ?? 'cells') === 'cells');
  const sheet = sheets.find(({ grid }) => grid.height > 0) ?? sheets[0];
  if (!sheet) return undefined;
  let columns = 1;
  let rows = 1;
  for (const [place, row] of sheet.grid.rows()) {
    if (row.columns.length === 0) continue;
    rows = Math.max(rows, place + 1);
    columns = Math.max(columns, row.columns.at(-1)! + 1);
  }
  return { workbook, sheet, rows, columns, row: rows >> 1, column: columns >> 1 };
}
