import { type Area, contains, intersection } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import { type CellPosition, cellsOf, cornerOf } from '../grid/cell-areas.ts';
import {
  type CarriedLink,
  type CellTable,
  isBlankCell,
  type TableCell,
  transposed,
  widthOfTable,
} from './cell-table.ts';
import type { PasteOptions } from './paste-options.ts';

/** Of more cells than this the others come without their links. */
const mostLinks = 2_000;

/** The link that each cell of some areas has. */
export function linksIn(
  sheet: Sheet,
  areas: readonly Area[],
): (row: number, column: number) => CarriedLink | null {
  const links = new Map<string, CarriedLink>();
  for (const { area, ...link } of itemsOf(sheet, 'link').values()) {
    for (const within of areas.map((one) => intersection(one, area))) {
      for (const { row, column } of within ? cellsOf(within) : []) {
        const key = `${row} ${column}`;
        if (!links.has(key)) links.set(key, link);
        if (links.size >= mostLinks) return (row, column) => links.get(`${row} ${column}`) ?? null;
      }
    }
  }
  return (row, column) => links.get(`${row} ${column}`) ?? null;
}

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
