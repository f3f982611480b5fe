import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import { texts } from '../../strings/en/chart-words.ts';
import { addLaterTexts, type StringKey, t } from '../../strings/strings.ts';
import { axisText } from './shown-axis.ts';
import type { ShownChart } from './shown-chart.ts';
import type { ShownSeries } from './shown-series.ts';

await addLaterTexts(texts, {
  de: () => import('../../strings/de/chart-words.ts'),
  ar: () => import('../../strings/ar/chart-words.ts'),
});

/** Series that are said one by one. */
const mostSaid = 8;

const kinds: ReadonlySet<string> = new Set([
  ...['column', 'bar', 'line', 'area', 'pie', 'doughnut', 'scatter', 'bubble', 'radar', 'stock', 'surface'],
  ...[
    'waterfall',
    'treemap',
    'sunburst',
    'funnel',
    'boxWhisker',
    'clusteredColumn',
    'paretoLine',
    'regionMap',
  ],
]);

/** What kind of chart it is, as people call it. */
export function chartKindWords(type: string): string {
  return t(`chartWords.chartKind_${kinds.has(type) ? type : 'other'}` as StringKey);
}

/** What a chart shows, for who does not see it: kind, title, and of each series its name and how far its values go. */
export function chartWords(chart: ShownChart, settings: FormatSettings): string {
  const { form, type, title, series } = chart;
  const isCombined = new Set(series.map((one) => one.type)).size > 1;
  const kind = isCombined ? t('chartWords.chartKind_combined') : chartKindWords(type);
  const head = form === 'none' ? t('chartWords.chartNotDrawn', { kind }) : kind;
  const said = series.slice(0, mostSaid).map((one) => seriesWords(one, chart, settings));
  const more =
    series.length > mostSaid ? [t('chartWords.chartMore', { count: series.length - mostSaid })] : [];
  const titled = title === null ? head : `${head}: ${title.replaceAll('\n', ' ')}`;
  return [titled, ...said, ...more].join('. ');
}

function seriesWords(
  { name, values, isSecond }: ShownSeries,
  chart: ShownChart,
  settings: FormatSettings,
): string {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length === 0) return t('chartWords.chartEmpty', { name });
  const axis = isSecond ? chart.secondValue : chart.value;
  const [least, most] = numbers.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)] as const,
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as readonly [number, number],
  );
  return t('chartWords.chartRange', {
    name,
    count: numbers.length,
    least: axisText(least, axis, settings),
    most: axisText(most, axis, settings),
  });
}
