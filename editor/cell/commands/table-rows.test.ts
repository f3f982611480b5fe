import { describe, expect, it } from 'vitest';
import type { Area } from '../../../model/cell/area.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { itemsOf, type Sheet, type Workbook } from '../../../model/cell/workbook.ts';
import { calculatedRows, type SheetSource, tableGrowth } from './table-growth.ts';
import { pastedGrowth, rowBehind } from './table-rows.ts';

/** B2:D4 is a table with a price in € and a column that is calculated; C7 says something. */
const workbook = changedWorkbook(parseWorkbook(blankWorkbook()), [
  {
    ...{ op: 'block', sheet: 's1', row: 1, column: 1, formats: [{ number: '0.00 €' }] },
    rows: [
      ['Item', 'Price', 'Twice'],
      ['Nails', { v: 1, s: 0 }, { f: 'Stock[[#This Row],[Price]]*2' }],
      ['Glue', { v: 2, s: 0 }, { f: 'Stock[[#This Row],[Price]]*2' }],
    ],
  },
  { op: 'set', sheet: 's1', cells: [[6, 2, { v: 'below' }]] },
  {
    ...{ op: 'put', sheet: 's1', kind: 'table', id: 't' },
    item: {
      ...{ area: [1, 1, 3, 3], name: 'Stock', hasHeader: true },
      columns: [
        { name: 'Item' },
        { name: 'Price' },
        { name: 'Twice', formula: 'Stock[[#This Row],[Price]]*2' },
      ],
    },
  },
]);
const totals = changedWorkbook(workbook, [
  { op: 'patch', sheet: 's1', kind: 'table', id: 't', patch: { hasTotals: true, area: [1, 1, 4, 3] } },
  { op: 'set', sheet: 's1', cells: [[4, 1, { v: 'Total' }]] },
]);
const protectedBook = changedWorkbook(workbook, [
  { op: 'sheet', sheet: 's1', patch: { protection: { allows: [] } } },
]);

const sheetOf = ({ sheets }: Workbook): Sheet => sheets[0]!;
const tableArea = (of: Workbook): Area => itemsOf(sheetOf(of), 'table').get('t')!.area;
const pageOf = (of: Workbook): SheetSource => ({
  view: { peek: () => ({ sheet: sheetOf(of), cellAt: () => null }) },
  sheetId: { peek: () => 's1' },
});
/** What stands in a row of the table: values, formulas, and the format of the price. */
const rowOf = (of: Workbook, row: number) => {
  const cells = [1, 2, 3].map((column) => sheetOf(of).grid.cell(row, column));
  const price = of.formats.at(cells[1]!.format).number;
  return [...cells.map(({ value, formula }) => formula?.text ?? value), price];
};
const added = [null, null, 'Stock[[#This Row],[Price]]*2', '0.00 €'];

describe('rows that come to a table', () => {
  it.each([
    ['plain', workbook, [1, 1, 4, 3]],
    ['with totals', totals, [1, 1, 5, 3]],
  ] as const)('[XS201] Tab in the last cell of one %s begins another row', (_, of, area) => {
    const row = rowBehind(pageOf(of), { row: 3, column: 3 })!;
    const after = changedWorkbook(of, row.operations);
    expect([row.cell, tableArea(after), rowOf(after, 4)]).toEqual([{ row: 4, column: 1 }, area, added]);
    expect(sheetOf(after).grid.cell(7, 2).value).toBe('below');
    for (const [at, column] of [
      [3, 2],
      [2, 3],
      [1, 3],
      [4, 3],
    ] as const)
      expect(rowBehind(pageOf(of), { row: at, column })).toBeNull();
  });

  it('[XS201] not where what is below could not move down as one', () => {
    const merged = changedWorkbook(workbook, [
      { op: 'put', sheet: 's1', kind: 'merge', id: 'm', item: { area: [8, 3, 8, 4] } },
    ]);
    expect(rowBehind(pageOf(merged), { row: 3, column: 3 })).toBeNull();
  });

  it('[XS202] what is typed right below has the looks of the row above and stays what it is in a calculated column', () => {
    const growth = tableGrowth(pageOf(workbook), { row: 4, column: 3 }, '5', 'Column');
    const after = changedWorkbook(workbook, [
      ...growth,
      { op: 'set', sheet: 's1', cells: [[4, 3, { v: 5 }]] },
    ]);
    expect([tableArea(after), rowOf(after, 4)]).toEqual([
      [1, 1, 4, 3],
      [null, null, 5, '0.00 €'],
    ]);
    expect(tableGrowth(pageOf(protectedBook), { row: 4, column: 1 }, 'x', 'Column')).toEqual([]);
  });

  it('[XS202] so does what is pasted right below, where the rows are free and nothing is wider', () => {
    const after = changedWorkbook(workbook, pastedGrowth(pageOf(workbook), [4, 1, 5, 2]));
    expect([tableArea(after), rowOf(after, 5)]).toEqual([[1, 1, 5, 3], added]);
    for (const pasted of [
      [5, 1, 5, 2],
      [4, 1, 4, 4],
      [4, 1, 6, 1],
    ] as const)
      expect(pastedGrowth(pageOf(workbook), pasted)).toEqual([]);
    expect(pastedGrowth(pageOf(totals), [5, 1, 5, 1])).toEqual([]);
    expect(pastedGrowth(pageOf(protectedBook), [4, 1, 4, 1])).toEqual([]);
  });

  it('[XS203] rows that are put in have the formulas of calculated columns', () => {
    const insert = (at: number, count: number): CellOperation[] => [
      { op: 'insert', sheet: 's1', axis: 'row', at, count, like: 'before' },
      ...calculatedRows(sheetOf(workbook), at, count),
    ];
    const after = changedWorkbook(workbook, insert(3, 2));
    expect([tableArea(after), rowOf(after, 3), rowOf(after, 4)]).toEqual([[1, 1, 5, 3], added, added]);
    for (const at of [0, 1, 4]) expect(calculatedRows(sheetOf(workbook), at, 1)).toEqual([]);
  });
});
