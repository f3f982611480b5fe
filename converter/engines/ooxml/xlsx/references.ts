import { type Area, areaOfReference } from '../../../../model/cell/area.ts';
import { cellAddress } from '../../../../model/cell-address.ts';

/** The areas of a list of references (18.18.76, ST_Sqref); those that are none are left out. */
export function areasOfReferences(references: string): Area[] {
  return references.split(/\s+/).flatMap((reference) => {
    const area = areaOfReference(reference);
    return area ? [area] : [];
  });
}

export function areaReference([row1, column1, row2, column2]: Area): string {
  const first = cellAddress(row1, column1);
  return row1 === row2 && column1 === column2 ? first : `${first}:${cellAddress(row2, column2)}`;
}

export const areaReferences = (areas: readonly Area[]): string => areas.map(areaReference).join(' ');

/** The place in the workbook itself to which an address leads (`#Sheet1!A1`, `#'My%20sheet'!A1`); undefined for any other one. */
export function placeOfAddress(address: string): string | undefined {
  if (!address.startsWith('#')) return undefined;
  try {
    return decodeURIComponent(address.slice(1));
  } catch {
    return undefined;
  }
}
