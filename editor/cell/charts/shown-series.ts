import type { Chart, ChartSeries } from '../../../model/cell/chart.ts';
import { t } from '../../strings/strings.ts';
import { cssColor } from '../shown/sheet-colors.ts';
import type { Categories } from './chart-categories.ts';
import { chartColors, pointColors, seriesColor } from './chart-colors.ts';
import { formOf } from './chart-form.ts';
import type { ChartSource, ReferencedCell } from './referenced-cells.ts';
import { dataOfPart } from './series-data.ts';
import { labelsOf } from './series-labels.ts';
import { acrossOf, numberOf, numbersOf } from './series-numbers.ts';
import { gradientOf, type ShownGradient } from './shown-gradient.ts';
import { lineOf, type ShownLine } from './shown-line.ts';

export interface ShownSeries {
  readonly name: string;
  readonly type: string;
  /** Series of one stack stand on each other; null stands alone. */
  readonly stack: string | null;
  readonly values: readonly (number | null)[];
  /** Of points in the plane. */
  readonly across: readonly number[] | null;
  readonly sizes: readonly (number | null)[] | null;
  readonly color: string;
  /** What is filled with it instead of the colour. */
  readonly gradient: ShownGradient | null;
  readonly isFilled: boolean;
  readonly line: ShownLine;
  readonly marker: {
    readonly symbol: string | null;
    readonly size: number | null;
    readonly color: string | null;
  };
  /** Colours of points that are not as the series. */
  readonly pointColors: readonly (string | null | undefined)[];
  /** What stands at each point; null for series without labels. */
  readonly labels: readonly string[] | null;
  readonly labelPlace: ChartSeries['labelPlace'] | null;
  readonly isSecond: boolean;
  readonly isSmooth: boolean;
  /** Where it is left out of the legend. */
  readonly isUnnamed: boolean;
}

/** A series with what its cells say. */
export interface ReadSeries {
  readonly series: ChartSeries;
  readonly name: string | undefined;
  readonly values: readonly ReferencedCell[];
}

/** What series are of. */
interface SeriesContext {
  readonly chart: Chart;
  readonly shown: ChartSource;
  readonly categories: Categories;
  /** How many series there are. */
  readonly count: number;
}

/** The series of a chart as they are to be drawn, in the order of that. */
export function shownSeries(
  read: readonly ReadSeries[],
  context: Omit<SeriesContext, 'count'>,
): ShownSeries[] {
  const all = read.map((one, at) => oneSeries(one, at, { ...context, count: read.length }));
  return sharesOfSums(all, read, context.chart)
    .map((one, at) => ({ one, order: read[at]!.series.order ?? at }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ one }) => one);
}

const groupingOf = (series: ChartSeries, chart: Chart): string =>
  series.grouping ?? chart.grouping ?? 'standard';

function stackOf(series: ChartSeries, chart: Chart): string | null {
  const grouping = groupingOf(series, chart);
  if (grouping !== 'stacked' && grouping !== 'percentStacked') return null;
  return `${series.type ?? chart.type} ${series.secondAxis ? 2 : 1}`;
}

function oneSeries({ series, name, values }: ReadSeries, at: number, context: SeriesContext): ShownSeries {
  const { chart, shown, categories, count } = context;
  const theme = shown.workbook.properties.theme?.colors;
  const type = series.type ?? chart.type;
  const form = formOf(chart.type);
  const isRound = form === 'circle';
  const colors = chartColors(chart, theme);
  const isVaried = (chart.variesColors ?? isRound) && (count === 1 || isRound);
  const dataOf = (part: 'categories' | 'sizes') => dataOfPart(series, part, chart, shown);
  return {
    name: name ?? t('chartWords.chartSeries', { number: at + 1 }),
    type,
    stack: stackOf(series, chart),
    values: categories.placed(numbersOf(values, chart, type)),
    across: form === 'plane' ? acrossOf(dataOf('categories'), values.length) : null,
    sizes: type === 'bubble' ? (dataOf('sizes')?.cells.map(numberOf) ?? null) : null,
    color: seriesColor(series, at, count, colors),
    gradient: gradientOf(series, theme),
    isFilled: series.filled !== false,
    line: lineOf(series.stroke, theme),
    marker: {
      symbol: series.marker?.symbol ?? null,
      size: series.marker?.size ?? null,
      color: cssColor(series.marker?.color, theme),
    },
    pointColors: categories.placed(pointColors(series, values.length, isVaried, colors)),
    labels: series.labels
      ? categories
          .placed(labelsOf(series, values, { chart, name, categories: categories.own, shown }))
          .map((text) => text ?? '')
      : null,
    labelPlace: series.labelPlace ?? null,
    isSecond: series.secondAxis === true,
    isSmooth: series.smooth === true,
    isUnnamed: chart.legendWithout?.includes(at) === true && !isRound,
  };
}

/** Series that stand on each other as shares of 100 % have them as values. */
function sharesOfSums(all: readonly ShownSeries[], read: readonly ReadSeries[], chart: Chart): ShownSeries[] {
  const isShare = read.map(({ series }) => groupingOf(series, chart) === 'percentStacked');
  const sums = new Map<string | null, number[]>();
  for (const [at, { stack, values }] of all.entries()) {
    if (!isShare[at]) continue;
    const sum = sums.get(stack) ?? [];
    for (const [index, value] of values.entries()) sum[index] = (sum[index] ?? 0) + Math.abs(value ?? 0);
    sums.set(stack, sum);
  }
  return all.map((one, at) => {
    const sum = sums.get(one.stack);
    if (!isShare[at] || !sum) return one;
    const values = one.values.map((value, index) => (value === null ? null : value / (sum[index] || 1)));
    return { ...one, values };
  });
}
