import { blankWorkbook, type RowJson } from '../../model/cell/document.ts';
import type { CellOperation } from '../../model/cell/operations.ts';
import type { Workbook } from '../../model/cell/workbook.ts';
import { CellSession, type CellSessionOptions } from '../cell/cell-session.ts';
import { SessionWorld } from './session-world.ts';

/** The JSON text of a workbook of one sheet with texts in its cells, row by row. */
export function workbookText(rows: readonly (readonly string[])[]): string {
  const json = rows.map(
    (texts) => [0, 0, ...texts.flatMap((text, column) => [column, 0, text])] as unknown as RowJson,
  );
  return JSON.stringify({
    ...blankWorkbook(),
    sheets: [{ id: 's1', properties: { name: 'Sheet1' }, rows: json }],
  });
}

export const setAt = (row: number, column: number, v: string): CellOperation => ({
  ...{ op: 'set', sheet: 's1' },
  cells: [[row, column, { v }]],
});

export const rowsAt = (op: 'insert' | 'delete', at: number, count = 1): CellOperation => ({
  ...{ op, sheet: 's1', axis: 'row', at, count },
});

/** The texts of the first cells of the first column; empty where there is nothing. */
export const firstColumn = ({ sheets }: Workbook, count: number): string[] =>
  Array.from({ length: count }, (_, row) => {
    const { value, formula } = sheets[0]!.grid.cell(row, 0);
    return formula ? `=${formula.text}` : String(value ?? '');
  });

/** A server, a network and a clock in memory, with sessions in a spreadsheet in them. */
export class CellWorld extends SessionWorld<CellSession, CellSessionOptions> {
  constructor(rows: readonly (readonly string[])[]) {
    super(workbookText(rows));
  }

  session(user: string, options: Partial<CellSessionOptions> = {}): CellSession {
    return new CellSession({ ...this.optionsOf(user), ...options });
  }
}
