import { type Area, contains } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import { type CellPosition, cellsOf, cornerOf } from '../grid/cell-areas.ts';
import { type CellTable, isBlankCell, type TableCell, transposed, widthOfTable } from './cell-table.ts';
import { mostLinks } from './copied-links.ts';
import type { PasteOptions } from './paste-options.ts';

/** The links that cells of a table bring to where it is pasted, in the place of those that are there. */
export function pastedLinks(
  sheet: Sheet,
  table: CellTable,
  to: Area,
  { options, newId }: { readonly options: PasteOptions; readonly newId: () => string },
): CellOperation[] {
  const { part, isTransposed, skipsBlanks } = options;
  // A protected sheet takes what is typed and pasted into open cells.
  if (sheet.properties.protection || !['all', 'allButBorders'].includes(part)) return [];
  const { rows } = isTransposed ? transposed(table) : table;
  const width = widthOfTable({ rows, merges: [] });
  const given = ({ row, column }: CellPosition): TableCell =>
    rows[(row - to[0]) % rows.length]?.[(column - to[1]) % width] ?? { text: '' };
  const replaces = (cell: TableCell) =>
    cell.link !== undefined || (table.origin !== undefined && !(skipsBlanks && isBlankCell(cell)));
  const place = { sheet: sheet.id, kind: 'link' } as const;
  const drops = [...itemsOf(sheet, 'link')]
    .filter(([, { area }]) => contains(to, area) && replaces(given(cornerOf(area))))
    .map(([id]): CellOperation => ({ op: 'drop', ...place, id }));
  const puts: CellOperation[] = [];
  if (rows.some((row) => row.some(({ link }) => link))) {
    for (const cell of cellsOf(to)) {
      const { link } = given(cell);
      if (!link) continue;
      const area: Area = [cell.row, cell.column, cell.row, cell.column];
      puts.push({ op: 'put', ...place, id: newId(), item: { ...link, area } });
      if (puts.length >= mostLinks) break;
    }
  }
  return [...drops, ...puts];
}
