import type { Chart } from '../../../../../model/cell/chart.ts';
import { groupingsOf, isOfLines, isRound } from '../../../../../model/cell/chart-kinds.ts';
import type { XmlNode } from '../../package/xml-node.ts';
import { whole } from '../styles/format-xml.ts';
import { GROUP_ORDER, SERIES_ORDER } from './element-order.ts';
import { mendPlaces } from './labels-patch.ts';
import { setValue } from './value-element.ts';

const GROUPS: Readonly<Record<string, string>> = {
  bar: 'c:barChart',
  column: 'c:barChart',
  line: 'c:lineChart',
  pie: 'c:pieChart',
  doughnut: 'c:doughnutChart',
  area: 'c:areaChart',
  scatter: 'c:scatterChart',
};
const OF_ALL = ['c:varyColors', 'c:ser', 'c:dLbls'];
const OF_GROUP: Readonly<Record<string, readonly string[]>> = {
  'c:barChart': ['c:barDir', 'c:grouping', 'c:gapWidth', 'c:overlap', 'c:serLines', 'c:axId'],
  'c:lineChart': ['c:grouping', 'c:dropLines', 'c:hiLowLines', 'c:upDownBars', 'c:marker', 'c:axId'],
  'c:areaChart': ['c:grouping', 'c:dropLines', 'c:axId'],
  'c:pieChart': ['c:firstSliceAng'],
  'c:doughnutChart': ['c:firstSliceAng', 'c:holeSize'],
  'c:scatterChart': ['c:scatterStyle', 'c:axId'],
};
const OF_ALL_SERIES = ['c:idx', 'c:order', 'c:tx', 'c:spPr', 'c:dPt', 'c:dLbls', 'c:cat', 'c:val'];
const OF_SERIES: Readonly<Record<string, readonly string[]>> = {
  'c:barChart': ['c:invertIfNegative', 'c:pictureOptions', 'c:trendline', 'c:errBars'],
  'c:lineChart': ['c:marker', 'c:trendline', 'c:errBars', 'c:smooth'],
  'c:areaChart': ['c:pictureOptions', 'c:trendline', 'c:errBars'],
  'c:pieChart': ['c:explosion'],
  'c:doughnutChart': ['c:explosion'],
  'c:scatterChart': ['c:marker', 'c:trendline', 'c:smooth', 'c:xVal', 'c:yVal'],
};
const USUAL_GAP = 150;
const USUAL_HOLE = 50;

/** Makes the only group of a chart one of another kind. What the new kind cannot have of it goes. */
export function patchKind(group: XmlNode, before: Chart, after: Chart): void {
  const name = GROUPS[after.type]!;
  const isOther = group.name !== name;
  if (isOther) {
    group.rename(name);
    const kept = [...OF_ALL, ...OF_GROUP[name]!];
    group.remove(...group.children.filter((child) => !kept.includes(child.name)));
  }
  if (isRound(after.type)) group.remove(...group.all('c:axId'));
  const set = (child: string, value: string | number | boolean | undefined) =>
    setValue(group, child, value, GROUP_ORDER);
  if (name === 'c:barChart') set('c:barDir', after.type === 'bar' ? 'bar' : 'col');
  const groupings = groupingsOf(after.type);
  const grouping = groupings.find((one) => one === after.grouping) ?? groupings[0];
  if (grouping !== undefined) set('c:grouping', grouping);
  if (name === 'c:scatterChart' && isOther) set('c:scatterStyle', 'lineMarker');
  if (name === 'c:lineChart' && isOther) set('c:marker', true);
  for (const series of group.all('c:ser')) patchSeriesKind(series, before, after, isOther, name);
  mendPlaces(group, after);
  patchShape(group, before, after, isOther);
}

function patchSeriesKind(
  series: XmlNode,
  before: Chart,
  after: Chart,
  isOther: boolean,
  group: string,
): void {
  const isPlane = after.type === 'scatter';
  const isOtherLook =
    isOfLines(before.type) !== isOfLines(after.type) || isRound(before.type) !== isRound(after.type);
  series.child(isPlane ? 'c:cat' : 'c:xVal')?.rename(isPlane ? 'c:xVal' : 'c:cat');
  series.child(isPlane ? 'c:val' : 'c:yVal')?.rename(isPlane ? 'c:yVal' : 'c:val');
  if (isOther) {
    const kept = [...OF_ALL_SERIES, ...OF_SERIES[group]!];
    series.remove(...series.children.filter((child) => !kept.includes(child.name)));
    if (before.type === 'scatter') series.remove(...series.all('c:errBars'));
    if (isPlane) series.remove(...series.all('c:cat'), ...series.all('c:val'));
  }
  if (isOtherLook) series.remove(...series.all('c:dPt'));
  // Lines have another look than what is filled; the colour is put in again.
  if (isOfLines(before.type) !== isOfLines(after.type)) series.remove(...series.all('c:spPr'));
  if (after.grouping === 'stacked' || after.grouping === 'percentStacked' || isRound(after.type))
    series.remove(...series.all('c:trendline'));
  if (group === 'c:barChart' && isOther && !series.child('c:invertIfNegative'))
    setValue(series, 'c:invertIfNegative', false, SERIES_ORDER);
  if ((after.type === 'line' || isPlane) && isOther && !series.child('c:smooth'))
    setValue(series, 'c:smooth', false, SERIES_ORDER);
  mendPlaces(series, after);
}

/** Gaps, holes and the like. @param isOther the group is of another kind than before, and says nothing of them yet */
export function patchShape(group: XmlNode, before: Chart, after: Chart, isOther: boolean): void {
  const set = (name: string, value: string | number | boolean | undefined) =>
    setValue(group, name, value, GROUP_ORDER);
  const isChanged = (
    field: 'gapPercent' | 'overlapPercent' | 'holePercent' | 'firstAngle' | 'variesColors',
  ) => isOther || before[field] !== after[field];
  if (isChanged('variesColors')) set('c:varyColors', after.variesColors ?? isRound(after.type));
  if (/^c:bar(?:3D)?Chart$/.test(group.name)) {
    if (isChanged('gapPercent')) set('c:gapWidth', whole(after.gapPercent ?? USUAL_GAP, 0, 500));
    if (group.name === 'c:barChart' && isChanged('overlapPercent'))
      set(
        'c:overlap',
        after.overlapPercent === undefined ? undefined : whole(after.overlapPercent, -100, 100),
      );
  }
  if (!/^c:(?:pie|doughnut)Chart$/.test(group.name)) return;
  if (isChanged('firstAngle')) set('c:firstSliceAng', whole(after.firstAngle ?? 0, 0, 360));
  if (group.name === 'c:doughnutChart' && isChanged('holePercent'))
    set('c:holeSize', whole(after.holePercent ?? USUAL_HOLE, 10, 90));
}
