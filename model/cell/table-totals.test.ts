import { expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from './document.ts';
import type { CellInput, CellOperation } from './operations.ts';
import { changedWorkbook } from './testing/changed-workbook.ts';
import { itemsOf, type Workbook } from './workbook.ts';

const s1 = { sheet: 's1' };
const set = (column: number, input: CellInput): CellOperation => ({
  ...{ op: 'set', ...s1, cells: [[4, column, input]] },
});
/** A1:C5 is a table whose last row is one of totals. */
const workbook = changedWorkbook(
  parseWorkbook(blankWorkbook()),
  { op: 'block', ...s1, row: 0, column: 0, rows: [['Item', 'Price', 'Net [€]']] },
  set(0, { v: 'Total' }),
  set(1, { f: 'SUBTOTAL(109,Stock[Price])' }),
  {
    ...{ op: 'put', ...s1, kind: 'table', id: 't' },
    item: {
      ...{ area: [0, 0, 4, 2], name: 'Stock', hasHeader: true, hasTotals: true },
      columns: [
        { name: 'Item', totalsLabel: 'Total' },
        { name: 'Price', formula: 'LEN(Stock[Item])', totalsFunction: 'sum' },
        { name: 'Net [€]' },
      ],
    },
  },
);
const columnsOf = (of: Workbook) => itemsOf(of.sheets[0]!, 'table').get('t')!.columns;
const after = (...operations: readonly CellOperation[]) =>
  columnsOf(changedWorkbook(workbook, ...operations));

it('[XC41] a column of a table says what its total is, whoever changes the cell', () => {
  const [, price] = columnsOf(workbook);
  const { totalsFunction: _, ...plain } = price!;
  const own = { ...plain, totalsFunction: 'custom', totalsFormula: 'SUM(Stock[Price])*2' };
  expect(after(set(1, { f: 'SUM(Stock[Price])*2' }))[1]).toEqual(own);
  expect(after(set(1, { f: 'SUBTOTAL(101,Stock[Price])' }))[1]).toEqual({
    ...plain,
    totalsFunction: 'average',
  });
  expect(after(set(2, { f: "SUBTOTAL(109,stock[net '[€']])" }))[2]).toEqual({
    ...{ name: 'Net [€]', totalsFunction: 'sum' },
  });
  expect(after(set(1, { v: 'many' }))[1]).toEqual({ ...plain, totalsLabel: 'many' });
  expect(after(set(1, { v: 7 }))[1]).toEqual(plain);
  expect(after(set(0, { v: 'Sum' }))[0]).toEqual({ name: 'Item', totalsLabel: 'Sum' });
  const row: CellOperation = { op: 'clear', ...s1, areas: [[4, 0, 4, 2]], part: 'content' };
  expect(after(row)).toEqual([{ name: 'Item' }, plain, { name: 'Net [€]' }]);
  expect(after({ op: 'fill', ...s1, from: [4, 1, 4, 1], to: [4, 2, 4, 2], part: 'all' })[2]).toMatchObject({
    ...{ totalsFunction: 'custom' },
  });
});

it('[XC41] what is done elsewhere leaves what a column says', () => {
  const elsewhere: readonly CellOperation[] = [
    { op: 'insert', ...s1, axis: 'row', at: 2, count: 1 },
    { op: 'set', ...s1, cells: [[5, 0, { v: 'x' }]] },
    { op: 'format', ...s1, areas: [[0, 0, 9, 9]], patch: { font: { bold: true } } },
    { op: 'clear', ...s1, areas: [[0, 0, 9, 9]], part: 'format' },
  ];
  for (const operation of elsewhere) expect(after(operation)).toEqual(columnsOf(workbook));
  expect(after(elsewhere[0]!, { op: 'set', ...s1, cells: [[3, 1, { v: 1 }]] })).toEqual(columnsOf(workbook));
});
