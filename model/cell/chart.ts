import * as z from 'zod/mini';
import { sheetRows } from '../cell-address.ts';
import { color } from './format-json.ts';
import { CELL_LIMITS } from './limits.ts';

/**
 * A chart: its data, and as much of its look as is shown. Everything is bounded, so that a chart costs those who show and write it
 * no more than one that Excel can make.
 */

const formula = z.string().check(z.maxLength(CELL_LIMITS.formulaChars));
const text = z.string().check(z.maxLength(CELL_LIMITS.textChars));
/** A name of DrawingML, or a number format. */
const word = z.string().check(z.maxLength(255));
const place = z.number().check(z.int(), z.minimum(0), z.maximum(sheetRows));
const extra = z.optional(z.record(z.string(), z.unknown()));

/** A line as charts and shapes draw it; what is absent is as the chart or the program draws it by itself. */
export const stroke = z.object({
  color: z.optional(color),
  /** Points. */
  width: z.optional(z.number()),
  /** As DrawingML names them: `dash`, `sysDot`, … */
  dash: z.optional(word),
  /** True: no line at all. */
  none: z.optional(z.boolean()),
});

/** A fill that goes from colour to colour. */
const gradient = z.object({
  /** The way it goes: degrees clockwise from the right. */
  angle: z.optional(z.number()),
  stops: z
    .array(z.object({ at: z.number().check(z.minimum(0), z.maximum(1)), color }))
    .check(z.minLength(2), z.maxLength(CELL_LIMITS.chartStops)),
});

const grouping = z.enum(['clustered', 'stacked', 'percentStacked', 'standard']);
const labelPlaces = [
  ...(['center', 'insideEnd', 'insideBase', 'outsideEnd', 'left', 'right', 'top', 'bottom'] as const),
  'bestFit',
] as const;

/** What of a series comes from cells. */
const part = z.enum(['name', 'categories', 'values', 'sizes']);
const cachedValues = z
  .array(z.nullable(z.union([text, z.number()])))
  .check(z.maxLength(CELL_LIMITS.chartValues));

export const chartSeries = z.object({
  /** References as in formulas (`Sheet1!$B$2:$B$9`), or text in quotes. */
  name: z.optional(formula),
  categories: z.optional(formula),
  values: z.optional(formula),
  sizes: z.optional(formula),
  /** Where it is another one than the chart's. */
  type: z.optional(word),
  grouping: z.optional(grouping),
  /** Of what is filled, else of the line. */
  color: z.optional(color),
  /** What it is filled with as long as `color` is that of the stop in the middle; another colour takes its place. */
  gradient: z.optional(gradient),
  /** False: nothing is filled, and only the line is seen, if any. */
  filled: z.optional(z.boolean()),
  stroke: z.optional(stroke),
  secondAxis: z.optional(z.boolean()),
  smooth: z.optional(z.boolean()),
  labels: z.optional(z.boolean()),
  /** What labels say; absent: the value. */
  labelParts: z.optional(z.array(z.enum(['value', 'category', 'series', 'percent', 'size']))),
  labelPlace: z.optional(z.enum(labelPlaces)),
  labelFormat: z.optional(word),
  /** `none`, or as DrawingML names it (`circle`, `diamond`, …); size in points. */
  marker: z.optional(
    z.object({ symbol: z.optional(word), size: z.optional(z.number()), color: z.optional(color) }),
  ),
  /** Points that look otherwise than their series, by their place in it. */
  points: z.optional(
    z
      .array(z.object({ at: place, color: z.optional(color), filled: z.optional(z.boolean()) }))
      .check(z.maxLength(CELL_LIMITS.chartPoints)),
  ),
  /** Where these differ from its place in the list: what counts for colours, and what for the order on the screen. */
  index: z.optional(place),
  order: z.optional(place),
  /** Numbers and words as the file had them last. */
  cached: z.optional(z.partialRecord(part, cachedValues)),
  /** Number formats of `categories` and `values` as the file had them last. */
  cachedFormats: z.optional(z.partialRecord(part, word)),
});

export const chartAxis = z.object({
  /** Of second axes. The chart itself says what the first two are called. */
  title: z.optional(text),
  titleFormula: z.optional(formula),
  format: z.optional(word),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  /** How far lines and numbers are apart. */
  step: z.optional(z.number()),
  logBase: z.optional(z.number()),
  reversed: z.optional(z.boolean()),
  hidden: z.optional(z.boolean()),
  gridlines: z.optional(z.boolean()),
  /** Where words and numbers of it stand, `nextTo` the axis unless said otherwise. */
  labels: z.optional(z.enum(['none', 'low', 'high', 'nextTo'])),
  /** The place of the other axis at which this one stands: `max`, `min`, or a number of that; absent: by itself, at 0. */
  crosses: z.optional(z.union([z.enum(['max', 'min']), z.number()])),
  /** The values stand between the marks of the categories, and not on them. */
  between: z.optional(z.boolean()),
  /** Categories are days, and as far apart as these are. */
  days: z.optional(z.boolean()),
  /** Where its marks stand: towards the values, away from them, or both; absent: it has none. */
  ticks: z.optional(z.enum(['in', 'out', 'cross'])),
  stroke: z.optional(stroke),
});

export const chart = z.object({
  /** `bar`, `column`, `line`, `pie`, `doughnut`, `area`, `scatter`, or what else the file says. */
  type: word,
  grouping: z.optional(grouping),
  title: z.optional(z.nullable(text)),
  /** The cell that the title is of; then `title` is what it was last. */
  titleFormula: z.optional(formula),
  /** Without a title it is called as its only series is. */
  autoTitle: z.optional(z.boolean()),
  legend: z.optional(z.nullable(z.enum(['right', 'left', 'top', 'bottom', 'topRight']))),
  /** Entries that the legend leaves out, by their place. */
  legendWithout: z.optional(z.array(place).check(z.maxLength(CELL_LIMITS.chartPoints))),
  series: z.array(chartSeries).check(z.maxLength(CELL_LIMITS.chartSeries)),
  categoryTitle: z.optional(text),
  valueTitle: z.optional(text),
  valueFormat: z.optional(word),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  /** What the axes are besides that; of points in the plane `category` is the horizontal one. */
  axes: z.optional(
    z.object({
      category: z.optional(chartAxis),
      value: z.optional(chartAxis),
      secondCategory: z.optional(chartAxis),
      secondValue: z.optional(chartAxis),
    }),
  ),
  /** Between groups of bars, and how far bars of a group lie over each other: percent of a bar. */
  gapPercent: z.optional(z.number()),
  overlapPercent: z.optional(z.number()),
  holePercent: z.optional(z.number()),
  /** Where the first slice begins, degrees clockwise from above. */
  firstAngle: z.optional(z.number()),
  /** Each point of the only series has a colour of its own. */
  variesColors: z.optional(z.boolean()),
  /** Cells of hidden rows and columns are shown too. */
  showsHidden: z.optional(z.boolean()),
  /** What empty cells are in a line; absent: a gap. */
  blanks: z.optional(z.enum(['gap', 'zero', 'span'])),
  /** The file has it in three dimensions. */
  solid: z.optional(z.boolean()),
  /** Number of one of the 48 looks of Office 2007, where it is not the usual one. */
  style: z.optional(z.number()),
  /** Behind everything, and behind the values alone; null: nothing. */
  background: z.optional(z.nullable(color)),
  plotBackground: z.optional(z.nullable(color)),
  stroke: z.optional(stroke),
  textColor: z.optional(color),
  /** False: it can be shown and its data changed, and nothing more. */
  editable: z.optional(z.boolean()),
  extra,
});

export type Chart = z.infer<typeof chart>;
export type ChartSeries = z.infer<typeof chartSeries>;
export type ChartAxis = z.infer<typeof chartAxis>;
export type ChartAxisName = keyof NonNullable<Chart['axes']>;
export type ChartGradient = z.infer<typeof gradient>;
export type Stroke = z.infer<typeof stroke>;

/** The colour of a gradient that stands for all of it. */
export const middleStop = <Stop>(stops: readonly Stop[]): Stop | undefined =>
  stops[Math.floor(stops.length / 2)];

/** A chart as it is when it is one that a workbook may have; null when it is none. */
export function readChartItem(value: unknown): Chart | null {
  const parsed = chart.safeParse(value);
  return parsed.success ? parsed.data : null;
}
