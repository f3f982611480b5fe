import type { Chart, ChartSeries } from '../../../../../model/cell/items.ts';
import { applyEdits, type TextEdit } from '../../package/text-edits.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { escapeText } from '../../package/xml-text.ts';
import { colorRgb } from '../theme.ts';
import type { SheetVocabulary } from '../vocabulary.ts';
import { isSame } from './item-list.ts';

/** The values that a reference of a chart leads to, row by row; undefined for what is none. */
export type ReferenceValues = (formula: string) => readonly (string | number | null)[] | undefined;

/** Data of a series, and the elements that hold it. */
const DATA: readonly (readonly [
  keyof ChartSeries & ('name' | 'categories' | 'values' | 'sizes'),
  readonly string[],
])[] = [
  ['name', ['c:tx']],
  ['categories', ['c:cat', 'c:xVal']],
  ['values', ['c:val', 'c:yVal']],
  ['sizes', ['c:bubbleSize']],
];

/** The text of a chart part after a change of its data alone; undefined where more has changed. */
export function patchedChart(xml: XmlDocument, before: Chart, after: Chart): string | undefined {
  const withoutData = (chart: Chart) => ({
    ...chart,
    series: chart.series.map(
      ({ name: _n, categories: _c, values: _v, sizes: _s, cached: _k, ...rest }) => rest,
    ),
  });
  if (!isSame(withoutData(before), withoutData(after))) return undefined;
  const edits: TextEdit[] = [];
  for (const [index, element] of seriesOf(xml).entries()) {
    const [one, other] = [before.series[index], after.series[index]];
    for (const [property, names] of DATA) {
      const formula = other?.[property];
      if (!one || !other || one[property] === formula) continue;
      const data = element.children.find(({ name }) => names.includes(name));
      const place = data?.children[0] && xml.child(data.children[0], 'c:f');
      if (!place || formula === undefined) return undefined;
      const { start, end, name } = place;
      edits.push({ start, end, text: `<${name}>${escapeText(formula)}</${name}>` });
    }
  }
  return applyEdits(xml.text, edits);
}

function seriesOf(xml: XmlDocument): XmlElement[] {
  const plot = xml.child(xml.child(xml.root, 'c:chart'), 'c:plotArea');
  const groups = (plot?.children ?? []).filter(({ name }) => /Chart$/.test(name));
  return groups.flatMap((group) => group.children.filter(({ name }) => name === 'c:ser'));
}

const ELEMENTS: Readonly<Record<string, string>> = {
  bar: 'barChart',
  column: 'barChart',
  line: 'lineChart',
  pie: 'pieChart',
  doughnut: 'doughnutChart',
  area: 'areaChart',
  scatter: 'scatterChart',
};
const LEGENDS: Readonly<Record<string, string>> = {
  right: 'r',
  left: 'l',
  top: 't',
  bottom: 'b',
  topRight: 'tr',
};

/** A chart part for a chart (21.2.2.29). @param valuesOf what references lead to, for programs that do not calculate */
export function newChartXml(
  chart: Chart,
  { chart: main, drawing, relationships }: SheetVocabulary,
  valuesOf: ReferenceValues,
): string {
  const element = ELEMENTS[chart.type] ?? 'barChart';
  const isRound = element === 'pieChart' || element === 'doughnutChart';
  const series = chart.series.map((one, index) => seriesXml(one, { index, element, chart, valuesOf }));
  const grouping = chart.grouping ?? (element === 'barChart' ? 'clustered' : 'standard');
  const stacked = grouping === 'stacked' || grouping === 'percentStacked';
  const head: Readonly<Record<string, string>> = {
    barChart: `<c:barDir val="${chart.type === 'bar' ? 'bar' : 'col'}"/><c:grouping val="${grouping}"/><c:varyColors val="0"/>`,
    lineChart: `<c:grouping val="${grouping}"/><c:varyColors val="0"/>`,
    areaChart: `<c:grouping val="${grouping}"/><c:varyColors val="0"/>`,
    pieChart: '<c:varyColors val="1"/>',
    doughnutChart: '<c:varyColors val="1"/>',
    scatterChart: '<c:scatterStyle val="lineMarker"/><c:varyColors val="0"/>',
  };
  const tail: Readonly<Record<string, string>> = {
    barChart: `<c:gapWidth val="150"/>${stacked ? '<c:overlap val="100"/>' : ''}`,
    lineChart: '<c:marker val="1"/>',
    pieChart: '<c:firstSliceAng val="0"/>',
    doughnutChart: '<c:firstSliceAng val="0"/><c:holeSize val="50"/>',
  };
  const axisIds = isRound ? '' : '<c:axId val="111111111"/><c:axId val="222222222"/>';
  const title = chart.title ? titleXml(chart.title) : '';
  const deleted = chart.title === null || chart.title === undefined ? 1 : 0;
  const legend = chart.legend
    ? `<c:legend><c:legendPos val="${LEGENDS[chart.legend]}"/><c:overlay val="0"/></c:legend>`
    : '';
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<c:chartSpace xmlns:c="${main}" xmlns:a="${drawing}" xmlns:r="${relationships}"><c:roundedCorners val="0"/><c:chart>${title}<c:autoTitleDeleted val="${deleted}"/><c:plotArea><c:layout/><c:${element}>${head[element]}${series.join('')}${tail[element] ?? ''}${axisIds}</c:${element}>${isRound ? '' : axesXml(chart, element)}</c:plotArea>${legend}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>`;
}

interface SeriesContext {
  readonly index: number;
  readonly element: string;
  readonly chart: Chart;
  readonly valuesOf: ReferenceValues;
}

function seriesXml(series: ChartSeries, { index, element, chart, valuesOf }: SeriesContext): string {
  const isScatter = element === 'scatterChart';
  const name = series.name === undefined ? '' : `<c:tx>${nameXml(series.name, valuesOf)}</c:tx>`;
  const isLine = element === 'lineChart' || isScatter;
  const rgb = series.color && colorRgb(series.color);
  const fill = rgb ? `<a:solidFill><a:srgbClr val="${rgb}"/></a:solidFill>` : '';
  const look = fill === '' ? '' : `<c:spPr>${isLine ? `<a:ln w="28575">${fill}</a:ln>` : fill}</c:spPr>`;
  const labels = series.labels
    ? '<c:dLbls><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbls>'
    : '';
  const categories = dataXml(isScatter ? 'c:xVal' : 'c:cat', series.categories, valuesOf);
  const values = dataXml(isScatter ? 'c:yVal' : 'c:val', series.values, valuesOf, true);
  const smooth = isLine ? `<c:smooth val="${series.smooth ? 1 : 0}"/>` : '';
  const marker = chart.type === 'line' ? '<c:marker><c:symbol val="none"/></c:marker>' : '';
  const invert = element === 'barChart' ? '<c:invertIfNegative val="0"/>' : '';
  return `<c:ser><c:idx val="${index}"/><c:order val="${index}"/>${name}${look}${invert}${marker}${labels}${categories}${values}${smooth}</c:ser>`;
}

function nameXml(formula: string, valuesOf: ReferenceValues): string {
  const text = /^"((?:[^"]|"")*)"$/.exec(formula)?.[1];
  if (text !== undefined) return `<c:v>${escapeText(text.replaceAll('""', '"'))}</c:v>`;
  return `<c:strRef><c:f>${escapeText(formula)}</c:f>${cacheXml('c:strCache', valuesOf(formula))}</c:strRef>`;
}

function dataXml(
  name: string,
  formula: string | undefined,
  valuesOf: ReferenceValues,
  areNumbers = false,
): string {
  if (formula === undefined) return '';
  const values = valuesOf(formula);
  const isNumeric = areNumbers || (values?.every((value) => typeof value !== 'string') ?? false);
  const kind = isNumeric ? 'num' : 'str';
  return `<${name}><c:${kind}Ref><c:f>${escapeText(formula)}</c:f>${cacheXml(`c:${kind}Cache`, values)}</c:${kind}Ref></${name}>`;
}

function cacheXml(name: string, values: readonly (string | number | null)[] | undefined): string {
  if (!values) return '';
  const areNumbers = name === 'c:numCache';
  const points = values.map((value, index) =>
    value === null || (areNumbers && typeof value === 'string')
      ? ''
      : `<c:pt idx="${index}"><c:v>${escapeText(String(value))}</c:v></c:pt>`,
  );
  const format = areNumbers ? '<c:formatCode>General</c:formatCode>' : '';
  return `<${name}>${format}<c:ptCount val="${values.length}"/>${points.join('')}</${name}>`;
}

function axesXml(chart: Chart, element: string): string {
  const isSideways = chart.type === 'bar';
  const first = element === 'scatterChart' ? 'c:valAx' : 'c:catAx';
  const scaling = [
    '<c:orientation val="minMax"/>',
    chart.maximum === undefined ? '' : `<c:max val="${chart.maximum}"/>`,
    chart.minimum === undefined ? '' : `<c:min val="${chart.minimum}"/>`,
  ].join('');
  const format = escapeText(chart.valueFormat ?? 'General').replaceAll('"', '&quot;');
  const titled = (text: string | undefined) => (text === undefined ? '' : titleXml(text));
  return (
    `<${first}><c:axId val="111111111"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="${isSideways ? 'l' : 'b'}"/>${titled(chart.categoryTitle)}<c:numFmt formatCode="General" sourceLinked="1"/><c:majorTickMark val="out"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="222222222"/><c:crosses val="autoZero"/></${first}>` +
    `<c:valAx><c:axId val="222222222"/><c:scaling>${scaling}</c:scaling><c:delete val="0"/><c:axPos val="${isSideways ? 'b' : 'l'}"/><c:majorGridlines/>${titled(chart.valueTitle)}<c:numFmt formatCode="${format}" sourceLinked="${chart.valueFormat === undefined ? 1 : 0}"/><c:majorTickMark val="out"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="111111111"/><c:crosses val="autoZero"/></c:valAx>`
  );
}

function titleXml(text: string): string {
  return `<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>${escapeText(text)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`;
}
