import { columnName } from '../cell-address.ts';
import type { Table } from './calculation.ts';
import { sheetPrefix } from './formula-tokens.ts';

export interface Place {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
}

const parts = new Set(['#all', '#data', '#headers', '#totals', '#this row']);

/**
 * The range that a structured reference means, as formulas write it.
 * @param bracket everything from `[` to `]`
 * @param place the cell of the formula
 * @returns an error in its place when the table has no such part
 */
export function rangeOfTable(table: Table, bracket: string, place: Place, sheets: readonly string[]): string {
  const wanted = wantedParts(bracket.slice(1, -1).trim());
  const firstData = table.firstRow + table.headerRows;
  const lastData = table.lastRow - table.totalsRows;
  let [top, bottom] = [Number.POSITIVE_INFINITY, 0];
  const add = (from: number, to: number) => {
    top = Math.min(top, from);
    bottom = Math.max(bottom, to);
  };
  for (const part of wanted.parts.length > 0 ? wanted.parts : ['#data']) {
    if (part === '#all') add(table.firstRow, table.lastRow);
    else if (part === '#data') add(firstData, lastData);
    else if (part === '#headers' && table.headerRows > 0) add(table.firstRow, firstData - 1);
    else if (part === '#totals' && table.totalsRows > 0) add(lastData + 1, table.lastRow);
    else if (part === '#this row') {
      if (place.sheet !== table.sheet || place.row < firstData || place.row > lastData) return '#VALUE!';
      add(place.row, place.row);
    } else return '#REF!';
  }
  let [left, right] = [table.firstColumn, table.lastColumn];
  if (wanted.columns.length > 0) {
    const places = wanted.columns.map((name) => columnPlace(table, name));
    if (places.includes(-1)) return '#REF!';
    left = table.firstColumn + Math.min(...places);
    right = table.firstColumn + Math.max(...places);
  }
  const prefix = place.sheet === table.sheet ? '' : sheetPrefix(sheets[table.sheet]!);
  const first = `$${columnName(left - 1)}$${top}`;
  if (top === bottom && left === right) return prefix + first;
  return `${prefix}${first}:$${columnName(right - 1)}$${bottom}`;
}

/** The structured references by which a table is mostly meant, behind its name. */
export function bracketsOf({ columns }: Table): string[] {
  const parts = ['[#All]', '[#Data]', '[#Headers]', '[#Totals]'];
  return [
    ...parts,
    ...columns.flatMap((name) => {
      const column = `[${name.replaceAll(/['[\]#]/g, "'$&")}]`;
      return [column, ...parts.map((part) => `[${part},${column}]`)];
    }),
  ];
}

function columnPlace(table: Table, name: string): number {
  const plain = (text: string) => text.replaceAll(/\r\n?/g, '\n').toLowerCase();
  return table.columns.findIndex((column) => plain(column) === plain(name));
}

/** What stands within the brackets: parts of the table, and columns (the first and the last). */
function wantedParts(inside: string): { parts: string[]; columns: string[] } {
  const wanted = { parts: [] as string[], columns: [] as string[] };
  let rest = inside;
  if (rest.startsWith('@')) {
    wanted.parts.push('#this row');
    rest = rest.slice(1).trim();
  }
  const items = rest.startsWith('[')
    ? rest.matchAll(/\[((?:'[\s\S]|[^\]'])*)\]/g)
    : rest === ''
      ? []
      : [[rest, rest]];
  for (const [, item] of items) {
    const lower = item!.trim().toLowerCase();
    if (parts.has(lower)) wanted.parts.push(lower);
    else wanted.columns.push(item!.replaceAll(/'([\s\S])/g, '$1'));
  }
  return wanted;
}
