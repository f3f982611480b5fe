import { type Area, lastRow } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { CellEditor } from '../cell-editor.ts';
import { type CellPosition, isOneCell, rangeName } from '../grid/cell-areas.ts';
import type { Terrain } from '../grid/selection.ts';
import { typeOver } from './entering.ts';

/** The numbers that a sum in a cell is about: those right above it without a gap, else those before it; null for none. */
export function numbersBefore(sheet: Pick<Terrain, 'cellAt'>, { row, column }: CellPosition): Area | null {
  const isNumber = (at: number, across: number) => sheet.cellAt(at, across)?.kind === 'number';
  let top = row;
  while (top > 0 && isNumber(top - 1, column)) top--;
  if (top < row) return [top, column, row - 1, column];
  let left = column;
  while (left > 0 && isNumber(row, left - 1)) left--;
  return left < column ? [row, left, row, column - 1] : null;
}

/**
 * Begins a sum of the numbers above or before the active cell, or has each selected column added up: in the last row that
 * is selected if it is empty, else in the one below.
 */
export function sumUp(editor: CellEditor): boolean {
  const { range } = editor;
  const view = editor.page.view.peek();
  if (isOneCell(range)) {
    const numbers = numbersBefore(view, editor.selection.peek().active);
    typeOver(editor, numbers ? `=SUM(${rangeName(numbers)})` : '=SUM(');
    return editor.editing.peek() !== null;
  }
  const [top, left, bottom, right] = range;
  if (bottom > (view.used?.[2] ?? -1) + 1 || right > (view.used?.[3] ?? -1)) return false;
  const isBlank = (row: number, column: number) => (view.cellAt(row, column)?.kind ?? 'blank') === 'blank';
  const columns = Array.from({ length: right - left + 1 }, (_, at) => left + at);
  const isLastEmpty = bottom > top && columns.every((column) => isBlank(bottom, column));
  const target = isLastEmpty ? bottom : bottom + 1;
  if (target > lastRow) return false;
  const cells = columns
    .filter((column) => isBlank(target, column))
    .map((column) => {
      const numbers = rangeName([top, column, target - 1, column]);
      return [target, column, { f: `SUM(${numbers})` }] as const;
    });
  const operation: CellOperation = {
    op: 'set',
    sheet: editor.page.sheetId.peek(),
    cells: cells.map(([row, column, input]) => [row, column, input]),
  };
  return cells.length > 0 && editor.change(operation);
}
