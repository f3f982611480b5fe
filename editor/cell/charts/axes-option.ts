import { type ChartFrame, textPx } from './chart-frame.ts';
import type { DrawingContext } from './chart-look.ts';
import { strokeOf } from './series-option.ts';
import { axisText, type ShownAxis } from './shown-axis.ts';
import type { ShownChart } from './shown-chart.ts';
import type { ShownSeries } from './shown-series.ts';

/** How long the marks of axes are, pixels. */
const tickPx = 4;

/** Of the largest value: where the values of an axis differ by less, it does not begin at 0. */
const nearPart = 1 / 6;

/** The axes of a chart, in the words of the library. Bars that lie have the categories on the vertical axis. */
export function axesOption(chart: ShownChart, frame: ChartFrame, context: DrawingContext): object {
  const isSideways = chart.series.some(({ type }) => type === 'bar');
  const isPlane = chart.form === 'plane';
  const hasSecond = chart.series.some(({ isSecond }) => isSecond);
  const words = (axis: ShownAxis, value: ShownAxis, isFirst: boolean) =>
    isPlane
      ? numbersAxis(axis, value, { chart, context, isFirst, isAcross: true, isSideways: false })
      : categoryAxis(axis, value, { chart, context, isFirst, isSideways });
  const numbers = (axis: ShownAxis, category: ShownAxis, isFirst: boolean) =>
    numbersAxis(axis, category, { chart, context, isFirst, isAcross: false, isSideways });
  const { category, value, secondCategory, secondValue } = chart;
  const categories = [words(category, value, true)];
  const values = [numbers(value, category, true)];
  if (hasSecond) {
    const like = { ...category, isHidden: secondCategory.isHidden, title: null, hasGrid: false };
    categories.push(words(like, secondValue, false));
    values.push(numbers(secondValue, category, false));
  }
  const { left, right, top, bottom } = frame;
  return {
    grid: {
      ...{ left, right: right + 6, top: top + 4, bottom, outerBoundsMode: 'same', outerBoundsContain: 'all' },
      show: chart.plotBackground !== null,
      backgroundColor: chart.plotBackground ?? 'transparent',
      borderWidth: 0,
    },
    xAxis: isSideways ? values : categories,
    yAxis: isSideways ? categories : values,
  };
}

interface AxisContext {
  readonly chart: ShownChart;
  readonly context: DrawingContext;
  readonly isFirst: boolean;
  readonly isSideways: boolean;
}

/** Whether an axis stands where the one that it crosses begins. */
const isAtStart = ({ crosses }: ShownAxis, { minimum }: ShownAxis): boolean =>
  crosses === 'min' || (typeof crosses === 'number' && minimum !== null && crosses <= minimum);

/** @param isUsual whether the axis is seen where the chart does not say how it looks */
function lineOf(
  axis: ShownAxis,
  across: ShownAxis,
  { context: { look } }: AxisContext,
  isUsual: boolean,
): object {
  const { line, ticks } = axis;
  const isShown = !line.isNone && (isUsual || line.color !== null || ticks !== null);
  const lineStyle = strokeOf(line, line.color === null ? look.border : look.told(line.color), 1);
  return {
    show: !axis.isHidden,
    inverse: axis.isReversed,
    axisLine: {
      show: isShown,
      onZero: !axis.isLow && !isAtStart(axis, across),
      lineStyle,
    },
    axisTick: { show: isShown && ticks !== null, inside: ticks === 'in', length: tickPx, lineStyle },
    splitLine: { show: axis.hasGrid, lineStyle: { color: look.grid } },
  };
}

function titleOf({ title }: ShownAxis, { context: { look } }: AxisContext, isUpright: boolean): object {
  if (title === null) return {};
  return {
    name: title,
    nameLocation: 'middle',
    nameGap: isUpright ? 42 : 26,
    nameTextStyle: { color: look.text, fontFamily: look.font, fontSize: textPx, fontWeight: 'bold' },
  };
}

const labelOf = (axis: ShownAxis, { context: { look } }: AxisContext): object => ({
  show: axis.hasLabels,
  color: look.text,
  fontFamily: look.font,
  fontSize: textPx,
  lineHeight: textPx * 1.35,
  hideOverlap: true,
});

/** Whether an axis stands at the far side: the right, or above. What it crosses may run the other way. */
const isFar = (axis: ShownAxis, across: ShownAxis, isFirst: boolean): boolean =>
  (axis.crosses === 'max' || (!isFirst && axis.crosses === null)) !== across.isReversed;

function placeOf(isUpright: boolean, far: boolean): string {
  if (isUpright) return far ? 'right' : 'left';
  return far ? 'top' : 'bottom';
}

function categoryAxis(axis: ShownAxis, value: ShownAxis, given: AxisContext): object {
  const { chart, isSideways, isFirst } = given;
  const hasBars = chart.series.some(({ type }) => type === 'column' || type === 'bar');
  const isBetween = hasBars || value.isBetween;
  return {
    type: 'category',
    data: chart.categories,
    position: placeOf(
      isSideways,
      isFar({ ...axis, crosses: axis.crosses ?? (isFirst ? null : 'max') }, value, isFirst),
    ),
    boundaryGap: isBetween,
    ...lineOf(axis, value, given, true),
    ...titleOf(axis, given, isSideways),
    axisLabel: labelOf(axis, given),
  };
}

interface NumbersContext extends AxisContext {
  /** Of points in the plane: the axis that lies. */
  readonly isAcross: boolean;
}

function numbersAxis(axis: ShownAxis, across: ShownAxis, given: NumbersContext): object {
  const { chart, context, isFirst, isSideways, isAcross } = given;
  const isUpright = !isSideways && !isAcross;
  const own = chart.series.filter(({ isSecond }) => isSecond !== isFirst);
  const isPercent = chart.value.pattern === '0%' && own.some(({ stack }) => stack !== null);
  const extent = extentOf(own, isAcross);
  const isNear = extent !== null && isNearTogether(extent);
  return {
    type: axis.logBase === null ? 'value' : 'log',
    ...(axis.logBase !== null && { logBase: axis.logBase }),
    position: placeOf(isUpright, isFar(axis, across, isFirst)),
    scale: isNear && axis.minimum === null,
    ...(axis.minimum !== null && { min: axis.minimum }),
    ...(axis.maximum === null
      ? isPercent && extent !== null && extent[1] > 0 && { max: 1 }
      : { max: axis.maximum }),
    ...(axis.step !== null && { interval: axis.step }),
    ...lineOf(axis, across, given, isAcross || chart.form === 'plane'),
    ...titleOf(axis, given, isUpright),
    axisLabel: {
      ...labelOf(axis, given),
      formatter: (value: number) => axisText(value, axis, context.settings),
    },
  };
}

type Extent = readonly [least: number, most: number];

/** From the least to the largest value, stacks taken together; null without values. */
function extentOf(series: readonly ShownSeries[], isAcross: boolean): Extent | null {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const sums = new Map<string, number>();
  for (const { values, across, stack } of series) {
    for (const [at, value] of (isAcross ? (across ?? []) : values).entries()) {
      if (value === null || Number.isNaN(value)) continue;
      const key = `${stack} ${at} ${value < 0}`;
      const total = stack === null ? value : (sums.get(key) ?? 0) + value;
      if (stack !== null) sums.set(key, total);
      least = Math.min(least, total);
      most = Math.max(most, total);
    }
  }
  return least <= most ? [least, most] : null;
}

function isNearTogether([least, most]: Extent): boolean {
  if (least > 0) return (most - least) / most < nearPart;
  if (most < 0) return (most - least) / -least < nearPart;
  return false;
}
