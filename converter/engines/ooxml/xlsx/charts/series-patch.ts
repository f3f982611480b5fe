import type { Chart, ChartSeries } from '../../../../../model/cell/chart.ts';
import { isOfLines } from '../../../../../model/cell/chart-kinds.ts';
import { XmlNode } from '../../package/xml-node.ts';
import { isSame } from '../items/item-list.ts';
import { whole } from '../styles/format-xml.ts';
import { patchData, type ReferenceValues } from './data-patch.ts';
import { MARKER_ORDER, POINT_ORDER, SERIES_ORDER } from './element-order.ts';
import { patchLabels } from './labels-patch.ts';
import { patchFill, patchLine } from './look-patch.ts';
import { setValue } from './value-element.ts';

export interface SeriesContext {
  readonly type: string;
  readonly grouping: Chart['grouping'];
  readonly solid: boolean;
  readonly hasCommonLabels: boolean;
  readonly valuesOf: ReferenceValues;
}

/** A series, as new ones begin. */
export const newSeriesNode = (type: string): XmlNode => {
  const straight = type === 'line' || type === 'scatter' ? '<c:smooth val="0"/>' : '';
  const usual = type === 'column' || type === 'bar' ? '<c:invertIfNegative val="0"/>' : '';
  return XmlNode.parse(`<c:ser><c:idx val="0"/><c:order val="0"/>${usual}${straight}</c:ser>`);
};

/** Makes the element of a series say what the series has become. What did not change stays as it is. */
export function patchSeries(
  node: XmlNode,
  before: ChartSeries,
  after: ChartSeries,
  context: SeriesContext,
): void {
  const { type, grouping, solid, hasCommonLabels, valuesOf } = context;
  patchReferences(node, before, after, type, valuesOf);
  if (isOfLines(type)) {
    if (!isSame(lineOf(before), lineOf(after))) patchLine(node, SERIES_ORDER, lineOf(before), lineOf(after));
  } else {
    const isFilledOtherwise = before.filled !== after.filled || !isSame(before.color, after.color);
    if (isFilledOtherwise) patchFill(node, SERIES_ORDER, after.filled === false ? null : after.color);
    if (!isSame(before.stroke, after.stroke)) patchLine(node, SERIES_ORDER, before.stroke, after.stroke);
  }
  if ((type === 'line' || type === 'scatter') && before.smooth !== after.smooth)
    setValue(node, 'c:smooth', after.smooth === true, SERIES_ORDER);
  if (!isSame(before.marker, after.marker)) patchMarker(node, before.marker, after.marker);
  if (!isSame(before.points, after.points)) patchPoints(node, before.points, after.points);
  if (!isSame(labelsOf(before), labelsOf(after)))
    patchLabels(node, after, { type, grouping, solid }, hasCommonLabels);
}

const lineOf = ({ color, stroke }: ChartSeries) => (color || stroke ? { ...stroke, color } : undefined);

const labelsOf = ({ labels, labelParts, labelPlace, labelFormat }: ChartSeries) =>
  labels ? { labelParts, labelPlace, labelFormat } : null;

function patchReferences(
  node: XmlNode,
  before: ChartSeries,
  after: ChartSeries,
  type: string,
  valuesOf: ReferenceValues,
): void {
  const isPlane = type === 'scatter' || type === 'bubble';
  const names = {
    name: 'c:tx',
    categories: isPlane ? 'c:xVal' : 'c:cat',
    values: isPlane ? 'c:yVal' : 'c:val',
    sizes: 'c:bubbleSize',
  } as const;
  for (const part of ['name', 'categories', 'values', 'sizes'] as const) {
    const formula = after[part];
    if (before[part] === formula || (part === 'sizes' && type !== 'bubble')) continue;
    const last = before.cached?.[part];
    const keepsValues = last !== undefined && isSame(last, after.cached?.[part]);
    const areNumbers = part === 'values' || part === 'sizes';
    patchData(node, names[part], SERIES_ORDER, { formula, keepsValues, areNumbers }, valuesOf);
  }
}

const SYMBOLS = [
  'circle',
  'dash',
  'diamond',
  'dot',
  'none',
  'picture',
  'plus',
  'square',
  'star',
  'triangle',
  'x',
];

function patchMarker(node: XmlNode, before: ChartSeries['marker'], after: ChartSeries['marker']): void {
  if (!after) {
    node.remove(node.child('c:marker'));
    return;
  }
  let marker = node.child('c:marker');
  if (!marker) {
    marker = XmlNode.parse('<c:marker></c:marker>');
    node.insert(marker, SERIES_ORDER);
  }
  const symbol = after.symbol !== undefined && SYMBOLS.includes(after.symbol) ? after.symbol : undefined;
  setValue(marker, 'c:symbol', symbol, MARKER_ORDER);
  setValue(marker, 'c:size', after.size === undefined ? undefined : whole(after.size, 2, 72), MARKER_ORDER);
  if (!isSame(before?.color, after.color)) patchFill(marker, MARKER_ORDER, after.color);
}

/** A line has marks only where its group says so: where some have marks, those without say that they have none. */
export function mendMarkers(group: XmlNode, nodes: readonly XmlNode[], series: readonly ChartSeries[]): void {
  setValue(group, 'c:marker', true, GROUP_MARKER_ORDER);
  for (const [at, node] of nodes.entries()) {
    if (series[at]!.marker?.symbol === 'none' && !node.child('c:marker'))
      node.insert(XmlNode.parse('<c:marker><c:symbol val="none"/></c:marker>'), SERIES_ORDER);
  }
}
const GROUP_MARKER_ORDER = ['c:marker', 'c:smooth', 'c:axId', 'c:extLst'];

function patchPoints(node: XmlNode, before: ChartSeries['points'], after: ChartSeries['points']): void {
  const places = new Set([...(before ?? []), ...(after ?? [])].map(({ at }) => at));
  for (const at of places) {
    const [was, is] = [before?.find((one) => one.at === at), after?.find((one) => one.at === at)];
    if (isSame(was, is)) continue;
    let point = node.all('c:dPt').find((one) => one.child('c:idx')?.attribute('val') === String(at));
    if (!point) {
      if (!is) continue;
      point = XmlNode.parse(`<c:dPt><c:idx val="${at}"/></c:dPt>`);
      insertPoint(node, point, at);
    }
    patchFill(point, POINT_ORDER, is && (is.filled === false ? null : is.color));
    if (!is && point.children.every(({ name }) => name === 'c:idx' || name === 'c:bubble3D'))
      node.remove(point);
  }
}

/** Points come in the order of their numbers. */
function insertPoint(node: XmlNode, point: XmlNode, at: number): void {
  const behind = node.all('c:dPt').filter((one) => Number(one.child('c:idx')?.attribute('val')) > at);
  node.remove(...behind);
  for (const one of [point, ...behind]) node.insert(one, SERIES_ORDER);
}
