import { sheetOf } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import type { CellTable, TableCell } from './cell-table.ts';
import type { PastedPart } from './paste-options.ts';

/** A formula that was copied before it was calculated. */
const isLate = ({ formula, value }: TableCell): boolean => formula !== undefined && value === null;

/** Whether values are to be pasted that were not known when they were copied. */
export const wantsLateValues = (part: PastedPart, { rows }: CellTable): boolean =>
  (part === 'values' || part === 'valuesAndNumbers') && rows.some((row) => row.some(isLate));

/** The table with what its formulas of a sheet here come to, once that is calculated, where these still stand. */
export async function withLateValues(
  editor: CellEditor,
  table: CellTable,
  sheetId: string,
): Promise<CellTable> {
  // An answer says that everything before it is calculated.
  const corner = { row: 0, column: 0 };
  await editor.cells.ruleAnswer(sheetId, { text: 'TRUE', ...corner }, corner, 1);
  const sheet = sheetOf(editor.page.workbook.peek(), sheetId);
  const { origin } = table;
  if (!sheet || !origin) return table;
  const cellNow = (cell: TableCell, row: number, column: number): TableCell => {
    const now = sheet.grid.cell(row, column);
    if (!isLate(cell) || !now.formula?.equals(cell.formula!)) return cell;
    return { ...cell, value: editor.cells.valueOf(sheetId, row, column) ?? now.value };
  };
  const rows = table.rows.map((row, down) =>
    row.map((cell, across) => cellNow(cell, origin.rows[down]!, origin.columns[across]!)),
  );
  return { ...table, rows };
}
