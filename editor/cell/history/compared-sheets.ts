import { blankCell, type Cell, sameValue } from '../../../model/cell/cell.ts';
import { Formula } from '../../../model/cell/formula/formula.ts';
import { cellIn } from '../../../model/cell/row.ts';
import { type Sheet, sheetNamed, type Workbook } from '../../../model/cell/workbook.ts';
import type { CellPosition } from '../grid/cell-areas.ts';
import { alignColumns } from './aligned-columns.ts';
import type { AlignedLines } from './aligned-lines.ts';
import { alignRows, formulaNow } from './aligned-rows.ts';

/** What a version has that the one before had not. Sheets by their ids in the newer version. */
export type SheetDifference =
  | CellDifference
  | { readonly kind: 'sheetAdded'; readonly sheet: string; readonly name: string }
  | { readonly kind: 'sheetRemoved'; readonly name: string }
  | { readonly kind: 'sheetRenamed'; readonly sheet: string; readonly name: string; readonly before: string };

export interface CellDifference {
  readonly kind: 'cell';
  readonly sheet: string;
  /** In the newer version; of a row or column that is gone, where it would be. */
  readonly cell: CellPosition;
  readonly before: Cell;
  readonly after: Cell;
}

/**
 * Compares what two versions hold, cell by cell. Rows and columns are found again where others were put in or taken out.
 * What formulas come to is no difference, since what they are made of is one.
 */
export function compareWorkbooks(older: Workbook, newer: Workbook): SheetDifference[] {
  const found: SheetDifference[] = [];
  const counterparts = new Map<Sheet, Sheet>();
  for (const sheet of newer.sheets) {
    const before = counterpartOf(sheet, older, newer);
    if (before) counterparts.set(before, sheet);
    const { id, properties } = sheet;
    if (!before) found.push({ kind: 'sheetAdded', sheet: id, name: properties.name });
    else if (before.properties.name !== properties.name) {
      found.push({ kind: 'sheetRenamed', sheet: id, name: properties.name, before: before.properties.name });
    }
    if (before) found.push(...cellDifferences(before, sheet));
  }
  for (const sheet of older.sheets) {
    if (!counterparts.has(sheet)) found.push({ kind: 'sheetRemoved', name: sheet.properties.name });
  }
  return found;
}

/** By name; a sheet of another name is the one of the same id, unless a name says where that is now. */
function counterpartOf({ id, properties }: Sheet, older: Workbook, newer: Workbook): Sheet | undefined {
  const named = sheetNamed(older, properties.name);
  if (named) return named;
  const same = older.sheets.find((sheet) => sheet.id === id);
  return same && !sheetNamed(newer, same.properties.name) ? same : undefined;
}

function cellDifferences(older: Sheet, newer: Sheet): SheetDifference[] {
  const found: CellDifference[] = [];
  const note = (row: number, column: number, before: Cell, after: Cell) =>
    found.push({ kind: 'cell', sheet: newer.id, cell: { row, column }, before, after });
  const columns = alignColumns(older.grid, newer.grid);
  const rows = alignRows(older.grid, newer.grid, columns);
  const columnBefore = new Map(columns.pairs.map(([from, to]) => [to, from]));
  const columnAfter = new Map(columns.pairs);
  const kept = new Map(rows.pairs);
  const known = new Set(kept.values());
  for (const [from, to] of kept) {
    const [before, after] = [older.grid.row(from)!, newer.grid.row(to)!];
    for (const column of before.columns) {
      if (columnAfter.has(column)) continue;
      const one = cellIn(before, column);
      if (!isEmpty(one)) note(to, columns.placeNow(column), one, blankCell);
    }
    const compared = before.columns.flatMap((column) => columnAfter.get(column) ?? []);
    for (const column of new Set([...compared, ...after.columns])) {
      const was = columnBefore.get(column);
      const [one, other] = [was === undefined ? blankCell : cellIn(before, was), cellIn(after, column)];
      const right = was === undefined ? 0 : column - was;
      if (!holdsTheSame(one, other, [to - from, right], rows, columns)) note(to, column, one, other);
    }
  }
  for (const [place, { columns: places, cells }] of older.grid.rows()) {
    if (kept.has(place)) continue;
    for (const [at, cell] of cells.entries()) {
      if (!isEmpty(cell)) note(rows.placeNow(place), columns.placeNow(places[at]!), cell, blankCell);
    }
  }
  for (const [place, { columns: places, cells }] of newer.grid.rows()) {
    if (known.has(place)) continue;
    for (const [at, cell] of cells.entries()) {
      if (!isEmpty(cell)) note(place, places[at]!, blankCell, cell);
    }
  }
  return found.sort((one, other) => one.cell.row - other.cell.row || one.cell.column - other.cell.column);
}

const isEmpty = ({ value, formula }: Cell): boolean => value === null && formula === null;

/** @param moved how far down and to the right the cell has moved */
function holdsTheSame(
  before: Cell,
  after: Cell,
  [down, right]: readonly [number, number],
  rows: AlignedLines,
  columns: AlignedLines,
): boolean {
  const [one, other] = [before.formula, after.formula];
  if (!one || !other) return one === other && sameValue(before.value, after.value);
  return (
    one.equals(other) ||
    Formula.copied(one, down, right).equals(other) ||
    formulaNow(one, rows, columns).equals(other)
  );
}
