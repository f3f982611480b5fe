import { type Chart, readChartItem } from '../../../../../model/cell/chart.ts';
import { isChartType } from '../../../../../model/cell/chart-kinds.ts';
import { CELL_LIMITS } from '../../../../../model/cell/limits.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { readDrawingColor, readFillColor, readStroke, textProperties } from '../items/drawing-looks.ts';
import { isOn, numberOf, withoutNothing } from '../styles/format-xml.ts';
import { groupsOf, isOnSecond, readAxes } from './axes-reader.ts';
import { readTitle } from './data-reader.ts';
import { readSeries } from './series-reader.ts';

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
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
  }),
);
const GROUPINGS = ['clustered', 'stacked', 'percentStacked', 'standard'] as const;
export const LEGENDS: ReadonlyMap<string, NonNullable<Chart['legend']>> = new Map(
  Object.entries<NonNullable<Chart['legend']>>({
    r: 'right',
    l: 'left',
    t: 'top',
    b: 'bottom',
    tr: 'topRight',
  }),
);
const USUAL_GAP = 150;
const USUAL_STYLE = 2;

/** The chart of a chart part (21.2.2.27): its data, and as much of its look as the model has; undefined for none. */
export function readChart(xml: XmlDocument): Chart | undefined {
  const chart = xml.child(xml.root, 'c:chart');
  const plot = xml.child(chart, 'c:plotArea');
  if (!chart || !plot) return undefined;
  const value = (element: XmlElement | undefined, name: string) =>
    xml.attribute(xml.child(element, name), 'val');
  const groups = groupsOf(plot).map((element) => ({
    element,
    type: typeOf(xml, element),
    grouping: GROUPINGS.find((one) => one === value(element, 'c:grouping')),
    isSecond: isOnSecond(xml, plot, element),
  }));
  const [first] = groups;
  if (!first) return undefined;
  let place = 0;
  const series = groups
    .flatMap((group) =>
      group.element.children
        .filter(({ name }) => name === 'c:ser')
        .map((one) => readSeries(xml, one, group, first, place++)),
    )
    .slice(0, CELL_LIMITS.chartSeries);
  const { type, grouping, element } = first;
  const title = readTitle(xml, chart);
  const legend = xml.child(chart, 'c:legend');
  const read = withoutNothing({
    type,
    grouping,
    title: title?.text,
    titleFormula: title?.formula && xml.content(title.formula),
    autoTitle: hasAutoTitle(xml, chart, series.length) || undefined,
    legend: legend ? (LEGENDS.get(value(legend, 'c:legendPos') ?? 'r') ?? 'right') : null,
    legendWithout: legend && readLegendWithout(xml, legend),
    series,
    ...readAxes(xml, plot),
    ...readShape(xml, element, type),
    ...readSpace(xml),
    showsHidden: value(chart, 'c:plotVisOnly') === '0' || undefined,
    blanks: (['zero', 'span'] as const).find((one) => one === value(chart, 'c:dispBlanksAs')),
    solid: /3DChart$/.test(element.name) || undefined,
    plotBackground: readFillColor(xml, xml.child(plot, 'c:spPr')),
    editable: groups.length === 1 && isChartType(type) ? undefined : false,
  });
  // What is beyond all bounds is kept as it lies in the file.
  return readChartItem(read) ?? undefined;
}

function typeOf(xml: XmlDocument, { name, children }: XmlElement): string {
  if (/^c:bar(?:3D)?Chart$/.test(name)) {
    const direction = children.find((child) => child.name === 'c:barDir');
    return xml.attribute(direction, 'val') === 'bar' ? 'bar' : 'column';
  }
  return TYPES.get(name) ?? name.replace(/^c:|Chart$/g, '');
}

/** A title without words is what the chart finds itself, and so is none at all where that is not said. */
function hasAutoTitle(xml: XmlDocument, chart: XmlElement, seriesCount: number): boolean {
  const title = readTitle(xml, chart);
  if (title) return title.text === null;
  const deleted = xml.child(chart, 'c:autoTitleDeleted');
  return seriesCount === 1 && !(deleted && isOn(xml.attribute(deleted, 'val')));
}

function readLegendWithout(xml: XmlDocument, legend: XmlElement): number[] | undefined {
  const left = legend.children.flatMap((entry) => {
    const deleted = entry.name === 'c:legendEntry' ? xml.child(entry, 'c:delete') : undefined;
    const at = numberOf(xml.attribute(xml.child(entry, 'c:idx'), 'val'));
    return deleted && isOn(xml.attribute(deleted, 'val')) && at !== undefined ? [at] : [];
  });
  return left.length > 0 ? left : undefined;
}

/** Gaps, holes and the like of the first group. */
function readShape(xml: XmlDocument, group: XmlElement, type: string): Partial<Chart> {
  const number = (name: string) => numberOf(xml.attribute(xml.child(group, name), 'val'));
  const [gap, varies] = [number('c:gapWidth'), xml.child(group, 'c:varyColors')];
  const isVaried = varies ? isOn(xml.attribute(varies, 'val')) : undefined;
  const isRound = type === 'pie' || type === 'doughnut';
  return {
    gapPercent: gap === USUAL_GAP ? undefined : gap,
    overlapPercent: number('c:overlap') || undefined,
    holePercent: type === 'doughnut' ? number('c:holeSize') : undefined,
    firstAngle: isRound ? number('c:firstSliceAng') || undefined : undefined,
    variesColors: isVaried === isRound ? undefined : isVaried,
  };
}

/** What is said of the chart as a whole. */
function readSpace(xml: XmlDocument): Partial<Chart> {
  const properties = xml.child(xml.root, 'c:spPr');
  const style = numberOf(xml.attribute(xml.child(xml.root, 'c:style'), 'val'));
  const text = textProperties(xml, xml.child(xml.root, 'c:txPr'));
  return {
    style: style === USUAL_STYLE ? undefined : style,
    background: readFillColor(xml, properties),
    stroke: readStroke(xml, properties),
    textColor: readDrawingColor(xml, xml.child(text, 'a:solidFill')),
  };
}
