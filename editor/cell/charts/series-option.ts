import { type ChartFrame, textPx } from './chart-frame.ts';
import type { ChartLook, DrawingContext } from './chart-look.ts';
import type { ShownChart } from './shown-chart.ts';
import type { ShownLine } from './shown-line.ts';
import type { ShownSeries } from './shown-series.ts';

const pxPerPoint = 96 / 72;
/** Of lines that say nothing: 2.25 points. */
const linePx = 3;
const markPx = 7;
/** From so many points on a line is drawn by those of them that show its shape. */
const sampledPoints = 4_000;

const symbols: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    ...{ circle: 'circle', square: 'rect', diamond: 'diamond', triangle: 'triangle', dot: 'circle' },
    ...{ x: 'path://M0,1L1,0L5,4L9,0L10,1L6,5L10,9L9,10L5,6L1,10L0,9L4,5Z', dash: 'path://M0,4H10V6H0Z' },
    ...{ plus: 'path://M4,0H6V4H10V6H6V10H4V6H0V4H4Z', star: 'path://M4,0H6V4H10V6H6V10H4V6H0V4H4Z' },
  }),
);
const automaticSymbols = ['diamond', 'rect', 'triangle', 'circle'];

const places: Readonly<Record<string, string>> = {
  ...{ center: 'inside', insideEnd: 'insideTop', insideBase: 'insideBottom', outsideEnd: 'top' },
  ...{ left: 'left', right: 'right', top: 'top', bottom: 'bottom' },
};
const sidewaysPlaces: Readonly<Record<string, string>> = {
  ...{ center: 'inside', insideEnd: 'insideRight', insideBase: 'insideLeft', outsideEnd: 'right' },
};

const noEmphasis = { emphasis: { disabled: true }, silent: true } as const;

function labelOf(series: ShownSeries, look: ChartLook, place: string): object {
  const { labels } = series;
  if (labels === null) return {};
  return {
    label: {
      show: true,
      position: place,
      color: place.startsWith('inside') ? undefined : look.text,
      fontFamily: look.font,
      fontSize: textPx - 1,
      formatter: ({ dataIndex }: { dataIndex: number }) => labels[dataIndex] ?? '',
    },
    labelLayout: { hideOverlap: true },
  };
}

const dashOf = ({ dash }: ShownLine): string | undefined =>
  dash === null ? undefined : /dot$/i.test(dash) && !/dash/i.test(dash) ? 'dotted' : 'dashed';

/** A line, where it says nothing of its colour and width in these. */
export function strokeOf(line: ShownLine, color: string, usualPx: number): object {
  return {
    color,
    width: line.isNone ? 0 : line.width === null ? usualPx : Math.max(1, line.width * pxPerPoint),
    type: dashOf(line) ?? 'solid',
  };
}

const axesOf = ({ isSecond }: ShownSeries) => ({
  xAxisIndex: isSecond ? 1 : 0,
  yAxisIndex: isSecond ? 1 : 0,
});

/** What bars and areas of a series are filled with. */
function fillOf({ color, gradient, isFilled }: ShownSeries, look: ChartLook): string | object {
  if (!isFilled) return 'transparent';
  if (gradient === null) return look.told(color);
  const radians = (gradient.angle * Math.PI) / 180;
  const [across, down] = [Math.cos(radians), Math.sin(radians)];
  // From edge to edge of the box, through its middle.
  const half = 0.5 / Math.max(Math.abs(across), Math.abs(down));
  return {
    type: 'linear',
    ...{ x: 0.5 - across * half, y: 0.5 - down * half, x2: 0.5 + across * half, y2: 0.5 + down * half },
    colorStops: gradient.stops.map(([offset, stop]) => ({ offset, color: look.told(stop) })),
  };
}

export function barSeries(series: ShownSeries, chart: ShownChart, look: ChartLook): object {
  const isSideways = series.type === 'bar';
  const like = chart.series.filter((one) => one.type === series.type && one.isSecond === series.isSecond);
  const count = series.stack === null ? like.length : 1;
  const overlap = series.stack === null ? chart.overlapPercent / 100 : 1;
  const bars = count - (count - 1) * overlap;
  const gap = chart.gapPercent / 100;
  const { line } = series;
  const border =
    line.color !== null && !line.isNone
      ? { borderColor: look.told(line.color), borderWidth: Math.max(1, (line.width ?? 0.75) * pxPerPoint) }
      : {};
  const usual = series.stack === null ? 'outsideEnd' : 'center';
  const place = (isSideways ? sidewaysPlaces : places)[series.labelPlace ?? usual] ?? 'inside';
  return {
    type: 'bar',
    name: series.name,
    ...axesOf(series),
    ...noEmphasis,
    stack: series.stack ?? undefined,
    barGap: `${-overlap * 100}%`,
    barCategoryGap: `${(gap / (bars + gap)) * 100}%`,
    itemStyle: { color: fillOf(series, look), ...border },
    ...labelOf(series, look, place),
    data: series.values.map((value, at) => {
      const color = series.pointColors[at];
      return color ? { value, itemStyle: { color: look.told(color) } } : value;
    }),
  };
}

/** Lines and areas along categories. @param at place of the series, for the marks that come in turn */
export function lineSeries(series: ShownSeries, at: number, chart: ShownChart, look: ChartLook): object {
  const isArea = series.type === 'area';
  const color = look.told(series.color);
  const { line } = series;
  const areaLine = line.color !== null && !line.isNone ? look.told(line.color) : color;
  return {
    type: 'line',
    name: series.name,
    ...axesOf(series),
    ...noEmphasis,
    z: isArea ? 1 : 3,
    stack: series.stack ?? undefined,
    stackStrategy: 'all',
    smooth: series.isSmooth ? 0.35 : false,
    connectNulls: chart.spansBlanks,
    ...(series.values.length > sampledPoints && { sampling: 'lttb' }),
    ...markOf(series, at, look, isArea ? 'none' : undefined),
    lineStyle: isArea
      ? strokeOf({ ...line, isNone: line.color === null || line.isNone }, areaLine, 1)
      : strokeOf(line, color, linePx),
    itemStyle: { color },
    ...(isArea && { areaStyle: { color: fillOf(series, look), opacity: 1 } }),
    ...labelOf(series, look, places[series.labelPlace ?? (isArea ? 'center' : 'right')] ?? 'top'),
    data: series.values.map((value) => value ?? '-'),
  };
}

function markOf(series: ShownSeries, at: number, look: ChartLook, usual?: string): object {
  const automatic = automaticSymbols[at % automaticSymbols.length]!;
  const symbol = series.marker.symbol ?? usual ?? '';
  // Labels stand at marks, also at those that nobody sees.
  if (symbol === 'none' && series.labels === null) return { showSymbol: false, symbol: 'none' };
  if (symbol === 'none') return { showSymbol: true, showAllSymbol: true, symbol: 'circle', symbolSize: 0.01 };
  return {
    showSymbol: true,
    showAllSymbol: true,
    symbol: symbols.get(symbol) ?? automatic,
    symbolSize: series.marker.size === null ? markPx : series.marker.size * pxPerPoint,
    ...(series.marker.color !== null && { itemStyle: { color: look.told(series.marker.color) } }),
  };
}

/** Points in the plane, with or without a line through them; bubbles are as large as their sizes say. */
export function pointSeries(series: ShownSeries, at: number, chart: ShownChart, look: ChartLook): object {
  const points = series.values.map((value, index) => [
    series.across?.[index] ?? Number.NaN,
    value ?? Number.NaN,
  ]);
  const color = look.told(series.color);
  const common = {
    name: series.name,
    ...axesOf(series),
    ...noEmphasis,
    ...labelOf(series, look, places[series.labelPlace ?? 'right'] ?? 'right'),
  };
  if (series.type === 'bubble') {
    const sizes = chart.series.flatMap((one) => one.sizes ?? []).map((size) => size ?? 0);
    const most = sizes.reduce((large, size) => Math.max(large, size), 0) || 1;
    return {
      type: 'scatter',
      ...common,
      itemStyle: { color, opacity: 0.8 },
      symbolSize: (_: unknown, { dataIndex }: { dataIndex: number }) =>
        60 * Math.sqrt(Math.max(0, series.sizes?.[dataIndex] ?? most / 4) / most),
      data: points,
    };
  }
  const mark = markOf(series, at, look);
  return {
    type: 'line',
    ...common,
    smooth: series.isSmooth ? 0.35 : false,
    connectNulls: chart.spansBlanks,
    lineStyle: strokeOf(series.line, color, linePx),
    itemStyle: { color },
    ...mark,
    data: points,
  };
}

/** A star: one ray for each category, from the top to the right as Excel has them. */
export function starSeries(
  chart: ShownChart,
  frame: ChartFrame,
  { width, height, look, settings: _ }: DrawingContext,
): object {
  const all = chart.series.flatMap(({ values }) => values).map((value) => value ?? 0);
  const most = chart.value.maximum ?? all.reduce((large, value) => Math.max(large, value), 0);
  const least =
    chart.value.minimum ??
    Math.min(
      0,
      all.reduce((small, value) => Math.min(small, value), 0),
    );
  const room = { across: width - frame.left - frame.right, down: height - frame.top - frame.bottom };
  return {
    radar: {
      center: [frame.left + room.across / 2, frame.top + room.down / 2],
      radius: Math.max(10, Math.min(room.across, room.down) / 2 - 24),
      clockwise: true,
      indicator: chart.categories.map((name) => ({ name, max: most || 1, min: least })),
      axisName: { color: look.text, fontFamily: look.font, fontSize: textPx },
      splitArea: { show: false },
      splitLine: { lineStyle: { color: look.grid } },
      axisLine: { lineStyle: { color: look.grid } },
    },
    series: chart.series.map((series, at) => ({
      type: 'radar',
      name: series.name,
      ...noEmphasis,
      ...markOf(series, at, look, 'none'),
      itemStyle: { color: look.told(series.color) },
      lineStyle: strokeOf(series.line, look.told(series.color), linePx - 1),
      data: [{ name: series.name, value: series.values.map((value) => value ?? 0) }],
    })),
  };
}
