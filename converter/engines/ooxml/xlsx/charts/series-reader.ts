import type { Chart, ChartSeries } from '../../../../../model/cell/chart.ts';
import { CELL_LIMITS } from '../../../../../model/cell/limits.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { readFillColor, readGradient, readStroke } from '../items/drawing-looks.ts';
import { isOn, numberOf, withoutNothing } from '../styles/format-xml.ts';
import { readChartData } from './data-reader.ts';

export const LABEL_PARTS = {
  value: 'c:showVal',
  category: 'c:showCatName',
  series: 'c:showSerName',
  percent: 'c:showPercent',
  size: 'c:showBubbleSize',
} as const;
export const LABEL_PLACES: ReadonlyMap<string, ChartSeries['labelPlace']> = new Map(
  Object.entries<ChartSeries['labelPlace']>({
    ...{ ctr: 'center', inEnd: 'insideEnd', inBase: 'insideBase', outEnd: 'outsideEnd' },
    ...{ l: 'left', r: 'right', t: 'top', b: 'bottom', bestFit: 'bestFit' },
  }),
);

/** The group that a series is in. */
export interface SeriesGroup {
  readonly element: XmlElement;
  readonly type: string;
  readonly grouping: Chart['grouping'];
  readonly isSecond: boolean;
}

/** @param place of the series among all of the chart */
export function readSeries(
  xml: XmlDocument,
  element: XmlElement,
  group: SeriesGroup,
  chart: Pick<SeriesGroup, 'type' | 'grouping'>,
  place: number,
): ChartSeries {
  const { type } = group;
  const isPoints = type === 'scatter' || type === 'bubble';
  const part = (name: string) => readChartData(xml, xml.child(element, name));
  const name = part('c:tx');
  const categories = part(isPoints ? 'c:xVal' : 'c:cat');
  const values = part(isPoints ? 'c:yVal' : 'c:val');
  const sizes = part('c:bubbleSize');
  const cached = withoutNothing({
    name: name.cached,
    categories: categories.cached,
    values: values.cached,
    sizes: sizes.cached,
  });
  const formats = withoutNothing({ categories: categories.format, values: values.format });
  const number = (child: string) => numberOf(xml.attribute(xml.child(element, child), 'val'));
  const smooth = xml.child(element, 'c:smooth');
  const [index, order] = [number('c:idx'), number('c:order')];
  return withoutNothing({
    name: name.formula,
    categories: categories.formula,
    values: values.formula,
    sizes: sizes.formula,
    type: type === chart.type ? undefined : type,
    grouping: group.grouping === chart.grouping ? undefined : group.grouping,
    ...readLook(xml, element, type),
    ...readLabels(xml, element, group.element),
    secondAxis: group.isSecond || undefined,
    smooth: (smooth && isOn(xml.attribute(smooth, 'val'))) || undefined,
    marker: readMarker(xml, element, group),
    points: readPoints(xml, element),
    index: index === place ? undefined : index,
    order: order === place ? undefined : order,
    cached: Object.keys(cached).length > 0 ? cached : undefined,
    cachedFormats: Object.keys(formats).length > 0 ? formats : undefined,
  }) as ChartSeries;
}

/** Lines have the colour of their line, and everything else that of what it is filled with. */
function readLook(xml: XmlDocument, element: XmlElement, type: string): Partial<ChartSeries> {
  const properties = xml.child(element, 'c:spPr');
  const stroke = readStroke(xml, properties);
  if (type === 'line' || type === 'scatter' || type === 'radar') {
    const { color, ...rest } = stroke ?? {};
    return { color, stroke: Object.keys(rest).length > 0 ? rest : undefined };
  }
  const fill = readFillColor(xml, properties);
  return {
    color: fill ?? undefined,
    gradient: readGradient(xml, properties),
    filled: fill === null ? false : undefined,
    stroke,
  };
}

function readLabels(xml: XmlDocument, element: XmlElement, group: XmlElement): Partial<ChartSeries> {
  const labels = xml.child(element, 'c:dLbls') ?? xml.child(group, 'c:dLbls');
  if (!labels) return {};
  const shows = (name: string) => {
    const child = xml.child(labels, name);
    return child !== undefined && isOn(xml.attribute(child, 'val'));
  };
  if (shows('c:delete')) return {};
  const parts = Object.entries(LABEL_PARTS).flatMap(([part, name]) => (shows(name) ? [part] : []));
  if (parts.length === 0) return {};
  const { formatCode, sourceLinked = '0' } = xml.child(labels, 'c:numFmt')
    ? xml.attributes(xml.child(labels, 'c:numFmt')!)
    : ({} as Readonly<Record<string, string>>);
  return {
    labels: true,
    labelParts: parts.join() === 'value' ? undefined : (parts as ChartSeries['labelParts']),
    labelPlace: LABEL_PLACES.get(xml.attribute(xml.child(labels, 'c:dLblPos'), 'val') ?? ''),
    labelFormat: isOn(sourceLinked) ? undefined : formatCode,
  };
}

/** A line has marks only where its group says so. */
function readMarker(
  xml: XmlDocument,
  element: XmlElement,
  { type, element: group }: SeriesGroup,
): ChartSeries['marker'] {
  const marker = xml.child(element, 'c:marker');
  if (!marker) {
    const marks = xml.child(group, 'c:marker');
    const hasMarks = marks !== undefined && isOn(xml.attribute(marks, 'val'));
    return type === 'line' && !hasMarks ? { symbol: 'none' } : undefined;
  }
  const symbol = xml.attribute(xml.child(marker, 'c:symbol'), 'val');
  const properties = xml.child(marker, 'c:spPr');
  const read = withoutNothing({
    symbol: symbol === 'auto' ? undefined : symbol,
    size: numberOf(xml.attribute(xml.child(marker, 'c:size'), 'val')),
    color: readFillColor(xml, properties) ?? readStroke(xml, properties)?.color,
  });
  return Object.keys(read).length > 0 ? read : undefined;
}

function readPoints(xml: XmlDocument, element: XmlElement): ChartSeries['points'] {
  const points = element.children
    .filter(({ name }) => name === 'c:dPt')
    .slice(0, CELL_LIMITS.chartPoints)
    .flatMap((point) => {
      const at = numberOf(xml.attribute(xml.child(point, 'c:idx'), 'val'));
      const properties = xml.child(point, 'c:spPr');
      const fill = readFillColor(xml, properties);
      const color = fill ?? (fill === undefined ? readStroke(xml, properties)?.color : undefined);
      if (at === undefined || (fill === undefined && color === undefined)) return [];
      return [withoutNothing({ at, color, filled: fill === null ? false : undefined })];
    });
  return points.length > 0 ? (points as ChartSeries['points']) : undefined;
}
