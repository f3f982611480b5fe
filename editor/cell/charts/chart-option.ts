import type { EChartsCoreOption } from 'echarts/core';
import { axesOption } from './axes-option.ts';
import { chartFrame, plainText, textPx, titlePx } from './chart-frame.ts';
import type { DrawingContext } from './chart-look.ts';
import { circleSeries } from './circle-option.ts';
import { barSeries, lineSeries, pointSeries, starSeries } from './series-option.ts';
import type { ShownChart } from './shown-chart.ts';
import type { ShownSeries } from './shown-series.ts';

/** A chart in the words of the library that draws it. */
export function chartOption(given: ShownChart, context: DrawingContext): EChartsCoreOption {
  const chart = { ...given, series: withOwnNames(given.series) };
  const { width, height, look } = context;
  const isCircle = chart.form === 'circle';
  const named = chart.series.filter(({ isUnnamed }) => !isUnnamed);
  const varied = !isCircle && chart.series.length === 1 && chart.series[0]!.pointColors.some(Boolean);
  const names = isCircle ? chart.categories.map(plainText) : varied ? [] : named.map(({ name }) => name);
  const frame = chartFrame(chart, names, width, height);
  const text = { color: look.text, fontFamily: look.font, fontSize: textPx };
  return {
    animation: false,
    backgroundColor: 'transparent',
    textStyle: text,
    title: {
      show: frame.titleLines.length > 0,
      text: frame.titleLines.join('\n'),
      left: 'center',
      top: 8,
      padding: 0,
      textStyle: { ...text, fontSize: titlePx, fontWeight: 'normal', lineHeight: titlePx * 1.35 },
    },
    legend: {
      show: frame.legend !== null,
      data: names.map((name) => ({ name, ...iconOf(chart, name) })),
      orient: frame.legend?.isVertical ? 'vertical' : 'horizontal',
      ...frame.legend?.place,
      padding: 0,
      itemGap: 8,
      itemWidth: 18,
      itemHeight: 10,
      textStyle: text,
      selectedMode: false,
    },
    ...partsOf(chart, frame, context),
  };
}

function partsOf(chart: ShownChart, frame: ReturnType<typeof chartFrame>, context: DrawingContext): object {
  const { look, width, height } = context;
  switch (chart.form) {
    case 'circle':
      return { series: circleSeries(chart, frame, context) };
    case 'star':
      return starSeries(chart, frame, context);
    case 'plane':
      return {
        ...axesOption(chart, frame, context),
        series: chart.series.map((one, at) => pointSeries(one, at, chart, look)),
      };
    default:
      return {
        ...axesOption(chart, frame, { ...context, width, height }),
        series: chart.series.map((one, at) =>
          one.type === 'column' || one.type === 'bar'
            ? barSeries(one, chart, look)
            : lineSeries(one, at, chart, look),
        ),
      };
  }
}

/** The library knows series by their names: equal ones are told apart by spaces of no width. */
function withOwnNames(series: readonly ShownSeries[]): ShownSeries[] {
  const known = new Map<string, number>();
  return series.map((one) => {
    const count = known.get(one.name) ?? 0;
    known.set(one.name, count + 1);
    return { ...one, name: one.name + '\u200b'.repeat(one.name === '' ? count + 1 : count) };
  });
}

const lineIcon = 'path://M0,4H20V6H0Z';

/** What stands for a series in the legend: a line with its marks is known to the library itself. */
function iconOf(chart: ShownChart, name: string): { readonly icon?: string } {
  const series = chart.series.find((one) => one.name === name);
  if (chart.form === 'circle' || !series || !/^(?:line|scatter|radar)$/.test(series.type))
    return { icon: 'rect' };
  return series.marker.symbol === 'none' ? { icon: lineIcon } : {};
}
