import { type Area, intersection } from '../../../model/cell/area.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import { cellsOf } from '../grid/cell-areas.ts';
import type { CarriedLink } from './cell-table.ts';

/** Of more cells than this the others come without their links. */
export const mostLinks = 2_000;

/** The link that each cell of some areas has. */
export function linksIn(
  sheet: Sheet,
  areas: readonly Area[],
): (row: number, column: number) => CarriedLink | null {
  const links = new Map<string, CarriedLink>();
  for (const { area, ...link } of itemsOf(sheet, 'link').values()) {
    for (const within of areas.map((one) => intersection(one, area))) {
      for (const { row, column } of within && links.size < mostLinks ? cellsOf(within) : []) {
        const key = `${row} ${column}`;
        if (!links.has(key) && links.size < mostLinks) links.set(key, link);
      }
    }
  }
  return (row, column) => links.get(`${row} ${column}`) ?? null;
}
