import { type Area, columnName, columnOf, lastColumn, lastRow } from '../../../../model/cell/area.ts';

const PLACE = /^\$?([A-Za-z]{1,3})\$?([0-9]{1,7})$/;
const COLUMN = /^\$?([A-Za-z]{1,3})$/;
const ROW = /^\$?([0-9]{1,7})$/;

interface Corner {
  readonly row: number | undefined;
  readonly column: number | undefined;
}

function cornerOf(text: string): Corner | undefined {
  const place = PLACE.exec(text);
  const [column, row] = place
    ? [columnOf(place[1]!), Number(place[2]) - 1]
    : [COLUMN.exec(text)?.[1], ROW.exec(text)?.[1]].map((match, index) =>
        match === undefined ? undefined : index === 0 ? columnOf(match) : Number(match) - 1,
      );
  if (column === undefined && row === undefined) return undefined;
  if (column !== undefined && column < 0) return undefined;
  if (row !== undefined && (row < 0 || row > lastRow)) return undefined;
  return { row, column };
}

/** The area of a reference (`B2`, `B2:C9`, `B:C`, `2:9`); undefined for what is none (18.18.62, ST_Ref). */
export function areaOfReference(reference: string): Area | undefined {
  const [one, other = one, more] = reference.split(':').map(cornerOf);
  if (!one || !other || more) return undefined;
  const rows = [one.row ?? 0, other.row ?? lastRow];
  const columns = [one.column ?? 0, other.column ?? lastColumn];
  return [Math.min(...rows), Math.min(...columns), Math.max(...rows), Math.max(...columns)];
}

/** The areas of a list of references (18.18.76, ST_Sqref); those that are none are left out. */
export function areasOfReferences(references: string): Area[] {
  return references.split(/\s+/).flatMap((reference) => {
    const area = areaOfReference(reference);
    return area ? [area] : [];
  });
}

/** Of a cell. */
export const placeReference = (row: number, column: number): string => `${columnName(column)}${row + 1}`;

export function areaReference([row1, column1, row2, column2]: Area): string {
  const first = placeReference(row1, column1);
  return row1 === row2 && column1 === column2 ? first : `${first}:${placeReference(row2, column2)}`;
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
