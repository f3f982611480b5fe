import { type Area, lastColumn, lastRow, touches } from '../../../model/cell/area.ts';
import type { CellEditor } from '../cell-editor.ts';
import {
  type CellPosition,
  cellsOf,
  heightOf,
  isOneCell,
  isWholeColumns,
  isWholeRows,
  rangeName,
  widthOf,
} from '../grid/cell-areas.ts';
import type { Terrain } from '../grid/selection.ts';
import { enterEach, typeOver } from './entering.ts';

/**
 * The numbers that a sum in a cell is about: those right above it, else those right before it, else the nearest above or before it
 * with the empty cells between; null for none.
 */
export function numbersBefore(
  sheet: Pick<Terrain, 'cellAt' | 'used'>,
  { row, column }: CellPosition,
): Area | null {
  const kindAt = (at: number, across: number) => sheet.cellAt(at, across)?.kind ?? 'blank';
  const [, , lastUsedRow, lastUsedColumn] = sheet.used ?? [0, 0, 0, 0];
  const above = numbersUpTo(row, lastUsedRow, (at) => kindAt(at, column));
  const before = numbersUpTo(column, lastUsedColumn, (across) => kindAt(row, across));
  if (above && (!above.hasGap || !before || before.hasGap)) return [above.first, column, row - 1, column];
  return before && [row, before.first, row, column - 1];
}

/** Where the last stretch of numbers in a line before a place begins, and whether empty cells lie behind it. */
function numbersUpTo(
  end: number,
  lastUsed: number,
  kindAt: (at: number) => string,
): { readonly first: number; readonly hasGap: boolean } | null {
  let last = Math.min(end, lastUsed + 1);
  while (last > 0 && kindAt(last - 1) === 'blank') last--;
  let first = last;
  while (first > 0 && kindAt(first - 1) === 'number') first--;
  return first < last ? { first, hasGap: last < end } : null;
}

/** A sum that an empty cell gets. */
interface SumInCell {
  readonly at: CellPosition;
  readonly of: Area;
}

/**
 * The sums of what is selected. Empty cells get those of the numbers above or before them. Else an empty last row, or the row below,
 * gets those of the columns, and an empty last column those of the rows; that of one row stands in its last cell, or behind it.
 */
export function sumsIn(sheet: Pick<Terrain, 'cellAt' | 'used'>, range: Area): SumInCell[] {
  const cells = [...cellsOf(range)];
  const kindAt = ({ row, column }: CellPosition) => sheet.cellAt(row, column)?.kind ?? 'blank';
  const areBlank = (area: Area) => [...cellsOf(area)].every((cell) => kindAt(cell) === 'blank');
  if (areBlank(range)) {
    return cells.flatMap((at) => {
      const of = numbersBefore(sheet, at);
      return of && !touches(of, range) ? [{ at, of }] : [];
    });
  }
  const [top, left, bottom, right] = range;
  const isRow = top === bottom;
  const hasLastColumn = right > left && areBlank([top, right, bottom, right]);
  const hasLastRow = !isRow && areBlank([bottom, left, bottom, right]);
  const lastSummedRow = hasLastRow ? bottom - 1 : bottom;
  const lastSummedColumn = hasLastColumn ? right - 1 : right;
  const ofRows = Array.from({ length: lastSummedRow - top + 1 }, (_, at) => top + at).map((row) => ({
    at: { row, column: lastSummedColumn + 1 },
    of: [row, left, row, lastSummedColumn] as const,
  }));
  const ofColumns = Array.from({ length: lastSummedColumn - left + 1 }, (_, at) => left + at).map(
    (column) => ({
      at: { row: lastSummedRow + 1, column },
      of: [top, column, lastSummedRow, column] as const,
    }),
  );
  const sums: SumInCell[] = [
    ...(isRow || hasLastColumn ? ofRows : []),
    ...(hasLastRow || !(isRow || hasLastColumn) ? ofColumns : []),
  ].filter(({ of }) => [...cellsOf(of)].some((cell) => kindAt(cell) === 'number'));
  const ofAll = { at: { row: bottom, column: right }, of: [top, right, bottom - 1, right] as const };
  const all = hasLastRow && hasLastColumn ? [...sums, ofAll] : sums;
  return all.filter(({ at }) => at.row <= lastRow && at.column <= lastColumn && kindAt(at) === 'blank');
}

/** So many cells that are selected are added up. */
const mostSummed = 300_000;

/** Begins a sum of the numbers above or before the active cell, or puts in those of what is selected. */
export function sumUp(editor: CellEditor): boolean {
  const { range } = editor;
  const view = editor.page.view.peek();
  if (isOneCell(range)) {
    const numbers = numbersBefore(view, editor.selection.peek().active);
    typeOver(editor, numbers ? `=SUM(${rangeName(numbers)})` : '=SUM(');
    return editor.editing.peek() !== null;
  }
  // Of whole columns and rows, what is used.
  const [, , lastUsedRow, lastUsedColumn] = view.used ?? [0, 0, 0, 0];
  const summed: Area = [
    range[0],
    range[1],
    isWholeColumns(range) ? Math.min(lastRow, lastUsedRow + 1) : range[2],
    isWholeRows(range) ? Math.min(lastColumn, lastUsedColumn + 1) : range[3],
  ];
  if (heightOf(summed) * widthOf(summed) > mostSummed) return false;
  const sums = sumsIn(view, summed);
  return enterEach(
    editor,
    sums.map(({ at, of }) => ({ ...at, text: `=SUM(${rangeName(of)})` })),
  );
}
