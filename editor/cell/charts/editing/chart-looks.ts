import type { Chart, ChartSeries } from '../../../../model/cell/chart.ts';
import { type ChartChange, type SeriesFields, seriesNumbers } from '../../../../model/cell/chart-change.ts';
import type { ChartType, Grouping } from '../../../../model/cell/chart-kinds.ts';
import type { StringKey } from '../../../strings/strings.ts';

/** A kind of chart as people choose it: its kind in the file, how series stand together, and how each is drawn. */
interface ChartLookChoice {
  readonly label: StringKey;
  readonly type: ChartType;
  readonly grouping?: Grouping;
  readonly series?: SeriesFields;
}

const noMarks = { symbol: 'none' } as const;

export const chartLooks = {
  column: { label: 'chartEditing.column', type: 'column', grouping: 'clustered' },
  columnStacked: { label: 'chartEditing.columnStacked', type: 'column', grouping: 'stacked' },
  columnPercent: { label: 'chartEditing.columnPercent', type: 'column', grouping: 'percentStacked' },
  bar: { label: 'chartEditing.bar', type: 'bar', grouping: 'clustered' },
  barStacked: { label: 'chartEditing.barStacked', type: 'bar', grouping: 'stacked' },
  barPercent: { label: 'chartEditing.barPercent', type: 'bar', grouping: 'percentStacked' },
  line: { label: 'chartEditing.line', type: 'line', grouping: 'standard', series: { marker: noMarks } },
  lineMarks: {
    label: 'chartEditing.lineMarks',
    type: 'line',
    grouping: 'standard',
    series: { marker: null },
  },
  lineStacked: {
    label: 'chartEditing.lineStacked',
    type: 'line',
    grouping: 'stacked',
    series: { marker: noMarks },
  },
  area: { label: 'chartEditing.area', type: 'area', grouping: 'standard' },
  areaStacked: { label: 'chartEditing.areaStacked', type: 'area', grouping: 'stacked' },
  areaPercent: { label: 'chartEditing.areaPercent', type: 'area', grouping: 'percentStacked' },
  pie: { label: 'chartEditing.pie', type: 'pie' },
  doughnut: { label: 'chartEditing.doughnut', type: 'doughnut' },
  points: {
    label: 'chartEditing.points',
    type: 'scatter',
    series: { stroke: { none: true }, smooth: null, marker: null },
  },
  pointsLines: {
    label: 'chartEditing.pointsLines',
    type: 'scatter',
    series: { stroke: null, smooth: null, marker: noMarks },
  },
  pointsSmooth: {
    label: 'chartEditing.pointsSmooth',
    type: 'scatter',
    series: { stroke: null, smooth: true, marker: noMarks },
  },
} as const satisfies Record<string, ChartLookChoice>;

export type ChartLookName = keyof typeof chartLooks;

/** The choice that a chart is; null for one that none of them is. */
export function lookOfChart({ type, grouping, series, editable }: Chart): ChartLookName | null {
  if (editable === false) return null;
  const [first] = series;
  if (type === 'scatter')
    return first?.stroke?.none ? 'points' : first?.smooth ? 'pointsSmooth' : 'pointsLines';
  const same = (Object.entries(chartLooks) as [ChartLookName, ChartLookChoice][]).filter(
    ([, look]) => look.type === type && (look.grouping ?? null) === (grouping ?? look.grouping ?? null),
  );
  const hasMarks = series.some(({ marker }) => marker?.symbol !== 'none');
  return (
    same.find(
      ([name]) => type !== 'line' || (name === 'lineMarks') === (hasMarks && grouping !== 'stacked'),
    )?.[0] ?? null
  );
}

/** What makes a chart one of another choice; its series, names and titles stay. */
export function changeToLook(chart: Chart, name: ChartLookName): ChartChange {
  const { type, grouping, series }: ChartLookChoice = chartLooks[name];
  const numbers = seriesNumbers(chart.series);
  return {
    patch: { type, grouping: grouping ?? null },
    ...(series && { series: Object.fromEntries(numbers.map((number) => [number, series])) }),
  };
}

/** How a series that is put in looks beside the others. */
export function likeOthers({ type, series: [first] }: Chart): Partial<ChartSeries> {
  if (type !== 'line' && type !== 'scatter') return {};
  const { stroke, smooth, marker } = first ?? {};
  return {
    ...(stroke?.none && { stroke: { none: true } }),
    ...(smooth && { smooth }),
    ...(marker?.symbol === 'none' && { marker: noMarks }),
  };
}
