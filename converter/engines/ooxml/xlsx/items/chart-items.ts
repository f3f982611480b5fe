import type { Chart, ChartSeries } from '../../../../../model/cell/items.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { isOn, numberOf, withoutNothing } from '../styles/format-xml.ts';

const TYPES: Readonly<Record<string, string>> = {
  'c:lineChart': 'line',
  'c:line3DChart': 'line',
  'c:pieChart': 'pie',
  'c:pie3DChart': 'pie',
  'c:ofPieChart': 'pie',
  'c:doughnutChart': 'doughnut',
  'c:areaChart': 'area',
  'c:area3DChart': 'area',
  'c:scatterChart': 'scatter',
  'c:bubbleChart': 'bubble',
  'c:radarChart': 'radar',
  'c:stockChart': 'stock',
  'c:surfaceChart': 'surface',
  'c:surface3DChart': 'surface',
};
const GROUPINGS = ['clustered', 'stacked', 'percentStacked', 'standard'] as const;
const LEGENDS: Readonly<Record<string, NonNullable<Chart['legend']>>> = {
  r: 'right',
  l: 'left',
  t: 'top',
  b: 'bottom',
  tr: 'topRight',
};
/** Points of a series that are kept as the file had them. */
const MOST_POINTS = 10_000;
const MOST_FORMULA = 8_192;
const EDITABLE = ['bar', 'column', 'line', 'pie', 'doughnut', 'area', 'scatter'];

/** The chart of a chart part (21.2.2.27): its data, and as much of its look as the model has; undefined for none. */
export function readChart(xml: XmlDocument): Chart | undefined {
  const chart = xml.child(xml.root, 'c:chart');
  const plot = xml.child(chart, 'c:plotArea');
  if (!chart || !plot) return undefined;
  const value = (element: XmlElement | undefined, name: string) =>
    xml.attribute(xml.child(element, name), 'val');
  const groups = plot.children.filter(({ name }) => /Chart$/.test(name));
  const [first] = groups;
  if (!first) return undefined;
  const typeOf = (group: XmlElement) => {
    if (/^c:bar(?:3D)?Chart$/.test(group.name)) return value(group, 'c:barDir') === 'bar' ? 'bar' : 'column';
    return TYPES[group.name] ?? group.name.replace(/^c:|Chart$/g, '');
  };
  const type = typeOf(first);
  const series = groups.flatMap((group) =>
    group.children
      .filter(({ name }) => name === 'c:ser')
      .map((one) => readSeries(xml, one, typeOf(group), type)),
  );
  const legend = xml.child(chart, 'c:legend');
  const [category, numbers] = [
    plot.children.find(({ name }) => /^c:(?:cat|date)Ax$/.test(name)),
    plot.children.find(({ name }) => name === 'c:valAx'),
  ];
  const scaling = xml.child(numbers, 'c:scaling');
  return withoutNothing({
    type,
    grouping: GROUPINGS.find((one) => one === value(first, 'c:grouping')),
    title: titleOf(xml, chart),
    legend: legend ? (LEGENDS[value(legend, 'c:legendPos') ?? 'r'] ?? 'right') : null,
    series,
    categoryTitle: titleOf(xml, category) ?? undefined,
    valueTitle: titleOf(xml, numbers) ?? undefined,
    valueFormat: xml.attribute(xml.child(numbers, 'c:numFmt'), 'formatCode'),
    minimum: numberOf(value(scaling, 'c:min')),
    maximum: numberOf(value(scaling, 'c:max')),
    editable: groups.length === 1 && EDITABLE.includes(type) ? undefined : false,
  }) as Chart;
}

function titleOf(xml: XmlDocument, element: XmlElement | undefined): string | null | undefined {
  const title = xml.child(element, 'c:title');
  if (!title) return undefined;
  const texts: string[] = [];
  const visit = (one: XmlElement) => {
    if (one.name === 'a:t' || one.name === 'c:v') texts.push(xml.content(one));
    else for (const child of one.children) visit(child);
  };
  visit(title);
  return texts.join('').slice(0, 32_767) || null;
}

interface Data {
  readonly formula: string | undefined;
  readonly cached: (string | number | null)[] | undefined;
}

function readSeries(xml: XmlDocument, element: XmlElement, type: string, ofChart: string): ChartSeries {
  const part = (name: string) => readData(xml, xml.child(element, name));
  const name = part('c:tx');
  const categories = part(type === 'scatter' || type === 'bubble' ? 'c:xVal' : 'c:cat');
  const values = part(type === 'scatter' || type === 'bubble' ? 'c:yVal' : 'c:val');
  const sizes = part('c:bubbleSize');
  const cached = withoutNothing({
    name: name.cached,
    categories: categories.cached,
    values: values.cached,
    sizes: sizes.cached,
  });
  const smooth = xml.child(element, 'c:smooth');
  return withoutNothing({
    name: name.formula,
    categories: categories.formula,
    values: values.formula,
    sizes: sizes.formula,
    type: type === ofChart ? undefined : type,
    smooth: (smooth && isOn(xml.attribute(smooth, 'val'))) || undefined,
    cached: Object.keys(cached).length > 0 ? cached : undefined,
  }) as ChartSeries;
}

/** Data of a series: a reference with what it had last, or values of the chart's own. */
function readData(xml: XmlDocument, element: XmlElement | undefined): Data {
  const [source] = element?.children ?? [];
  if (!element || !source) return { formula: undefined, cached: undefined };
  if (source.name === 'c:v') {
    const text = xml.content(source).slice(0, MOST_FORMULA / 4);
    return { formula: `"${text.replaceAll('"', '""')}"`, cached: [text] };
  }
  const formula = xml.child(source, 'c:f');
  const text = formula && xml.content(formula);
  const cache = source.children.find(({ name }) => /(?:Cache|Lit)$/.test(name)) ?? source;
  return {
    formula: text === undefined || text.length > MOST_FORMULA ? undefined : text,
    cached: cachedValues(xml, xml.child(cache, 'c:lvl') ?? cache, /^c:num/.test(cache.name)),
  };
}

function cachedValues(
  xml: XmlDocument,
  cache: XmlElement,
  areNumbers: boolean,
): (string | number | null)[] | undefined {
  const points = cache.children.filter(({ name }) => name === 'c:pt');
  if (points.length === 0) return undefined;
  const values: (string | number | null)[] = [];
  for (const point of points) {
    const index = numberOf(xml.attribute(point, 'idx')) ?? -1;
    const value = xml.child(point, 'c:v');
    if (!value || index < 0 || index >= MOST_POINTS) continue;
    while (values.length < index) values.push(null);
    const text = xml.content(value);
    values[index] = areNumbers ? (numberOf(text) ?? null) : text;
  }
  return values;
}
