import { expect, it } from 'vitest';
import { barSeries, lineSeries } from './series-option.ts';
import type { ShownChart } from './shown-chart.ts';
import type { ShownSeries } from './shown-series.ts';

const plain = {
  ...{
    type: 'line',
    name: 'Sales',
    values: [1, 2],
    labels: null,
    color: '#123456',
    gradient: null,
    pointColors: [],
  },
  ...{ isSecond: false, stack: null, isSmooth: false, isFilled: true },
  line: { color: null, width: null, dash: null, isNone: false },
};

/** What stands at the points of a line whose marks are called so. */
const symbolOf = (symbol: string | null): unknown => {
  const series = { ...plain, marker: { symbol, size: null, color: null } } as unknown as ShownSeries;
  const look = { told: (color: string) => color } as never;
  return (lineSeries(series, 1, { spansBlanks: false } as ShownChart, look) as { symbol?: unknown }).symbol;
};

it('[XE91] marks of a chart are those that there are, whatever they are called: nothing is fetched for them', () => {
  expect([symbolOf('square'), symbolOf('none'), symbolOf(null)]).toEqual(['rect', 'none', 'rect']);
  for (const symbol of ['image://https://other.test/a.png', 'path://M0,0', 'picture', 'constructor'])
    expect(symbolOf(symbol)).toBe('rect');
});

it('[XS228] a bar whose outline has no width has the finest line that there is; one without an outline has none', () => {
  const look = { told: (color: string) => color } as never;
  const borderOf = (line: object): unknown => {
    const series = { ...plain, type: 'column', line: { ...plain.line, ...line } } as unknown as ShownSeries;
    const chart = { series: [series], overlapPercent: 0, gapPercent: 100 } as unknown as ShownChart;
    const { itemStyle } = barSeries(series, chart, look) as { itemStyle: { borderWidth?: number } };
    return itemStyle.borderWidth;
  };
  expect([0, 0.75, 3].map((width) => borderOf({ color: '#000000', width }))).toEqual([1, 1, 4]);
  expect([borderOf({ color: '#000000', isNone: true }), borderOf({})]).toEqual([undefined, undefined]);
});
