import { describe, expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from './document.ts';
import type { CellOperation } from './operations.ts';
import { changedWorkbook } from './testing/changed-workbook.ts';
import { itemsOf, type Workbook } from './workbook.ts';

const set = (row: number, column: number, v: string | number | null): CellOperation => ({
  ...{ op: 'set', sheet: 's1' },
  cells: [[row, column, { v }]],
});

const formulas = [
  'SUM(Stock[Price])+Stock[[#Totals],[PRICE]]',
  'Stock[[#This Row],[Price]:[Amount]]&"Stock[Price]"&Stock[@Price]',
  'Other[Price]+Price+SUM(Stock[Amount])',
];
const workbook = changedWorkbook(
  parseWorkbook(blankWorkbook()),
  { op: 'block', sheet: 's1', row: 0, column: 0, rows: [['Item', 'Price', 'Amount']] },
  {
    ...{ op: 'put', sheet: 's1', kind: 'table', id: 't' },
    item: {
      ...{ area: [0, 0, 4, 2], name: 'Stock', hasHeader: true },
      columns: [{ name: 'Item' }, { name: 'Price' }, { name: 'Amount', formula: 'Stock[Price]*2' }],
    },
  },
  { op: 'set', sheet: 's1', cells: formulas.map((f, row) => [row, 5, { f }]) },
  {
    ...{ op: 'put', sheet: 's1', kind: 'validation', id: 'v' },
    item: { areas: [[9, 9, 9, 9]], type: 'decimal', formulas: ['MAX(stock[price])'] },
  },
);

const columnsOf = (of: Workbook) => itemsOf(of.sheets[0]!, 'table').get('t')!.columns;
const namesOf = (of: Workbook) => columnsOf(of).map(({ name }) => name);
const formulasOf = (of: Workbook) => formulas.map((_, row) => of.sheets[0]!.grid.cell(row, 5).formula!.text);
const textIn = (of: Workbook, row: number) => of.sheets[0]!.grid.cell(row, 4).formula!.text;

it('[XC34] a heading that becomes another text renames its column, wherever formulas name it behind its table', () => {
  const renamed = changedWorkbook(workbook, set(0, 1, 'Unit [net] price'));
  expect(namesOf(renamed)).toEqual(['Item', 'Unit [net] price', 'Amount']);
  expect(columnsOf(renamed)[2]!.formula).toBe("Stock[Unit '[net'] price]*2");
  expect(formulasOf(renamed)).toEqual([
    "SUM(Stock[Unit '[net'] price])+Stock[[#Totals],[Unit '[net'] price]]",
    `Stock[[#This Row],[Unit '[net'] price]:[Amount]]&"Stock[Price]"&Stock[@[Unit '[net'] price]]`,
    'Other[Price]+Price+SUM(Stock[Amount])',
  ]);
  const rules = itemsOf(renamed.sheets[0]!, 'validation');
  expect(rules.get('v')!.formulas).toEqual(["MAX(stock[Unit '[net'] price])"]);
  const back = changedWorkbook(renamed, set(0, 1, 'Price'));
  expect(formulasOf(back)).toEqual([
    formulas[0]!.replace('PRICE', 'Price'),
    formulas[1]!.replace('[@Price]', '[@[Price]]'),
    formulas[2],
  ]);
});

it('[XC34] headings that are exchanged at once exchange their names; what names nothing changes none', () => {
  const exchanged = changedWorkbook(workbook, {
    ...{ op: 'block', sheet: 's1', row: 0, column: 1 },
    rows: [['Amount', 'Price']],
  });
  expect(namesOf(exchanged)).toEqual(['Item', 'Amount', 'Price']);
  expect(formulasOf(exchanged)[2]).toBe('Other[Price]+Price+SUM(Stock[Price])');
  for (const value of ['', null, ' ']) {
    const same = changedWorkbook(workbook, set(0, 1, value));
    expect([namesOf(same), formulasOf(same)]).toEqual([['Item', 'Price', 'Amount'], formulas]);
  }
  expect(namesOf(changedWorkbook(workbook, set(0, 1, 2026)))).toEqual(['Item', '2026', 'Amount']);
  expect(namesOf(changedWorkbook(workbook, set(1, 1, 'below')))).toEqual(['Item', 'Price', 'Amount']);
});

it('[XU6] a heading that another column has gets a number, in the names of columns and in formulas alike', () => {
  const twice = changedWorkbook(workbook, set(0, 2, 'PRICE'));
  expect(namesOf(twice)).toEqual(['Item', 'Price', 'PRICE2']);
  expect(formulasOf(twice)[2]).toBe('Other[Price]+Price+SUM(Stock[PRICE2])');
  // The heading that nobody touched keeps its name.
  expect(namesOf(changedWorkbook(workbook, set(0, 0, 'Amount')))).toEqual(['Amount2', 'Price', 'Amount']);
});

it('[XU6] headings that are sorted, or moved over others, name their columns', () => {
  const sorted = changedWorkbook(workbook, {
    ...{ op: 'sort', axis: 'column', sheet: 's1', band: [0, 0], order: [2, 1, 0] },
  });
  expect(namesOf(sorted)).toEqual(['Amount', 'Price', 'Item']);
  expect(formulasOf(sorted)[2]).toBe('Other[Price]+Price+SUM(Stock[Item])');
  const moved = changedWorkbook(workbook, {
    ...{ op: 'moveCells', sheet: 's1', area: [0, 1, 0, 1], toSheet: 's1', row: 0, column: 2 },
  });
  expect(namesOf(moved)).toEqual(['Item', 'Price2', 'Price']);
  expect(formulasOf(moved)[2]).toBe('Other[Price]+Price+SUM(Stock[Price])');
  const away = changedWorkbook(
    workbook,
    { op: 'addSheet', sheet: 's2', name: 'More', at: 1 },
    { op: 'moveCells', sheet: 's1', area: [0, 0, 4, 2], toSheet: 's2', row: 3, column: 4 },
  );
  expect(
    itemsOf(away.sheets[1]!, 'table')
      .get('t')!
      .columns.map(({ name }) => name),
  ).toEqual([...['Item', 'Price', 'Amount']]);
});

describe('[XS259] formulas that name what is taken away with cells', () => {
  const gone: Record<string, CellOperation> = {
    'a column': { op: 'delete', sheet: 's1', axis: 'column', at: 1, count: 1 },
    'the cells of a column': { op: 'delete', sheet: 's1', axis: 'column', at: 1, count: 1, band: [0, 4] },
  };

  it.each(Object.keys(gone))('say so: %s', (what) => {
    const after = changedWorkbook(workbook, gone[what]!);
    expect(namesOf(after)).toEqual(['Item', 'Amount']);
    expect(columnsOf(after)[1]!.formula).toBe('#REF!*2');
    expect(formulas.map((_, row) => textIn(after, row))).toEqual([
      'SUM(#REF!)+#REF!',
      '#REF!&"Stock[Price]"&#REF!',
      'Other[Price]+Price+SUM(Stock[Amount])',
    ]);
    expect(itemsOf(after.sheets[0]!, 'validation').get('v')!.formulas).toEqual(['MAX(#REF!)']);
  });

  it('say so where a table is gone, also with its sheet, and go on naming one that has moved', () => {
    const plain = changedWorkbook(
      workbook,
      { op: 'addSheet', sheet: 's2', name: 'Other sheet', at: 1 },
      {
        op: 'set',
        sheet: 's2',
        cells: [[0, 0, { f: 'ROWS(Stock)+SUM(Stock[])+SUM(Stock[[#All],[Item]])' }]],
      },
    );
    const on = (of: Workbook) => of.sheets.find(({ id }) => id === 's2')!.grid.cell(0, 0).formula!.text;
    const broken = 'ROWS(#REF!)+SUM(#REF!)+SUM(#REF!)';
    const rows: CellOperation = { op: 'delete', sheet: 's1', axis: 'row', at: 0, count: 5 };
    const removal: CellOperation = { op: 'removeSheet', sheet: 's1' };
    expect(on(changedWorkbook(plain, rows))).toBe(broken);
    expect(on(changedWorkbook(plain, removal))).toBe(broken);
    const moved = changedWorkbook(plain, {
      ...{ op: 'moveCells', sheet: 's1', area: [0, 0, 4, 2] },
      ...{ toSheet: 's2', row: 10, column: 10 },
    });
    expect(on(moved)).toBe(on(plain));
    expect(itemsOf(moved.sheets[1]!, 'table').size).toBe(1);
  });
});
