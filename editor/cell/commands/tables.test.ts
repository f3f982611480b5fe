import { describe, expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellInput, CellOperation } from '../../../model/cell/operations.ts';
import type { TotalsFunction } from '../../../model/cell/table-totals.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { itemsOf, namesOf, type Sheet, type Workbook } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { FormatLooks } from '../shown/format-looks.ts';
import type { PageWorkbook } from '../shown/page-workbook.ts';
import { TableLooks } from '../shown/table-looks.ts';
import { columnNames, growingTable, tableGrowth, totalsAt } from './table-growth.ts';
import { changeTotal } from './table-totals.ts';
import { convertToRange, type TableId, toggleTotals } from './tables.ts';

/** Headings Item and Price with two rows below, of which the second column is calculated; C9 holds something. */
const workbook = changedWorkbook(parseWorkbook(blankWorkbook()), [
  {
    op: 'block',
    sheet: 's1',
    row: 0,
    column: 0,
    rows: [
      ['Item', 'Price'],
      ['Nails', 1],
      ['Glue', 2],
    ],
  },
  { op: 'set', sheet: 's1', cells: [[8, 2, { v: 'x' }]] },
  {
    ...{ op: 'put', sheet: 's1', kind: 'table', id: 't' },
    item: {
      ...{ area: [0, 0, 2, 1], name: 'Stock', hasHeader: true, style: 'TableStyleMedium2', rowStripes: true },
      columns: [{ name: 'Item' }, { name: 'Price', formula: 'LEN(Stock[Item])' }],
    },
  },
]);
const pageOf = (of: Workbook) => {
  const [sheet] = of.sheets;
  const cellAt = (row: number, column: number) => ({
    text: String(sheet!.grid.cell(row, column).value ?? ''),
  });
  return {
    view: { peek: () => ({ sheet, cellAt }) },
    sheetId: { peek: () => 's1' },
  } as unknown as PageWorkbook;
};
const editorWith = (of: Workbook) => ({ page: pageOf(of) }) as CellEditor;
const tableOf = (of: Workbook): TableId => [...itemsOf(of.sheets[0]!, 'table')][0]!;
const typed = (row: number, column: number, text: string, of = workbook): Workbook =>
  changedWorkbook(of, tableGrowth(pageOf(of), { row, column }, text, 'Column'));

describe('tables', () => {
  it('[XS36] that become plain cells leave formulas that name those cells', () => {
    const inside: CellInput[] = [
      { f: 'Stock[[#This Row],[Price]]*2' },
      { f: '[@Price]+SUM(Other[a],STOCK[Price])' },
    ];
    const cells = inside.map((input, at) => [at + 1, 1, input] as const);
    const outside = [[8, 3, { f: 'COUNTA(Stock[#Headers])&"Stock[Price]"&Stock2!A1', v: 7 }] as const];
    const named = changedWorkbook(workbook, [
      { op: 'set', sheet: 's1', cells: [...cells, ...outside] },
      { op: 'addSheet', sheet: 's.2', name: 'Next page', at: 1 },
      { op: 'set', sheet: 's.2', cells: [[0, 0, { f: { t: 'Stock[Item]', a: ['array', 2, 1] } }]] },
      { op: 'put', sheet: null, kind: 'name', id: 'n', item: { name: 'All', formula: 'Stock' } },
    ]);
    let changed = named;
    const editor = {
      page: { sheetId: { peek: () => 's1' }, workbook: { peek: () => named } },
      change: (...operations: CellOperation[]) => {
        changed = changedWorkbook(named, operations);
        return true;
      },
    } as unknown as CellEditor;
    convertToRange(editor, tableOf(named));
    const [sheet, other] = changed.sheets as [Sheet, Sheet];
    const formulas = [
      sheet.grid.cell(1, 1),
      sheet.grid.cell(2, 1),
      sheet.grid.cell(8, 3),
      other.grid.cell(0, 0),
    ];
    expect(formulas.map(({ formula }) => formula?.toJSON())).toEqual([
      '$B$2*2',
      '$B$3+SUM(Other[a],$B$2:$B$3)',
      'COUNTA($A$1:$B$1)&"Stock[Price]"&Stock2!A1',
      { t: "'Sheet1'!$A$2:$A$3", a: ['array', 2, 1] },
    ]);
    expect(sheet.grid.cell(8, 3).value).toBe(7);
    expect(namesOf(changed).get('n')?.formula).toBe("'Sheet1'!$A$2:$B$3");
    expect(itemsOf(sheet, 'table').size).toBe(0);
  });

  it('[XS30] have a heading for each column, each once', () => {
    expect(columnNames(['A', '', ' a ', 'A'], 'Column')).toEqual(['A', 'Column2', 'a2', 'A3']);
  });

  it('[XS30] grow with what is typed right below or beside, and calculate there what their columns calculate', () => {
    const below = typed(3, 0, 'Wood');
    expect(tableOf(below)[1].area).toEqual([0, 0, 3, 1]);
    expect(below.sheets[0]!.grid.cell(3, 1).formula?.text).toBe('LEN(Stock[Item])');
    const beside = typed(1, 2, '7');
    expect(tableOf(beside)[1]).toMatchObject({ area: [0, 0, 2, 2], columns: [{}, {}, { name: 'Column3' }] });
    expect(beside.sheets[0]!.grid.cell(0, 2).value).toBe('Column3');
    for (const [row, column, text] of [
      [4, 0, 'x'],
      [3, 2, 'x'],
      [3, 0, ' '],
    ] as const)
      expect(typed(row, column, text)).toBe(workbook);
    const full = changedWorkbook(workbook, [{ op: 'set', sheet: 's1', cells: [[3, 1, { v: 'taken' }]] }]);
    expect(typed(3, 0, 'Wood', full)).toBe(full);
  });

  it('[XS255] that grow with what is typed beside them are known before', () => {
    const growing = (row: number, column: number, of = workbook) =>
      growingTable(of.sheets[0]!, { row, column })?.table.name;
    expect([growing(1, 2), growing(3, 1), growing(4, 0), growing(3, 2)]).toEqual([
      ...['Stock', 'Stock'],
      ...[undefined, undefined],
    ]);
    const patch = { protection: { allows: [] } };
    expect(growing(1, 2, changedWorkbook(workbook, { op: 'sheet', sheet: 's1', patch }))).toBeUndefined();
  });

  it('[XS256] that grow have their new heading as a block, which nobody has typed', () => {
    const growth = tableGrowth(pageOf(workbook), { row: 1, column: 2 }, '7', 'Column');
    expect(growth.map(({ op }) => op)).toEqual(['patch', 'block']);
  });

  it('[XS30] get a row of totals, and lose it with its formulas', () => {
    const totals = changedWorkbook(workbook, toggleTotals(editorWith(workbook), tableOf(workbook), 'Total'));
    const [id, table] = tableOf(totals);
    expect(table).toMatchObject({ hasTotals: true, area: [0, 0, 3, 1] });
    expect(totals.sheets[0]!.grid.cell(3, 1).formula?.text).toBe('SUBTOTAL(109,Stock[Price])');
    const without = changedWorkbook(totals, toggleTotals(editorWith(totals), [id, table], 'Total'));
    expect(tableOf(without)[1].area).toEqual([0, 0, 2, 1]);
    expect(without.sheets[0]!.grid.cell(3, 1).formula).toBeNull();
  });

  it('[XS261] get their totals, and formulas of new rows, as blocks, which nobody has typed', () => {
    const made = toggleTotals(editorWith(workbook), tableOf(workbook), 'Total');
    expect(made.map(({ op }) => op)).toEqual(['insert', 'patch', 'block']);
    const below = tableGrowth(pageOf(workbook), { row: 3, column: 0 }, '7', 'Column');
    expect(below.map(({ op }) => op)).toContain('block');
    expect(below.map(({ op }) => op)).not.toContain('set');
  });

  it('[XS183] have other totals, or none, as is chosen in their row of totals', () => {
    const totals = changedWorkbook(workbook, toggleTotals(editorWith(workbook), tableOf(workbook), 'Total'));
    const chosen = (of: Workbook, column: number, name: TotalsFunction | null) =>
      changedWorkbook(of, changeTotal(pageOf(of), totalsAt(of.sheets[0]!, { row: 3, column })!, name));
    const cell = (of: Workbook, column: number) => of.sheets[0]!.grid.cell(3, column);
    const deviation = chosen(totals, 1, 'stdDev');
    expect(cell(deviation, 1).formula?.text).toBe('SUBTOTAL(107,Stock[Price])');
    expect(tableOf(deviation)[1].columns[1]).toEqual({
      ...{ name: 'Price', formula: 'LEN(Stock[Item])', totalsFunction: 'stdDev' },
    });
    const counted = chosen(chosen(deviation, 0, 'count'), 1, null);
    expect(cell(counted, 0).formula?.text).toBe('SUBTOTAL(103,Stock[Item])');
    expect([cell(counted, 1).formula, cell(counted, 1).value]).toEqual([null, null]);
    expect(tableOf(counted)[1].columns).toEqual([
      { name: 'Item', totalsFunction: 'count' },
      { name: 'Price', formula: 'LEN(Stock[Item])' },
    ]);
    expect(totalsAt(totals.sheets[0]!, { row: 2, column: 1 })).toBeNull();
    expect(totalsAt(workbook.sheets[0]!, { row: 2, column: 1 })).toBeNull();
  });

  it('[XS30] are shown in their style where cells say nothing themselves', () => {
    const looks = new FormatLooks(undefined, undefined);
    const tables = new TableLooks(workbook.sheets[0]!, looks);
    const plain = looks.of({});
    expect(tables.at(0, 0, plain)).toMatchObject({
      fill: { color: '#4472c4' },
      text: { color: '#ffffff', bold: true },
    });
    expect(tables.at(1, 0, plain).fill).toMatchObject({ kind: 'solid' });
    expect(tables.at(2, 0, plain)).toBe(plain);
    expect(tables.at(5, 5, plain)).toBe(plain);
    expect(tables.at(1, 0, plain)).toBe(tables.at(1, 1, plain));
    const yellow = looks.of({ fill: { pattern: 'solid', color: { rgb: 'FFFF00' } } });
    expect(tables.at(0, 0, yellow).fill).toEqual(yellow.fill);
  });
});
