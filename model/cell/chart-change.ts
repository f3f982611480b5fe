import * as z from 'zod/mini';
import { formatKey } from './cell-format.ts';
import {
  type Chart,
  type ChartAxis,
  type ChartAxisName,
  type ChartSeries,
  chartAxis,
  chart as chartSchema,
  chartSeries,
  readChartItem,
} from './chart.ts';
import { chartOfKind, type Grouping, isChartType, withoutAbsent } from './chart-kinds.ts';
import { patched } from './patched.ts';

/**
 * Changes of a chart, field by field, so that people who change different things of one chart do not take back each other's. A
 * series is known by its number: what the file calls its index, which gives it its colour and stays when others go.
 */

/** Fields that a change may name: those that the file gets when they change, and what goes when the kind changes. */
const fieldNames = [
  ...(['type', 'grouping', 'title', 'titleFormula', 'autoTitle', 'legend', 'legendWithout'] as const),
  ...(['categoryTitle', 'valueTitle', 'valueFormat', 'minimum', 'maximum'] as const),
  ...(['gapPercent', 'overlapPercent', 'holePercent', 'firstAngle', 'variesColors'] as const),
  ...(['showsHidden', 'blanks', 'solid'] as const),
] as const;
const axisFieldNames = [
  ...(['title', 'titleFormula', 'format', 'minimum', 'maximum', 'step', 'logBase'] as const),
  ...(['reversed', 'hidden', 'gridlines', 'days', 'between'] as const),
] as const;
const seriesFieldNames = [
  ...(['name', 'categories', 'values', 'sizes', 'color', 'filled', 'stroke', 'smooth', 'marker'] as const),
  ...(['labels', 'labelParts', 'labelPlace', 'labelFormat', 'points', 'cached', 'cachedFormats'] as const),
] as const;
const axisNames = ['category', 'value', 'secondCategory', 'secondValue'] as const;
const dataNames = ['name', 'categories', 'values', 'sizes'] as const;

type Fields<Names extends readonly string[]> = { readonly [Name in Names[number]]?: unknown };
export type ChartFields = Fields<typeof fieldNames>;
export type AxisFields = Fields<typeof axisFieldNames>;
export type SeriesFields = Fields<typeof seriesFieldNames>;

/** What changes of a chart; null takes a field away. */
export interface ChartChange {
  readonly patch?: ChartFields;
  readonly axes?: { readonly [Name in ChartAxisName]?: AxisFields };
  /** By number. Null takes a series out; one that is not there is put in, behind all others. */
  readonly series?: Readonly<Record<string, SeriesFields | null>>;
  /** Numbers of series in the order that they come to have; those that are not named stay behind them. */
  readonly order?: readonly number[];
}

const patchOf = (shape: Readonly<Record<string, z.ZodMiniType>>, names: readonly string[]) =>
  z.optional(
    z.strictObject(Object.fromEntries(names.map((name) => [name, z.optional(z.nullable(shape[name]!))]))),
  );

const axisPatch = patchOf(chartAxis.shape, axisFieldNames);
const mostChanges = 1_000;
/** A number that a series may have. */
const number = z.number().check(z.int(), z.minimum(0), z.maximum(99_999));

/** The parts of an operation that say what changes of a chart. */
export const chartChangeShape = {
  patch: patchOf(chartSchema.shape, fieldNames),
  axes: z.optional(z.strictObject(Object.fromEntries(axisNames.map((name) => [name, axisPatch])))),
  series: z.optional(
    z
      .record(
        z.string().check(z.regex(/^(?:0|[1-9]\d{0,4})$/)),
        z.nullable(patchOf(chartSeries.shape, seriesFieldNames)),
      )
      .check(z.refine((series) => Object.keys(series).length <= mostChanges)),
  ),
  order: z.optional(z.array(number).check(z.maxLength(1_000))),
} as const;

/** The number of each series: its index, or its place where it says none; one that is taken is followed by one that is free. */
export function seriesNumbers(series: readonly ChartSeries[]): number[] {
  const taken = new Set<number>();
  return series.map(({ index }, at) => {
    let own = index ?? at;
    while (taken.has(own)) own++;
    taken.add(own);
    return own;
  });
}

/** A number that no series of a chart has. */
export const nextSeriesNumber = ({ series }: Pick<Chart, 'series'>): number =>
  Math.max(-1, ...seriesNumbers(series)) + 1;

/** Charts of which nothing is known but kind and title: nothing can be changed in them. */
export const isClosed = ({ series, editable }: Chart): boolean => editable === false && series.length === 0;

/** The chart after a change; null where it does not apply. */
export function changedChart(chart: Chart, change: ChartChange): Chart | null {
  if (isClosed(chart)) return null;
  const { patch = {}, axes = {} } = change;
  const ofKind = withKind(chart, patch);
  const series = ofKind && changedSeries(ofKind, change);
  if (!series) return null;
  const { type: _type, grouping: _grouping, ...fields } = patch;
  const next = { ...patched(ofKind, fields), series };
  const changedAxes = { ...next.axes };
  for (const name of axisNames) {
    const given = axes[name];
    if (!given) continue;
    const axis = patched(changedAxes[name] ?? {}, given) as ChartAxis;
    if (Object.keys(axis).length > 0) changedAxes[name] = axis;
    else delete changedAxes[name];
  }
  return readChartItem(
    withoutAbsent({ ...next, axes: Object.keys(changedAxes).length > 0 ? changedAxes : undefined }),
  );
}

/** Null where the chart cannot become of that kind. */
function withKind(chart: Chart, { type = chart.type, grouping = chart.grouping }: ChartFields): Chart | null {
  const wished = (grouping ?? undefined) as Grouping | undefined;
  if (type === chart.type && wished === chart.grouping) return chart;
  if (chart.editable === false || typeof type !== 'string' || !isChartType(type)) return null;
  return chartOfKind(chart, type, wished);
}

interface Numbered {
  readonly number: number;
  readonly order: number;
  readonly series: ChartSeries;
}

function changedSeries(chart: Chart, { series: changes = {}, order }: ChartChange): ChartSeries[] | null {
  const numbers = seriesNumbers(chart.series);
  let all = chart.series.map((series, at): Numbered => {
    return { number: numbers[at]!, order: series.order ?? at, series };
  });
  let isOther = false;
  for (const [key, fields] of Object.entries(changes)) {
    const number = Number(key);
    const known = all.find((one) => one.number === number);
    if (fields === null) {
      isOther ||= known !== undefined;
      all = all.filter((one) => one !== known);
    } else if (known) {
      all = all.map((one) => (one === known ? { ...one, series: changedFields(one.series, fields) } : one));
    } else {
      // In a chart of several kinds nobody can tell which one a new series is of.
      if (chart.editable === false) return null;
      isOther = true;
      const last = Math.max(-1, ...all.map((one) => one.order));
      all = [...all, { number, order: last + 1, series: changedFields({}, fields) }];
    }
  }
  if (order && chart.editable !== false) {
    const rank = new Map(order.map((number, at) => [number, at]));
    const rankOf = (one: Numbered) => rank.get(one.number) ?? order.length + one.order;
    all = all.toSorted((one, other) => rankOf(one) - rankOf(other));
    all = all.map((one, at) => ({ ...one, order: at }));
    isOther = true;
  } else if (isOther && chart.editable !== false) {
    all = all.toSorted((one, other) => one.order - other.order).map((one, at) => ({ ...one, order: at }));
  }
  if (!isOther) return all.map(({ series }) => series);
  return all.map(({ number, order: place, series: { index: _index, order: _order, ...rest } }, at) => ({
    ...rest,
    ...(number !== at && { index: number }),
    ...(place !== at && { order: place }),
  }));
}

/** What the file had last of other cells counts no more. */
function changedFields(series: ChartSeries, fields: SeriesFields): ChartSeries {
  const next = patched(series, fields) as ChartSeries;
  const changed = dataNames.filter((name) => name in fields && next[name] !== series[name]);
  const without = (all: object | undefined): object | undefined => {
    const left = Object.entries(all ?? {}).filter(([name]) => !(changed as string[]).includes(name));
    return left.length > 0 ? Object.fromEntries(left) : undefined;
  };
  return withoutAbsent({
    ...next,
    cached: 'cached' in fields ? next.cached : without(next.cached),
    cachedFormats: 'cachedFormats' in fields ? next.cachedFormats : without(next.cachedFormats),
  }) as ChartSeries;
}

/**
 * The change that makes one chart of another; null where there is none, because the charts are the same or differ in what no
 * change can name.
 */
export function chartChangeBetween(from: Chart, to: Chart): ChartChange | null {
  const patch = patchBetween(from, to, fieldNames);
  const axes = withoutAbsent(
    Object.fromEntries(
      axisNames.map((name) => [
        name,
        someOf(patchBetween(from.axes?.[name] ?? {}, to.axes?.[name] ?? {}, axisFieldNames)),
      ]),
    ),
  );
  const [before, after] = [seriesNumbers(from.series), seriesNumbers(to.series)];
  const series: Record<string, SeriesFields | null> = {};
  for (const number of before) if (!after.includes(number)) series[number] = null;
  for (const [at, number] of after.entries()) {
    const known = before.indexOf(number);
    const fields = patchBetween(from.series[known] ?? {}, to.series[at]!, seriesFieldNames);
    if (known < 0 || Object.keys(fields).length > 0) series[number] = fields;
  }
  const isOrdered = before.filter((number) => after.includes(number)).join() === after.join();
  const change: ChartChange = {
    ...(Object.keys(patch).length > 0 && { patch }),
    ...(Object.keys(axes).length > 0 && { axes }),
    ...(Object.keys(series).length > 0 && { series }),
    ...(!isOrdered && { order: after }),
  };
  const made = Object.keys(change).length > 0 ? changedChart(from, change) : null;
  return made && formatKey(made) === formatKey(to) ? change : null;
}

const someOf = <Value extends object>(value: Value): Value | undefined =>
  Object.keys(value).length > 0 ? value : undefined;

function patchBetween(from: object, to: object, names: readonly string[]): Record<string, unknown> {
  const [before, after] = [from, to] as Record<string, unknown>[];
  const patch: Record<string, unknown> = {};
  for (const name of names) {
    if (formatKey(before![name]) !== formatKey(after![name])) patch[name] = after![name] ?? null;
  }
  return patch;
}

/** A change without what another one has changed since; null where nothing is left of it. */
export function withoutChanged(change: ChartChange, since: ChartChange): ChartChange | null {
  const rest = (fields: object | undefined, other: object | undefined) =>
    fields &&
    someOf(Object.fromEntries(Object.entries(fields).filter(([name]) => !(other && name in other))));
  const axes = Object.entries(change.axes ?? {}).flatMap(([name, fields]) => {
    const left = rest(fields, since.axes?.[name as ChartAxisName]);
    return left ? [[name, left] as const] : [];
  });
  const series = Object.entries(change.series ?? {}).flatMap(
    ([number, fields]): [string, SeriesFields | null][] => {
      const other = since.series?.[number];
      if (other === undefined) return [[number, fields]];
      // What others have changed is not taken out, and what they have taken out does not come back.
      if (fields === null || other === null) return [];
      const left = rest(fields, other);
      return left ? [[number, left]] : [];
    },
  );
  return (
    someOf(
      withoutAbsent({
        patch: rest(change.patch, since.patch) as ChartFields | undefined,
        axes: axes.length > 0 ? Object.fromEntries(axes) : undefined,
        series: series.length > 0 ? Object.fromEntries(series) : undefined,
        order: since.order ? undefined : change.order,
      }),
    ) ?? null
  );
}
