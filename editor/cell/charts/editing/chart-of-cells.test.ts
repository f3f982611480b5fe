import { describe, expect, it } from 'vitest';
import type { Chart } from '../../../../model/cell/chart.ts';
import { changedChart } from '../../../../model/cell/chart-change.ts';
import { blankWorkbook, parseWorkbook } from '../../../../model/cell/document.ts';
import { readRange } from '../../grid/cell-areas.ts';
import { blockOfChart, changeToBlock } from './chart-block.ts';
import { type ChartLookName, changeToLook, chartLooks, lookOfChart } from './chart-looks.ts';
import { type CellsOfChart, chartOfBlock, layoutOf } from './chart-of-cells.ts';
import { readCells, readWords, shownData } from './typed-data.ts';

const workbook = parseWorkbook(blankWorkbook('My data'));
const sheet = workbook.sheets[0]!;
/** Cells with these values, from A1; a day is a number in a list. */
const cells = (rows: readonly (readonly (string | number | null | [number])[])[]): CellsOfChart => ({
  sheet,
  valueAt: (row, column) => {
    const value = rows[row]?.[column] ?? null;
    return Array.isArray(value) ? value[0] : value;
  },
  isDateAt: (row, column) => Array.isArray(rows[row]?.[column]),
});
const range = (name: string) => readRange(name)!;
const sales = cells([
  ['', 'North', 'South'],
  ['Jan', 4, 5],
  ['Feb', 6, 7],
  ['Mar', 8, 9],
]);

describe('a chart of selected cells', () => {
  it('[XG15] finds headings and labels, and series along the longer side', () => {
    expect(chartOfBlock(sales, range('A1:C4'))).toEqual({
      ...{ type: 'column', grouping: 'clustered', legend: 'bottom' },
      series: ['B', 'C'].map((column) => ({
        name: `'My data'!$${column}$1`,
        categories: "'My data'!$A$2:$A$4",
        values: `'My data'!$${column}$2:$${column}$4`,
      })),
    });
    const wide = cells([
      ['Year', 2024, 2025, 2026],
      ['Cost', 1, 2, 3],
      ['Gain', 4, 5, 6],
    ]);
    expect(layoutOf(wide, range('A1:D3'))).toEqual({
      hasHeader: false,
      hasLabels: true,
      seriesIn: 'columns',
    });
    const years = cells([
      [null, 2024, 2025, 2026],
      ['Cost', 1, 2, 3],
    ]);
    expect(chartOfBlock(years, range('A1:D2'))).toMatchObject({
      autoTitle: true,
      legend: null,
      series: [{ name: "'My data'!$A$2", categories: "'My data'!$B$1:$D$1", values: "'My data'!$B$2:$D$2" }],
    });
    expect(chartOfBlock(cells([[1], [2], [3]]), range('A1:A3')).series).toEqual([
      { values: "'My data'!$A$1:$A$3" },
    ]);
    expect(chartOfBlock(cells([]), range('A1')).series).toHaveLength(1);
  });

  it('[XG15] is of the kind that shows them best', () => {
    const kindOf = (rows: Parameters<typeof cells>[0], name: string) =>
      chartOfBlock(cells(rows), range(name)).type;
    expect(
      kindOf(
        [
          ['Day', 'Visits'],
          [[45_000], 3],
          [[45_001], 4],
        ],
        'A1:B3',
      ),
    ).toBe('line');
    expect(
      kindOf(
        [
          ['x', 'y'],
          [1, 3],
          [2.5, 4],
          [7, 9],
        ],
        'A1:B4',
      ),
    ).toBe('scatter');
    expect(
      kindOf(
        [
          ['', 'Part'],
          ['A', 0.5],
          ['B', 0.25],
          ['C', 0.25],
        ],
        'A1:B4',
      ),
    ).toBe('pie');
    expect(
      kindOf(
        [
          ['', 'Count'],
          ['A', 5],
          ['B', 2],
        ],
        'A1:B3',
      ),
    ).toBe('column');
  });

  it('[XG16] becomes one of other cells, and of rows for columns; series keep their looks', () => {
    const chart: Chart = chartOfBlock(sales, range('A1:C4'));
    const block = blockOfChart(chart, workbook)!;
    expect(block).toMatchObject({ range: range('A1:C4'), layout: layoutOf(sales, range('A1:C4')) });
    const colored = changedChart(chart, { series: { 0: { color: { rgb: 'AA0000' } } } })!;
    const turned = changedChart(
      colored,
      changeToBlock(colored, { ...block, layout: { ...block.layout, seriesIn: 'rows' } }),
    )!;
    expect(turned.series.map(({ name, color }) => [name, color?.rgb])).toEqual([
      ["'My data'!$A$2", 'AA0000'],
      ["'My data'!$A$3", undefined],
      ["'My data'!$A$4", undefined],
    ]);
    expect(blockOfChart(turned, workbook)?.range).toEqual(range('A1:C4'));
    const less = changedChart(turned, changeToBlock(turned, { ...block, range: range('A1:B4') }))!;
    expect(less.series).toMatchObject([{ values: "'My data'!$B$2:$B$4", color: { rgb: 'AA0000' } }]);
    expect(
      blockOfChart(
        { ...chart, series: [{ values: "'My data'!$A$1" }, { values: "'My data'!$D$9" }] },
        workbook,
      ),
    ).toBeNull();
  });

  it('[XG16] is what was chosen, whichever choice comes after which', () => {
    const begun = chartOfBlock(sales, range('A1:C4'));
    const names = Object.keys(chartLooks) as ChartLookName[];
    for (const one of names)
      for (const other of names) {
        const first = changedChart(begun, changeToLook(begun, one))!;
        const second = changedChart(first, changeToLook(first, other))!;
        expect(lookOfChart(second), `${one} to ${other}`).toBe(other);
      }
  });

  it('[XG16] takes cells and words as they are typed, and nothing that leads nowhere', () => {
    const read = (typed: string) => readCells(typed, sheet, workbook);
    expect([read('=b2:b9'), read("'My data'!C1:C3")]).toEqual(["'My data'!$B$2:$B$9", "'My data'!$C$1:$C$3"]);
    expect([read('=Other!A1'), read('=SUM(A1)'), read('nothing'), read('[1]S!A1'), read('')]).toEqual(
      Array(5).fill(null),
    );
    expect([readWords('Say "x"', sheet, workbook), shownData('"Say ""x"""')]).toEqual([
      '"Say ""x"""',
      'Say "x"',
    ]);
    expect([readWords('=B1', sheet, workbook), shownData("'My data'!$B$1")]).toEqual([
      "'My data'!$B$1",
      "='My data'!$B$1",
    ]);
  });
});
