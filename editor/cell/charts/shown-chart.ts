import type { Chart } from '../../../model/cell/chart.ts';
import { cssColor } from '../shown/sheet-colors.ts';
import { categoriesOf } from './chart-categories.ts';
import { type ChartForm, formOf } from './chart-form.ts';
import { titleOf, titleOfAxis } from './chart-titles.ts';
import type { ChartSource } from './referenced-cells.ts';
import { dataOfPart, textOfPart } from './series-data.ts';
import { type ShownAxis, shownAxis } from './shown-axis.ts';
import { lineOf, type ShownLine } from './shown-line.ts';
import { type ReadSeries, type ShownSeries, shownSeries } from './shown-series.ts';

/** A chart as it is to be drawn: nothing of it needs the workbook any more. */
export interface ShownChart {
  readonly form: ChartForm;
  readonly type: string;
  readonly title: string | null;
  readonly legend: NonNullable<Chart['legend']> | null;
  readonly categories: readonly string[];
  readonly series: readonly ShownSeries[];
  readonly category: ShownAxis;
  readonly value: ShownAxis;
  readonly secondCategory: ShownAxis;
  readonly secondValue: ShownAxis;
  readonly gapPercent: number;
  readonly overlapPercent: number;
  readonly holePercent: number;
  readonly firstAngle: number;
  /** Lines go on over what is empty. */
  readonly spansBlanks: boolean;
  /** CSS; null: as the page. */
  readonly background: string | null;
  readonly plotBackground: string | null;
  readonly textColor: string | null;
  readonly border: ShownLine;
}

/** Series of a chart that are drawn at most. */
const mostSeries = 255;

/** What a chart shows of a workbook. */
export function shownChart(chart: Chart, shown: ChartSource): ShownChart {
  const theme = shown.workbook.properties.theme?.colors;
  const read = chart.series.slice(0, mostSeries).map(
    (series): ReadSeries => ({
      series,
      name: textOfPart(dataOfPart(series, 'name', chart, shown)),
      values: dataOfPart(series, 'values', chart, shown)?.cells ?? [],
    }),
  );
  const categories = categoriesOf(chart, shown, Math.max(0, ...read.map(({ values }) => values.length)));
  return {
    form: formOf(chart.type),
    type: chart.type,
    title: titleOf(chart, shown, read[0]?.name),
    legend: chart.legend ?? null,
    categories: categories.texts,
    series: shownSeries(read, { chart, shown, categories }),
    ...axesOf(chart, shown, { read, pattern: categories.pattern }),
    gapPercent: chart.gapPercent ?? 150,
    overlapPercent: chart.overlapPercent ?? 0,
    holePercent: chart.type === 'doughnut' ? (chart.holePercent ?? 50) : 0,
    firstAngle: chart.firstAngle ?? 0,
    spansBlanks: chart.blanks === 'span' || categories.hasSlots,
    background: chart.background === null ? 'transparent' : cssColor(chart.background, theme),
    plotBackground: cssColor(chart.plotBackground ?? undefined, theme),
    textColor: cssColor(chart.textColor, theme),
    border: lineOf(chart.stroke, theme),
  };
}

/** What axes are of: the series, and the number format of the categories. */
interface AxesContext {
  readonly read: readonly ReadSeries[];
  readonly pattern: string;
}

type ShownAxes = Pick<ShownChart, 'category' | 'value' | 'secondCategory' | 'secondValue'>;

function axesOf(chart: Chart, shown: ChartSource, { read, pattern }: AxesContext): ShownAxes {
  const { category, value, secondCategory, secondValue } = chart.axes ?? {};
  const theme = shown.workbook.properties.theme?.colors;
  const usual = chart.grouping === 'percentStacked' ? '0%' : firstPattern(read, false);
  return {
    category: shownAxis(category, theme, {
      title: titleOfAxis(category, chart.categoryTitle, shown),
      // Both axes of points are of numbers, which have one unless they say otherwise.
      hasGrid: category?.gridlines ?? formOf(chart.type) === 'plane',
      pattern: category?.format ?? pattern,
    }),
    value: shownAxis(value, theme, {
      title: titleOfAxis(value, chart.valueTitle, shown),
      hasGrid: value?.gridlines ?? true,
      minimum: chart.minimum ?? null,
      maximum: chart.maximum ?? null,
      pattern: chart.valueFormat ?? usual,
    }),
    secondCategory: shownAxis(secondCategory, theme, {
      hasGrid: false,
      isHidden: secondCategory?.hidden ?? true,
    }),
    secondValue: shownAxis(secondValue, theme, {
      title: titleOfAxis(secondValue, undefined, shown),
      hasGrid: secondValue?.gridlines === true && value?.gridlines === false,
      pattern: secondValue?.format ?? firstPattern(read, true),
    }),
  };
}

/** The number format of the first value at an axis. */
function firstPattern(read: readonly ReadSeries[], isSecond: boolean): string {
  const first = read.find(({ series }) => (series.secondAxis ?? false) === isSecond);
  return first?.values.find(({ value }) => value !== null)?.pattern ?? 'General';
}
