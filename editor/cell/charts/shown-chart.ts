import type { Chart, ChartAxis, ChartSeries, Stroke } from '../../../model/cell/chart.ts';
import { type FormatSettings, shownValue } from '../../../model/cell/formats/shown-value.ts';
import { t } from '../../strings/strings.ts';
import { cssColor } from '../shown/sheet-colors.ts';
import { chartColors, pointColors, seriesColor } from './chart-colors.ts';
import { daySlots } from './day-slots.ts';
import type { ChartSource, ReferencedCell } from './referenced-cells.ts';
import { dataOfPart, type PartData, textOfPart } from './series-data.ts';

/** How series are drawn: along axes of categories, as points in the plane, in a circle, in a star; or not here. */
export type ChartForm = 'axes' | 'plane' | 'circle' | 'star' | 'none';

export interface ShownLine {
  /** CSS; null: as the program draws it. */
  readonly color: string | null;
  /** Points. */
  readonly width: number | null;
  readonly dash: string | null;
  readonly isNone: boolean;
}

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

export interface ShownAxis {
  readonly title: string | null;
  readonly isHidden: boolean;
  readonly isReversed: boolean;
  readonly hasGrid: boolean;
  readonly hasLabels: boolean;
  readonly isLow: boolean;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly step: number | null;
  readonly logBase: number | null;
  /** Number format of what stands at it. */
  readonly pattern: string;
  readonly crosses: ChartAxis['crosses'] | null;
  readonly isBetween: boolean;
}

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

const forms: Readonly<Record<string, ChartForm>> = {
  ...{ column: 'axes', bar: 'axes', line: 'axes', area: 'axes', scatter: 'plane', bubble: 'plane' },
  ...{ pie: 'circle', doughnut: 'circle', radar: 'star' },
};

/** Series of a chart that are drawn at most. */
const mostSeries = 255;

/** What a chart shows of a workbook. */
export function shownChart(chart: Chart, shown: ChartSource): ShownChart {
  const drawn = chart.series.slice(0, mostSeries);
  const form = forms[chart.type] ?? 'none';
  const theme = shown.workbook.properties.theme?.colors;
  const read = drawn.map((series) => ({
    series,
    name: textOfPart(dataOfPart(series, 'name', chart, shown)),
    values: dataOfPart(series, 'values', chart, shown)?.cells ?? [],
  }));
  const categories = categoriesOf(chart, shown, Math.max(0, ...read.map(({ values }) => values.length)));
  const firstPattern = (isSecond: boolean) =>
    read
      .find(({ series }) => (series.secondAxis ?? false) === isSecond)
      ?.values.find(({ value }) => value !== null)?.pattern ?? 'General';
  const line = (stroke: Stroke | undefined) => lineOf(stroke, theme);
  const isOnlySeries = read.length === 1;
  const sums = new Map<string, number[]>();
  const parts = read.map(({ series, name, values }, at): ShownSeries => {
    const type = series.type ?? chart.type;
    const grouping = series.grouping ?? chart.grouping ?? 'standard';
    const isStacked = grouping === 'stacked' || grouping === 'percentStacked';
    const stack = isStacked ? `${type} ${series.secondAxis ? 2 : 1}` : null;
    const numbers = categories.placed(numbersOf(values, chart, type));
    if (grouping === 'percentStacked' && stack !== null) {
      const sum = sums.get(stack) ?? [];
      for (const [index, value] of numbers.entries()) sum[index] = (sum[index] ?? 0) + Math.abs(value ?? 0);
      sums.set(stack, sum);
    }
    const isRound = form === 'circle';
    const isVaried = chart.variesColors ?? isRound;
    const across =
      form === 'plane' ? acrossOf(dataOfPart(series, 'categories', chart, shown), values.length) : null;
    return {
      name: name ?? t('sheet.chartSeries', { number: at + 1 }),
      type,
      stack,
      values: numbers,
      across,
      sizes:
        type === 'bubble' ? (dataOfPart(series, 'sizes', chart, shown)?.cells.map(numberOf) ?? null) : null,
      color: seriesColor(series, at, read.length, chartColors(chart, theme)),
      isFilled: series.filled !== false,
      line: line(series.stroke),
      marker: {
        symbol: series.marker?.symbol ?? null,
        size: series.marker?.size ?? null,
        color: cssColor(series.marker?.color, theme),
      },
      pointColors: categories.placed(
        pointColors(series, values.length, isVaried && (isOnlySeries || isRound), chartColors(chart, theme)),
      ),
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
  });
  const series = parts.map((part, at) => {
    const sum = part.stack === null ? undefined : sums.get(part.stack);
    const isPercent = (drawn[at]!.grouping ?? chart.grouping) === 'percentStacked';
    if (!sum || !isPercent) return part;
    return {
      ...part,
      values: part.values.map((value, index) => (value === null ? null : value / (sum[index] || 1))),
    };
  });
  const isPercent = chart.grouping === 'percentStacked';
  const { category, value, secondCategory, secondValue } = chart.axes ?? {};
  const axis = (given: ChartAxis | undefined, of: Partial<ShownAxis>) => ({ ...axisOf(given), ...of });
  return {
    form,
    type: chart.type,
    title: titleOf(chart, shown, read[0]?.name),
    legend: chart.legend ?? null,
    categories: categories.texts,
    series: series
      .map((one, at) => ({ one, order: drawn[at]!.order ?? at }))
      .toSorted((one, other) => one.order - other.order)
      .map(({ one }) => one),
    category: axis(category, {
      title: titleOfAxis(category, chart.categoryTitle, shown),
      hasGrid: category?.gridlines ?? false,
      pattern: category?.format ?? categories.pattern,
    }),
    value: axis(value, {
      title: titleOfAxis(value, chart.valueTitle, shown),
      hasGrid: value?.gridlines ?? true,
      minimum: chart.minimum ?? null,
      maximum: chart.maximum ?? null,
      pattern: chart.valueFormat ?? (isPercent ? '0%' : firstPattern(false)),
    }),
    secondCategory: axis(secondCategory, { hasGrid: false, isHidden: secondCategory?.hidden ?? true }),
    secondValue: axis(secondValue, {
      title: titleOfAxis(secondValue, undefined, shown),
      hasGrid: secondValue?.gridlines === true && value?.gridlines === false,
      pattern: secondValue?.format ?? firstPattern(true),
    }),
    gapPercent: chart.gapPercent ?? 150,
    overlapPercent: chart.overlapPercent ?? 0,
    holePercent: chart.type === 'doughnut' ? (chart.holePercent ?? 50) : 0,
    firstAngle: chart.firstAngle ?? 0,
    spansBlanks: chart.blanks === 'span' || categories.hasSlots,
    background: chart.background === null ? 'transparent' : cssColor(chart.background, theme),
    plotBackground: cssColor(chart.plotBackground ?? undefined, theme),
    textColor: cssColor(chart.textColor, theme),
    border: line(chart.stroke),
  };
}

function lineOf(stroke: Stroke | undefined, theme: readonly string[] | undefined): ShownLine {
  return {
    color: cssColor(stroke?.color, theme),
    width: stroke?.width ?? null,
    dash: stroke?.dash ?? null,
    isNone: stroke?.none === true,
  };
}

function axisOf(axis: ChartAxis | undefined): ShownAxis {
  return {
    title: axis?.title ?? null,
    isHidden: axis?.hidden === true,
    isReversed: axis?.reversed === true,
    hasGrid: axis?.gridlines === true,
    hasLabels: axis?.labels !== 'none',
    isLow: axis?.labels === 'low',
    minimum: axis?.minimum ?? null,
    maximum: axis?.maximum ?? null,
    step: axis?.step ?? null,
    logBase: axis?.logBase ?? null,
    pattern: axis?.format ?? 'General',
    crosses: axis?.crosses ?? null,
    isBetween: axis?.between !== false,
  };
}

function titleOf(chart: Chart, shown: ChartSource, firstName: string | undefined): string | null {
  const ofCell =
    chart.titleFormula === undefined ? undefined : textOfFormula(chart.titleFormula, chart.title, shown);
  const title = ofCell ?? chart.title ?? null;
  return title ?? (chart.autoTitle && chart.series.length === 1 ? (firstName ?? null) : null);
}

function titleOfAxis(
  axis: ChartAxis | undefined,
  title: string | undefined,
  shown: ChartSource,
): string | null {
  const text = title ?? axis?.title;
  return axis?.titleFormula === undefined
    ? (text ?? null)
    : (textOfFormula(axis.titleFormula, text, shown) ?? null);
}

const textOfFormula = (name: string, last: string | null | undefined, shown: ChartSource) =>
  textOfPart(
    dataOfPart({ name, ...(last && { cached: { name: [last] } }) }, 'name', { type: '', series: [] }, shown),
  );

const numberOf = ({ value }: ReferencedCell): number | null => (typeof value === 'number' ? value : null);

/** Words count as 0, as in other programs. What is empty is a gap, or 0 where the chart says so; an error is always a gap. */
function numbersOf(cells: readonly ReferencedCell[], { blanks }: Chart, type: string): (number | null)[] {
  const blank = blanks === 'zero' || type === 'area' ? 0 : null;
  return cells.map(({ value, isError }) => {
    if (typeof value === 'number') return value;
    if (isError) return null;
    return value === null ? blank : 0;
  });
}

/** Where points stand across: 1, 2, 3 … unless all that is said are numbers. */
function acrossOf(data: PartData | null, count: number): number[] {
  const numbers = data?.cells.map(({ value }) => value) ?? [];
  const areNumbers =
    numbers.length > 0 && numbers.every((value) => value === null || typeof value === 'number');
  return Array.from({ length: count }, (_, at) => {
    const value = areNumbers ? numbers[at] : at + 1;
    return typeof value === 'number' ? value : Number.NaN;
  });
}

interface Categories {
  /** As they stand at the axis. */
  readonly texts: readonly string[];
  /** As cells have them. */
  readonly own: readonly string[];
  readonly pattern: string;
  readonly hasSlots: boolean;
  /** What is said of each, at the places of the axis. */
  readonly placed: <Value>(values: readonly Value[]) => (Value | null)[];
}

/** The categories of all series, which are those of the first that has any; numbers where none has. */
function categoriesOf(chart: Chart, shown: ChartSource, count: number): Categories {
  const found = chart.series
    .map((series) => dataOfPart(series, 'categories', chart, shown))
    .find((data) => data?.cells.length);
  const length = Math.max(count, found?.cells.length ?? 0);
  const pattern = chart.axes?.category?.format ?? found?.cells[0]?.pattern ?? 'General';
  const plain = <Value>(values: readonly Value[]): (Value | null)[] => [...values];
  if (!found) {
    const texts = Array.from({ length }, (_, at) => String(at + 1));
    return { texts, own: texts, pattern, hasSlots: false, placed: plain };
  }
  const format = chart.axes?.category?.format;
  const textOf = (cell: ReferencedCell | undefined) => {
    if (!cell) return '';
    return format !== undefined && typeof cell.value === 'number'
      ? shownValue(cell.value, format, shown.settings).text
      : cell.text;
  };
  const own = Array.from({ length }, (_, at) => textOf(found.cells[at]));
  const slots = chart.axes?.category?.days
    ? daySlots(
        found.cells.map(({ value }) => value),
        shown.settings,
      )
    : null;
  if (slots) {
    const texts = slots.days.map((day) => shownValue(day, pattern, shown.settings).text);
    const placed = <Value>(values: readonly Value[]) => {
      const result: (Value | null)[] = new Array(texts.length).fill(null);
      for (const [at, value] of values.entries()) {
        const slot = slots.slotOf[at];
        if (slot !== undefined) result[slot] = value;
      }
      return result;
    };
    return { texts, own, pattern, hasSlots: true, placed };
  }
  const texts = own.map((text, at) => withOuter(text, at, found));
  return { texts, own, pattern, hasSlots: false, placed: plain };
}

/** Where an outer group begins it stands below the category. */
function withOuter(text: string, at: number, { outer }: PartData): string {
  const begun = outer.toReversed().map((level) => level[at]?.text ?? '');
  return [text, ...begun.filter((one) => one !== '')].join('\n');
}

interface LabelContext {
  readonly chart: Chart;
  readonly name: string | undefined;
  readonly categories: readonly string[];
  readonly shown: ChartSource;
}

function labelsOf(series: ChartSeries, cells: readonly ReferencedCell[], context: LabelContext): string[] {
  const { name = '', categories, shown } = context;
  const parts = series.labelParts ?? ['value'];
  const total = cells.reduce((sum, cell) => sum + Math.abs(numberOf(cell) ?? 0), 0);
  const format = series.labelFormat;
  return cells.map((cell, at) => {
    if (typeof cell.value !== 'number') return '';
    const written = (value: number, pattern: string) => shownValue(value, pattern, shown.settings).text;
    const texts = parts.map((part) => {
      switch (part) {
        case 'value':
          return format !== undefined && !parts.includes('percent')
            ? written(cell.value as number, format)
            : cell.text;
        case 'percent':
          return written(Math.abs(cell.value as number) / (total || 1), format ?? '0%');
        case 'category':
          return categories[at] ?? '';
        case 'series':
          return name;
        default:
          return '';
      }
    });
    return texts.filter((text) => text !== '').join('; ');
  });
}

/** A number at an axis. */
export const axisText = (value: number, { pattern }: ShownAxis, settings: FormatSettings): string =>
  shownValue(Math.round(value * 1e12) / 1e12, pattern, settings).text;
