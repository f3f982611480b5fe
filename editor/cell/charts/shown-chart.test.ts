import { describe, expect, it } from 'vitest';
import { applyOperation } from '../../../model/cell/change.ts';
import type { Chart, ChartAxis, ChartSeries } from '../../../model/cell/chart.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { contrastOf } from '../grid/colors.ts';
import { axesOption } from './axes-option.ts';
import { chartLook } from './chart-look.ts';
import { chartWords } from './chart-words.ts';
import { drawChart } from './draw-chart.ts';
import type { ChartSource } from './referenced-cells.ts';
import { shownChart } from './shown-chart.ts';
import '../texts.ts';

const settings = { locale: 'en-US' };
const page = { background: '#ffffff', text: '#000000', font: 'Carlito' };

/** What is looked at of an axis in the words of the library. */
interface DrawnAxis {
  readonly axisLine: { readonly show: boolean };
  readonly axisTick: { readonly show: boolean; readonly inside: boolean };
}

/** A workbook with rows from A1 on; a number format of a column counts for all of it. */
function workbookOf(
  rows: readonly (readonly (string | number | null)[])[],
  more: readonly CellOperation[] = [],
): ChartSource {
  const cells = rows.flatMap((row, at) =>
    row.flatMap((v, column) => (v === null ? [] : [[at, column, { v }] as const])),
  );
  const set = { op: 'set', sheet: 's1', cells } as CellOperation;
  const workbook = [set, ...more].reduce<Workbook>(
    (all, one) => applyOperation(all, one) as Workbook,
    parseWorkbook(blankWorkbook()),
  );
  return { workbook, valueOf: () => undefined, settings };
}
const numbers = (column: number, number: string): CellOperation => ({
  ...{ op: 'format', sheet: 's1', areas: [[0, column, 1_048_575, column]], patch: { number } },
});

const table = [
  ['Month', 'Sales', 'Costs'],
  ['Jan', 10, 4],
  ['Feb', 30, 6],
  ['Mar', -5, 10],
];
const chart: Chart = {
  type: 'column',
  series: [
    { name: 'Sheet1!$B$1', categories: 'Sheet1!$A$2:$A$4', values: 'Sheet1!$B$2:$B$4' },
    { name: 'Sheet1!$C$1', categories: 'Sheet1!$A$2:$A$4', values: 'Sheet1!$C$2:$C$4' },
  ],
};
const hide: CellOperation = {
  ...{ op: 'lines', sheet: 's1', axis: 'row', spans: [[2, 2]], patch: { hidden: true } },
} as never;

describe('what a chart shows of a workbook', () => {
  it('[XG4] is what cells come to now, with names and categories as cells show them', () => {
    const cells = workbookOf(table, [numbers(1, '0.0 "€"')]);
    const shown = shownChart(chart, {
      ...cells,
      valueOf: (_, row, column) => (row === 1 && column === 1 ? 12 : undefined),
    });
    expect(shown.series.map(({ name, values }) => [name, values])).toEqual([
      ['Sales', [12, 30, -5]],
      ['Costs', [4, 6, 10]],
    ]);
    expect(shown.categories).toEqual(['Jan', 'Feb', 'Mar']);
    expect(shown.value.pattern).toBe('0.0 "€"');
    expect(shown.series[0]!.color).not.toBe(shown.series[1]!.color);
  });

  it('[XG4] leaves out cells of hidden rows, unless the chart says otherwise', () => {
    const cells = workbookOf(table, [hide]);
    expect(shownChart(chart, cells)).toMatchObject({
      categories: ['Jan', 'Mar'],
      series: [{ values: [10, -5] }, {}],
    });
    expect(shownChart({ ...chart, showsHidden: true }, cells).categories).toHaveLength(3);
  });

  it('[XG4] is what the file had last where there are no such cells: other workbooks, and formulas as names', () => {
    const cached = { name: ['Old'], categories: [45_658, 45_689], values: [1, null] };
    const away: Chart = {
      type: 'line',
      series: [
        {
          ...{ name: '[1]S!$A$1', categories: '[1]S!$A$2:$A$3', values: '[1]S!$B$2:$B$3' },
          ...{ cached, cachedFormats: { categories: 'mmm yy' } },
        },
        { values: 'OFFSET(Sheet1!$A$1,0,0,2)', cached: { values: [7, 8] } },
        { values: '#REF!' },
      ],
    };
    const shown = shownChart(away, workbookOf(table));
    expect(shown.categories).toEqual(['Jan 25', 'Feb 25']);
    expect(shown.series.map(({ name, values }) => [name, values])).toEqual([
      ['Old', [1, null]],
      ['Series 2', [7, 8]],
      ['Series 3', []],
    ]);
  });

  it('[XG4] has gaps for what is empty and errors, or zeros where it says so; words are zero', () => {
    const cells = workbookOf([[1], [null], ['x'], [4]]);
    const of = (blanks: Chart['blanks']) =>
      shownChart({ type: 'line', blanks, series: [{ values: 'Sheet1!$A$1:$A$4' }] }, cells);
    expect(of('gap').series[0]!.values).toEqual([1, null, 0, 4]);
    expect(of('zero').series[0]!.values).toEqual([1, 0, 0, 4]);
    expect(of('span')).toMatchObject({ spansBlanks: true, series: [{ values: [1, null, 0, 4] }] });
  });

  it('[XG4] of parts of a hundred has them, each sign for itself', () => {
    const shown = shownChart({ ...chart, grouping: 'percentStacked' }, workbookOf(table));
    expect(shown.series[0]!.values).toEqual([10 / 14, 30 / 36, -5 / 15]);
    expect(shown.value.pattern).toBe('0%');
    expect(new Set(shown.series.map(({ stack }) => stack)).size).toBe(1);
  });

  it('[XG4] of days stands in order, as far apart as they are: by months where no two are in one', () => {
    const cells = workbookOf(
      [
        [45_747, 3],
        [45_658, 1],
      ],
      [numbers(0, 'mmm')],
    );
    const days: Chart = {
      type: 'column',
      series: [{ categories: 'Sheet1!$A$1:$A$2', values: 'Sheet1!$B$1:$B$2' }],
      axes: { category: { days: true } },
    };
    expect(shownChart(days, cells)).toMatchObject({
      categories: ['Jan', 'Feb', 'Mar'],
      series: [{ values: [1, null, 3] }],
    });
  });

  it('[XG4] of points has them across by numbers, or by 1, 2, 3 where there are words', () => {
    const of = (categories: string) =>
      shownChart({ type: 'scatter', series: [{ categories, values: 'Sheet1!$C$2:$C$4' }] }, workbookOf(table))
        .series[0]!.across;
    expect(of('Sheet1!$B$2:$B$4')).toEqual([10, 30, -5]);
    expect(of('Sheet1!$A$2:$A$4')).toEqual([1, 2, 3]);
  });

  it('[XG4] has lines across from both axes of points, and from one where the other has words, unless it says otherwise', () => {
    const gridOf = (type: string, gridlines?: boolean) => {
      const axes = gridlines === undefined ? {} : { axes: { category: { gridlines } } };
      return shownChart({ ...chart, type, ...axes }, workbookOf(table)).category.hasGrid;
    };
    expect(['scatter', 'bubble', 'column', 'line'].map((type) => gridOf(type))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([gridOf('scatter', false), gridOf('column', true)]).toEqual([false, true]);
  });

  it('[XG4] has a title of words, of a cell, or of its only series, and labels as they are asked for', () => {
    const cells = workbookOf(table);
    const [first] = chart.series;
    const titleOf = (more: Partial<Chart>) => shownChart({ ...chart, ...more }, cells).title;
    expect(titleOf({ title: 'Words' })).toBe('Words');
    expect(titleOf({ title: 'Old', titleFormula: 'Sheet1!$A$1' })).toBe('Month');
    expect(titleOf({ title: 'Old', titleFormula: '[1]S!$A$1' })).toBe('Old');
    expect(titleOf({ autoTitle: true })).toBeNull();
    expect(titleOf({ autoTitle: true, series: [first!] })).toBe('Sales');
    const labelled: Chart = {
      type: 'pie',
      series: [{ ...chart.series[1]!, labels: true, labelParts: ['category', 'percent'] }],
    };
    expect(shownChart(labelled, cells).series[0]!.labels).toEqual(['Jan; 20%', 'Feb; 30%', 'Mar; 50%']);
  });

  it('[XG4] has levels of categories, the outer one below where it begins', () => {
    const cells = workbookOf([
      ['2024', 'Q1', 1],
      [null, 'Q2', 2],
      ['2025', 'Q1', 3],
    ]);
    const levels: Chart = {
      type: 'column',
      series: [{ categories: 'Sheet1!$A$1:$B$3', values: 'Sheet1!$C$1:$C$3' }],
    };
    expect(shownChart(levels, cells).categories).toEqual(['Q1\n2024', 'Q2', 'Q1\n2025']);
  });
});

describe('a chart as it is drawn', () => {
  const draw = (given: Chart, cells = workbookOf(table), on = page) => {
    const shown = shownChart(given, cells);
    return drawChart(shown, { width: 480, height: 288, look: chartLook(shown, on), settings });
  };
  /** Heights of the boxes of a colour. */
  const heightsOf = (svg: string, color: string): number[] =>
    [...svg.matchAll(new RegExp(`<path d="[^"]*l0 (-?[\\d.]+)[^"]*" fill="${color}"`, 'g'))].map(
      ([, height]) => Math.abs(Number(height)),
    );

  it('[XG5] has bars as high as their values, in the colour of their series', () => {
    const red: Chart = { type: 'column', series: [{ ...chart.series[0]!, color: { rgb: 'FF0000' } }] };
    const [first, second, third] = heightsOf(draw(red), '#ff0000');
    expect(second! / first!).toBeCloseTo(3, 1);
    expect(third! / first!).toBeCloseTo(0.5, 1);
  });

  it('[XS232] fills bars and areas from colour to colour, until they get another colour', () => {
    const stops = [
      { at: 0, color: { rgb: 'FF0000' } },
      { at: 0.5, color: { rgb: '00FF00' } },
      { at: 1, color: { rgb: '0000FF' } },
    ];
    const faded = (type: string, color: ChartSeries['color']): string =>
      draw({ type, series: [{ ...chart.series[0]!, color, gradient: { angle: 90, stops } }] });
    const colors =
      /<linearGradient[^>]*>(?:\s*<stop [^>]*stop-color="#(?:ff0000|00ff00|0000ff)"[^>]*>(?:<\/stop>)?){3}/;
    for (const type of ['column', 'bar', 'area']) expect(faded(type, { rgb: '00FF00' })).toMatch(colors);
    const upright = faded('column', { rgb: '00FF00' }).match(/<linearGradient [^>]*>/)?.[0];
    expect(upright).toMatch(/y1="0" .*y2="1"/);
    const chosen = faded('column', { rgb: '123456' });
    expect([chosen.includes('linearGradient'), chosen.includes('fill="#123456"')]).toEqual([false, true]);
  });

  it('[XG5] has the levels of its categories one below the other', () => {
    const cells = workbookOf([
      ['2024', 'Q1', 1],
      [null, 'Q2', 2],
    ]);
    const levels: Chart = {
      type: 'column',
      series: [{ values: 'Sheet1!$C$1:$C$2', categories: 'Sheet1!$A$1:$B$2' }],
    };
    const svg = draw(levels, cells);
    const [inner, outer] = ['Q1', '2024'].map((text) =>
      Number(new RegExp(`<text[^>]* y="([\\d.]+)"[^>]*>${text}<`).exec(svg)?.[1]),
    );
    expect(outer! - inner!).toBeGreaterThan(14);
  });

  it('[XS278] a star goes from the top to the right, as in Excel', () => {
    const svg = draw({ ...chart, type: 'radar' });
    const [top, second, third] = ['Jan', 'Feb', 'Mar'].map((name) =>
      Number(new RegExp(`<text[^>]*translate\\(([\\d.]+)[^>]*>${name}<`).exec(svg)?.[1]),
    );
    expect(second!).toBeGreaterThan(top!);
    expect(third!).toBeLessThan(top!);
  });

  it('[XG5] of every kind has its series, second axes and titles, and no word is markup', () => {
    const title = '<b>R&D</b>';
    const all: Chart[] = [
      ...['column', 'bar', 'line', 'area', 'pie', 'doughnut', 'scatter', 'bubble', 'radar'].map((type) => ({
        ...chart,
        type,
        title,
        legend: 'bottom' as const,
      })),
      {
        ...chart,
        title,
        legend: 'right',
        axes: { value: { logBase: 10, reversed: true } },
        series: [chart.series[0]!, { ...chart.series[1]!, type: 'line', secondAxis: true }],
      },
    ];
    for (const one of all) {
      const svg = draw(one);
      expect(svg).toContain('&lt;b&gt;R&amp;D&lt;/b&gt;');
      expect(svg).not.toContain('<b>');
      if (one.type !== 'pie' && one.type !== 'doughnut') expect(svg).toContain('>Costs<');
    }
  });

  it('[XG5] has an axis where the other one begins, if it says so, and not where that is zero', () => {
    const onZero = (crosses?: number | 'min') => {
      const category = { minimum: -180, maximum: 180 };
      const axes = { category, value: crosses === undefined ? {} : { crosses } };
      const shown = shownChart({ ...chart, type: 'scatter', axes }, workbookOf(table));
      const option = axesOption(shown, { left: 0, right: 0, top: 0, bottom: 0 } as never, {
        width: 480,
        height: 288,
        look: chartLook(shown, page),
        settings,
      }) as { yAxis: { axisLine: { onZero: boolean } }[] };
      return option.yAxis[0]!.axisLine.onZero;
    };
    expect([onZero(), onZero(-180), onZero('min'), onZero(0)]).toEqual([true, false, false, true]);
  });

  it('[XS231] has axes and their marks in the colours and places that they say, and none of an axis without a line', () => {
    const lookOf = (value: ChartAxis, category: ChartAxis = {}) => {
      const shown = shownChart({ ...chart, axes: { value, category } }, workbookOf(table));
      const context = { width: 480, height: 288, look: chartLook(shown, page), settings };
      const frame = { left: 0, right: 0, top: 0, bottom: 0 } as never;
      const { xAxis, yAxis } = axesOption(shown, frame, context) as Record<string, readonly DrawnAxis[]>;
      return [yAxis![0]!, xAxis![0]!] as const;
    };
    const line = { color: { rgb: 'FF0000' }, width: 1.5, dash: 'dash' };
    const [red] = lookOf({ stroke: line, ticks: 'out' });
    expect(red).toMatchObject({
      axisLine: { show: true, lineStyle: { color: '#ff0000', width: 2, type: 'dashed' } },
      axisTick: { show: true, inside: false, lineStyle: { color: '#ff0000' } },
    });
    const [plain, words] = lookOf({});
    expect([plain.axisLine.show, plain.axisTick.show]).toEqual([false, false]);
    expect([words.axisLine.show, words.axisTick.show]).toEqual([true, false]);
    const [none, clear] = lookOf(
      { stroke: { none: true }, ticks: 'cross' },
      { stroke: { none: true }, ticks: 'in' },
    );
    for (const { axisLine, axisTick } of [none, clear])
      expect([axisLine.show, axisTick.show]).toEqual([false, false]);
    const [old, inner] = lookOf({ ticks: 'out' }, { ticks: 'in' });
    expect([old.axisLine.show, inner.axisTick.inside]).toEqual([true, true]);
  });

  it('[XG5] is an SVG whatever the fonts are called', () => {
    const svg = draw({ ...chart, title: 'Sales' }, workbookOf(table), {
      ...page,
      font: '"A & B<", "Liberation Sans"',
    });
    expect(svg).toContain("font-family:'A  B', 'Liberation Sans'");
    expect(svg).not.toContain('"Liberation');
  });

  it('[XG5] can be told from a dark page', () => {
    const dark = { ...page, background: '#1b1b1b', text: '#e6e6e6' };
    const black: Chart = {
      type: 'column',
      background: { rgb: 'FFFFFF' },
      textColor: { rgb: '404040' },
      series: [{ ...chart.series[0]!, color: { rgb: '101010' } }],
    };
    const shown = shownChart(black, workbookOf(table));
    const look = chartLook(shown, dark);
    expect(look.background).toBe('#1b1b1b');
    expect(look.text).toBe('#ffffff');
    expect(draw(black, workbookOf(table), dark)).not.toContain('fill="#101010"');
    expect(chartLook(shown, page)).toMatchObject({ background: '#ffffff', text: '#404040' });
  });

  it('[XU13] has three times the contrast on a black page, which is for people who need it', () => {
    const navy: Chart = { type: 'column', series: [{ ...chart.series[0]!, color: { rgb: '1F3A5F' } }] };
    const shown = shownChart(navy, workbookOf(table));
    const told = (background: string) =>
      chartLook(shown, { ...page, background, text: '#ffffff' }).told('#1f3a5f');
    expect(contrastOf(told('#000000'), '#000000')).toBeGreaterThan(3);
    expect(told('#ffffff')).toBe('#1f3a5f');
  });

  it('[XG6] is said in words: kind, title, and how far the values of each series go', () => {
    const cells = workbookOf(table, [numbers(1, '0.00')]);
    expect(chartWords(shownChart({ ...chart, title: 'A year\nof sales' }, cells), settings)).toBe(
      'Column chart: A year of sales. Sales: 3 values, from -5.00 to 30.00. Costs: 3 values, from 4.00 to 10.00',
    );
    expect(chartWords(shownChart({ type: 'waterfall', title: 'Steps', series: [] }, cells), settings)).toBe(
      'Waterfall chart, which is not drawn here: Steps',
    );
  });
});
