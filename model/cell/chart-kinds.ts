import type { Chart, ChartSeries } from './chart.ts';

/** The kinds of charts that people choose; others are shown, or kept, as the file has them. */
export const chartTypes = ['column', 'bar', 'line', 'area', 'pie', 'doughnut', 'scatter'] as const;
export type ChartType = (typeof chartTypes)[number];
export type Grouping = NonNullable<Chart['grouping']>;

export const isChartType = (type: string): type is ChartType =>
  (chartTypes as readonly string[]).includes(type);

/** Slices of a circle: without axes, and each point of a series has a colour of its own. */
export const isRound = (type: string): boolean => type === 'pie' || type === 'doughnut';
const isBars = (type: string): boolean => type === 'column' || type === 'bar';
/** Series whose colour is that of their line, and not of what is filled. */
export const isOfLines = (type: string): boolean => type === 'line' || type === 'scatter' || type === 'radar';

/** How the series of a kind may stand together, the usual way first; none where there is only one. */
export function groupingsOf(type: string): readonly Grouping[] {
  if (isBars(type)) return ['clustered', 'stacked', 'percentStacked'];
  return type === 'line' || type === 'area' ? ['standard', 'stacked', 'percentStacked'] : [];
}

const places = {
  bars: ['center', 'insideEnd', 'insideBase', 'outsideEnd'],
  stackedBars: ['center', 'insideEnd', 'insideBase'],
  lines: ['center', 'left', 'right', 'top', 'bottom'],
  pie: ['bestFit', 'center', 'insideEnd', 'outsideEnd'],
  none: [],
} as const satisfies Record<string, readonly NonNullable<ChartSeries['labelPlace']>[]>;

/** Where labels may stand in charts of a kind (21.2.2.48, as Excel reads it): a file that says another place is repaired. */
export function labelPlacesOf(
  type: string,
  grouping: Chart['grouping'],
  solid = false,
): readonly NonNullable<ChartSeries['labelPlace']>[] {
  if (type === 'pie') return places.pie;
  if (solid) return places.none;
  if (isBars(type))
    return grouping === 'stacked' || grouping === 'percentStacked' ? places.stackedBars : places.bars;
  return type === 'area' || type === 'doughnut' ? places.none : places.lines;
}

/** What only some kinds have is left out of a chart that becomes one of another kind; its data, names and titles stay. */
export function chartOfKind(chart: Chart, type: ChartType, wished: Grouping | undefined): Chart {
  const groupings = groupingsOf(type);
  const grouping = wished !== undefined && groupings.includes(wished) ? wished : groupings[0];
  const isStacked = grouping === 'stacked' || grouping === 'percentStacked';
  const { solid: _solid, overlapPercent: _overlap, variesColors, ...rest } = chart;
  const isOtherForm = isRound(type) !== isRound(chart.type);
  return withoutAbsent({
    ...rest,
    type,
    grouping,
    gapPercent: isBars(type) ? chart.gapPercent : undefined,
    overlapPercent: isBars(type) && isStacked ? 100 : undefined,
    holePercent: type === 'doughnut' ? (chart.holePercent ?? 50) : undefined,
    firstAngle: isRound(type) ? chart.firstAngle : undefined,
    variesColors: isOtherForm ? undefined : variesColors,
    axes: axesOfKind(chart, type),
    series: chart.series.map((series) => seriesOfKind(series, chart.type, type, grouping)),
  });
}

function seriesOfKind(
  series: ChartSeries,
  from: string,
  to: ChartType,
  grouping: Chart['grouping'],
): ChartSeries {
  const isOtherLook = isOfLines(from) !== isOfLines(to);
  const hasMarks = to === 'line' || to === 'scatter';
  const { labelParts, labelPlace, points, filled, stroke, marker, smooth } = series;
  const parts = isRound(to) ? labelParts : labelParts?.filter((part) => part !== 'percent');
  const isPlaced = labelPlace !== undefined && labelPlacesOf(to, grouping).includes(labelPlace);
  const isSameLook = !isOtherLook && isRound(from) === isRound(to);
  return withoutAbsent({
    ...series,
    labelParts: parts?.length === 0 ? undefined : parts,
    labelPlace: isPlaced ? labelPlace : undefined,
    points: isSameLook ? points : undefined,
    filled: isOtherLook ? undefined : filled,
    stroke: isOtherLook ? undefined : stroke,
    marker: hasMarks ? marker : undefined,
    smooth: hasMarks ? smooth : undefined,
  });
}

function axesOfKind({ axes, type: from }: Chart, to: ChartType): Chart['axes'] {
  if (isRound(to) || from === to) return axes;
  const isPlane = to === 'scatter';
  const isOtherPlane = isPlane !== (from === 'scatter');
  const { category, value, ...others } = axes ?? {};
  const { minimum, maximum, step, logBase, gridlines, days, between: _, ...words } = category ?? {};
  const numbers = { minimum, maximum, step, logBase };
  const next = withoutAbsent({
    ...others,
    category: someOf({
      ...words,
      ...(isPlane ? numbers : { days: isOtherPlane ? undefined : days }),
      gridlines: isOtherPlane ? undefined : gridlines,
      between: isPlane ? false : undefined,
    }),
    value: someOf({ ...value, between: isPlane || to === 'area' ? false : undefined }),
  });
  return someOf(next);
}

const someOf = <Value extends object>(value: Value): Value | undefined => {
  const some = withoutAbsent(value);
  return Object.keys(some).length > 0 ? some : undefined;
};

/** Without the fields that are undefined: absent is how a field that says nothing is kept. */
export const withoutAbsent = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Value;
