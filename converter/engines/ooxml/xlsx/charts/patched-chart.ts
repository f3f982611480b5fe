import type { Chart, ChartSeries } from '../../../../../model/cell/chart.ts';
import { seriesNumbers } from '../../../../../model/cell/chart-change.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import { XmlNode } from '../../package/xml-node.ts';
import { isSame } from '../items/item-list.ts';
import type { SheetVocabulary } from '../vocabulary.ts';
import { type AxisNodes, patchAxes, patchAxesKind } from './axes-patch.ts';
import { axesOf, groupsOf } from './axes-reader.ts';
import { LEGENDS } from './chart-reader.ts';
import type { ReferenceValues } from './data-patch.ts';
import { CHART_ORDER, GROUP_ORDER, LEGEND_ORDER, SERIES_ORDER } from './element-order.ts';
import { patchKind, patchShape } from './kind-patch.ts';
import { mendMarkers, newSeriesNode, patchSeries } from './series-patch.ts';
import { patchTitle } from './title-patch.ts';
import { setValue } from './value-element.ts';

const LEGEND_NAMES = new Map([...LEGENDS].map(([name, place]) => [place, name]));

export interface PatchContext {
  readonly vocabulary: SheetVocabulary;
  readonly valuesOf: ReferenceValues;
}

/**
 * The text of a chart part after its chart has changed. What the chart does not say, and what did not change, stays byte for byte:
 * extensions, trend lines, the look of what is there.
 * @param before the chart as it was read of the part
 */
export function patchedChart(xml: XmlDocument, before: Chart, after: Chart, context: PatchContext): string {
  const root = XmlNode.of(xml, xml.root);
  const chart = root.child('c:chart');
  const plot = chart?.child('c:plotArea');
  const plotElement = xml.child(xml.child(xml.root, 'c:chart'), 'c:plotArea');
  if (!chart || !plot || !plotElement || isSame(before, after)) return xml.text;
  const nodes = plot.children;
  const nodeOf = (element: (typeof plotElement.children)[number] | undefined) =>
    element && nodes[plotElement.children.indexOf(element)];
  const groups = groupsOf(plotElement).map((element) => nodeOf(element)!);
  const found = axesOf(xml, plotElement);
  let axes: AxisNodes = Object.fromEntries(
    Object.entries(found).map(([name, element]) => [name, nodeOf(element)]),
  );
  patchWords(chart, before, after);
  const [group] = groups as [XmlNode];
  const isOther =
    groups.length === 1 &&
    (before.type !== after.type || before.grouping !== after.grouping || before.solid !== after.solid);
  let was = before;
  if (isOther) {
    patchKind(group, before, after);
    axes = patchAxesKind(plot, group, axes, after.type);
    if (before.solid)
      chart.remove(...['c:view3D', 'c:floor', 'c:sideWall', 'c:backWall'].map((name) => chart.child(name)));
    was = { ...before, type: after.type, grouping: after.grouping, solid: after.solid };
  } else patchShape(group, before, after, false);
  patchAllSeries(groups, was, before, after, context);
  patchAxes(axes, before, after, isOther);
  const text = root.toString();
  if (text === xml.raw(xml.root)) return xml.text;
  if (xml.attribute(xml.root, 'xmlns:a') === undefined) root.set({ 'xmlns:a': context.vocabulary.drawing });
  return xml.text.slice(0, xml.root.start) + root.toString() + xml.text.slice(xml.root.end);
}

/** Title, legend, and what is said of cells that are hidden or empty. */
function patchWords(chart: XmlNode, before: Chart, after: Chart): void {
  const set = (name: string, value: string | boolean) => setValue(chart, name, value, CHART_ORDER);
  const wasTitled = chart.child('c:title') !== undefined;
  patchTitle(
    chart,
    { text: before.title, formula: before.titleFormula },
    { text: after.title, formula: after.titleFormula },
    { order: CHART_ORDER, size: 14 },
  );
  const isTitled = chart.child('c:title') !== undefined;
  // A chart that comes to have one series would be called as that.
  const isLone = after.series.length === 1 && before.series.length !== 1 && !isTitled;
  if (isTitled !== wasTitled || before.autoTitle !== after.autoTitle || isLone)
    set('c:autoTitleDeleted', !isTitled && after.autoTitle !== true);
  const legend = chart.child('c:legend');
  const place = after.legend ? LEGEND_NAMES.get(after.legend) : undefined;
  if ((before.legend ?? null) !== (after.legend ?? null)) {
    if (place === undefined) chart.remove(legend);
    else if (legend) {
      setValue(legend, 'c:legendPos', place, LEGEND_ORDER);
      // Where it was put by hand counts for the side that it was on.
      legend.remove(legend.child('c:layout'));
    } else
      chart.insert(
        XmlNode.parse(`<c:legend><c:legendPos val="${place}"/><c:overlay val="0"/></c:legend>`),
        CHART_ORDER,
      );
  }
  if (!isSame(before.legendWithout, after.legendWithout)) patchLegendEntries(chart.child('c:legend'), after);
  if (before.showsHidden !== after.showsHidden) set('c:plotVisOnly', after.showsHidden !== true);
  if (before.blanks !== after.blanks) set('c:dispBlanksAs', after.blanks ?? 'gap');
}

function patchLegendEntries(legend: XmlNode | undefined, { legendWithout = [] }: Chart): void {
  if (!legend) return;
  const kept = legend.all('c:legendEntry').filter((entry) => !entry.child('c:delete'));
  const left = legendWithout.map((at) =>
    XmlNode.parse(`<c:legendEntry><c:idx val="${at}"/><c:delete val="1"/></c:legendEntry>`),
  );
  legend.setChildren('c:legendEntry', [...kept, ...left], LEGEND_ORDER);
}

/** Series by number: those that are gone go, new ones come into the first group, and all stand in their order. */
function patchAllSeries(
  groups: readonly XmlNode[],
  was: Chart,
  before: Chart,
  after: Chart,
  { valuesOf }: PatchContext,
): void {
  const known = groups.flatMap((group) => group.all('c:ser').map((node) => ({ node, group })));
  const numbers = seriesNumbers(before.series);
  const places = new Map(numbers.map((number, at) => [number, at]));
  const after_ = seriesNumbers(after.series);
  const first = groups[0]!;
  const made: { readonly node: XmlNode; readonly group: XmlNode; readonly series: ChartSeries }[] = [];
  const isOtherLook = was !== before;
  for (const [at, number] of after_.entries()) {
    const series = after.series[at]!;
    const place = places.get(number);
    const one = place === undefined ? undefined : known[place];
    const type = series.type ?? after.type;
    const { node, group } = one ?? { node: newSeriesNode(type), group: first };
    const last = one ? before.series[place!]! : {};
    patchSeries(node, isOtherLook ? inKind(last, before, after) : last, series, {
      ...{ type, grouping: series.grouping ?? after.grouping, solid: after.solid === true, valuesOf },
      hasCommonLabels: group.child('c:dLbls') !== undefined,
    });
    if (!one || (last.index ?? place) !== (series.index ?? at)) setValue(node, 'c:idx', number, SERIES_ORDER);
    if (!one || (last.order ?? place) !== (series.order ?? at))
      setValue(node, 'c:order', series.order ?? at, SERIES_ORDER);
    made.push({ node, group, series });
  }
  // Those that a chart has beyond what is read of it stay.
  const unread = known.slice(before.series.length);
  for (const group of groups) {
    const present = group.all('c:ser');
    const own = [...made, ...unread].filter((one) => one.group === group).map(({ node }) => node);
    if (present.length === own.length && present.every((node, at) => node === own[at])) continue;
    group.setChildren('c:ser', own, GROUP_ORDER);
  }
  const lines = made.filter(({ group }) => group.name === 'c:lineChart');
  const areMarksOther = lines.some(
    ({ node, series }) => series.marker?.symbol !== 'none' && !node.child('c:marker'),
  );
  for (const group of new Set(lines.map((one) => one.group))) {
    const own = lines.filter((one) => one.group === group);
    const isMarked = group.child('c:marker') !== undefined;
    if (areMarksOther || (isOtherLook && isMarked))
      mendMarkers(
        group,
        own.map(({ node }) => node),
        own.map(({ series }) => series),
      );
  }
}

/** What the element of a series says once its group is of another kind. */
function inKind(series: ChartSeries, before: Chart, after: Chart): ChartSeries {
  const isLine = (type: string) => type === 'line' || type === 'scatter';
  const isOtherLook = isLine(before.type) !== isLine(after.type);
  const isOtherPoints = isOtherLook || /pie|doughnut/.test(before.type) !== /pie|doughnut/.test(after.type);
  const { color, filled, stroke, points, marker, smooth, ...rest } = series;
  return {
    ...rest,
    ...(!isOtherLook && { color, filled, stroke }),
    ...(!isOtherPoints && { points }),
    ...(isLine(after.type) && isLine(before.type) && { marker, smooth }),
  };
}
