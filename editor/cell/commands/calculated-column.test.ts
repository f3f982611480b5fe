import { describe, expect, it } from 'vitest';
import { applyOperation } from '../../../model/cell/change.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellInput, CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf, type Workbook } from '../../../model/cell/workbook.ts';
import { calculatedColumn } from './calculated-column.ts';

const made = (workbook: Workbook, ...operations: readonly CellOperation[]): Workbook =>
  operations.reduce((now, operation) => applyOperation(now, operation) as Workbook, workbook);
const set = (row: number, column: number, input: CellInput): CellOperation => ({
  ...{ op: 'set', sheet: 's1', cells: [[row, column, input]] },
});
/** A1:B5 is a table whose last row is one of totals. */
const workbook = made(parseWorkbook(blankWorkbook()), ...[1, 2, 3].map((row) => set(row, 0, { v: row })), {
  ...{ op: 'put', sheet: 's1', kind: 'table', id: 't' },
  item: {
    ...{ area: [0, 0, 4, 1], name: 'Stock', hasHeader: true, hasTotals: true },
    columns: [{ name: 'Price' }, { name: 'Twice' }],
  },
});
/** The formulas of the second column, and the one that the table says of it, after a formula was entered. */
function entered(row: number, f: string, of = workbook) {
  const typed = made(of, set(row, 1, { f }));
  const after = made(typed, ...calculatedColumn(typed.sheets[0]!, { row, column: 1 }));
  const [sheet] = after.sheets;
  return [
    ...[1, 2, 3, 4, 5].map((at) => sheet!.grid.cell(at, 1).formula?.text ?? null),
    itemsOf(sheet!, 'table').get('t')!.columns[1]!.formula ?? null,
  ];
}

describe('a formula that is entered into an empty column of a table', () => {
  it('[XS206] calculates the column, and rows that come to it', () => {
    const f = 'Stock[[#This Row],[Price]]*2';
    expect(entered(2, f)).toEqual([f, f, f, null, null, f]);
    expect(entered(1, 'A2*2')).toEqual(['A2*2', 'A3*2', 'A4*2', null, null, null]);
  });

  it('[XS206] not where the column holds something, the sheet is protected, or it is no row of data', () => {
    const f = 'Stock[[#This Row],[Price]]*2';
    const filled = made(workbook, set(3, 1, { v: 'own' }));
    expect(entered(1, f, filled)).toEqual([f, null, null, null, null, null]);
    const kept = made(workbook, { op: 'sheet', sheet: 's1', patch: { protection: { allows: [] } } });
    expect(calculatedColumn(kept.sheets[0]!, { row: 1, column: 1 })).toEqual([]);
    expect(entered(4, 'SUM(A2:A4)')).toEqual([null, null, null, 'SUM(A2:A4)', null, null]);
    expect(entered(5, f)).toEqual([null, null, null, null, f, null]);
  });
});
