import type { Chart, ChartAxis, ChartAxisName } from '../../../../../model/cell/chart.ts';
import { isRound } from '../../../../../model/cell/chart-kinds.ts';
import { XmlNode } from '../../package/xml-node.ts';
import { escapeAttribute } from '../../package/xml-text.ts';
import { AXIS_ORDER, GROUP_ORDER, SCALING_ORDER } from './element-order.ts';
import { patchTitle } from './title-patch.ts';
import { setValue } from './value-element.ts';

export type AxisNodes = { [Name in ChartAxisName]?: XmlNode | undefined };

const OF_WORDS = [
  ...['c:auto', 'c:lblAlgn', 'c:lblOffset', 'c:baseTimeUnit', 'c:majorTimeUnit', 'c:minorTimeUnit'],
  ...['c:tickLblSkip', 'c:tickMarkSkip', 'c:noMultiLvlLbl', 'c:extLst'],
];
const OF_NUMBERS = ['c:crossBetween', 'c:majorUnit', 'c:minorUnit', 'c:dispUnits', 'c:extLst'];
const QUARTER: Readonly<Record<string, string>> = { b: 'l', l: 'b', t: 'r', r: 't' };

/** Makes the axes of a plot those of another kind of chart: takes them out, puts them in, turns words into numbers. */
export function patchAxesKind(plot: XmlNode, group: XmlNode, axes: AxisNodes, type: string): AxisNodes {
  if (isRound(type)) {
    plot.remove(...plot.children.filter(({ name }) => /Ax$/.test(name)));
    return {};
  }
  // The axis of depths.
  const depth = plot.child('c:serAx');
  if (depth) {
    const id = depth.child('c:axId')?.attribute('val');
    group.remove(...group.all('c:axId').filter((one) => one.attribute('val') === id));
    plot.remove(depth);
  }
  const made = axes.category && axes.value ? axes : newAxes(plot, group, axes);
  const [category, value] = [made.category!, made.value!];
  const isPlane = type === 'scatter';
  if (isPlane && category.name !== 'c:valAx') {
    category.remove(...category.children.filter(({ name }) => OF_WORDS.includes(name)));
    category.rename('c:valAx');
  } else if (!isPlane && category.name === 'c:valAx') {
    category.remove(...category.children.filter(({ name }) => OF_NUMBERS.includes(name)));
    category.rename('c:catAx');
    const scaling = category.child('c:scaling');
    scaling?.remove(...scaling.children.filter(({ name }) => name !== 'c:orientation'));
  }
  const isUpright = type === 'bar';
  const stands = /^[lr]$/.test(category.child('c:axPos')?.attribute('val') ?? 'b');
  if (stands !== isUpright)
    for (const axis of [category, value]) {
      const place = axis.child('c:axPos')?.attribute('val') ?? 'b';
      setValue(axis, 'c:axPos', QUARTER[place] ?? place, AXIS_ORDER);
    }
  const crossing = isPlane || type === 'area' ? 'midCat' : 'between';
  for (const axis of [category, value])
    if (axis.name === 'c:valAx') setValue(axis, 'c:crossBetween', crossing, AXIS_ORDER);
  return { ...made, category, value };
}

/** Axes as new charts have them, in place of all that are there. */
function newAxes(plot: XmlNode, group: XmlNode, axes: AxisNodes): AxisNodes {
  plot.remove(axes.category, axes.value);
  group.remove(...group.all('c:axId'));
  const [first, second] = [freeId(plot, 500_000_001), freeId(plot, 500_000_002)];
  for (const id of [first, second]) group.insert(XmlNode.parse(`<c:axId val="${id}"/>`), GROUP_ORDER);
  const category = XmlNode.parse(axisXml('c:catAx', { id: first, crosses: second, place: 'b' }));
  const value = XmlNode.parse(axisXml('c:valAx', { id: second, crosses: first, place: 'l' }));
  for (const axis of [category, value]) plot.insert(axis, [axis.name, 'c:dTable', 'c:spPr', 'c:extLst']);
  return { category, value };
}

function freeId(plot: XmlNode, from: number): number {
  const taken = plot.children.map((axis) => axis.child('c:axId')?.attribute('val'));
  let id = from;
  while (taken.includes(String(id))) id += 2;
  return id;
}

const thinLine = (part: number) =>
  `<c:spPr><a:noFill/><a:ln w="9525" cap="flat" cmpd="sng" algn="ctr"><a:solidFill><a:schemeClr val="tx1"><a:lumMod val="${part}"/><a:lumOff val="${100_000 - part}"/></a:schemeClr></a:solidFill><a:round/></a:ln></c:spPr>`;
const gridXml = `<c:majorGridlines>${thinLine(15_000).replace('<a:noFill/>', '')}</c:majorGridlines>`;

function axisXml(
  name: string,
  { id, crosses, place }: { id: number; crosses: number; place: string },
): string {
  const isOfWords = name === 'c:catAx';
  const tail = isOfWords
    ? '<c:auto val="1"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="0"/>'
    : '<c:crossBetween val="between"/>';
  return `<${name}><c:axId val="${id}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="${place}"/>${isOfWords ? '' : gridXml}<c:numFmt formatCode="General" sourceLinked="1"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/>${isOfWords ? thinLine(15_000) : '<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>'}<c:crossAx val="${crosses}"/><c:crosses val="autoZero"/>${tail}</${name}>`;
}

/** What a chart says of each of its axes, its own words of the first two with them. */
function saidOf({ axes = {}, categoryTitle, valueTitle, valueFormat, minimum, maximum }: Chart) {
  return {
    category: { ...axes.category, title: categoryTitle },
    value: { ...axes.value, title: valueTitle, format: valueFormat, minimum, maximum },
    secondCategory: axes.secondCategory ?? {},
    secondValue: axes.secondValue ?? {},
  } satisfies Record<ChartAxisName, ChartAxis>;
}

/** Makes axes say what they have become. @param isOther they are those of another kind of chart */
export function patchAxes(nodes: AxisNodes, before: Chart, after: Chart, isOther: boolean): void {
  const [was, is] = [saidOf(before), saidOf(after)];
  for (const [name, node] of Object.entries(nodes) as [ChartAxisName, XmlNode | undefined][])
    if (node) patchAxis(node, was[name], is[name], isOther);
}

function patchAxis(axis: XmlNode, before: ChartAxis, after: ChartAxis, isOther: boolean): void {
  const isOfNumbers = axis.name === 'c:valAx';
  const isChanged = (...fields: (keyof ChartAxis)[]) =>
    isOther || fields.some((field) => before[field] !== after[field]);
  const isUpright = /^[lr]$/.test(axis.child('c:axPos')?.attribute('val') ?? '');
  patchTitle(
    axis,
    { text: before.title, formula: before.titleFormula },
    { text: after.title, formula: after.titleFormula },
    { order: AXIS_ORDER, size: 10, isUpright },
  );
  if (isChanged('minimum', 'maximum', 'logBase', 'reversed')) patchScaling(axis, after, isOfNumbers);
  if (isChanged('hidden')) setValue(axis, 'c:delete', after.hidden === true, AXIS_ORDER);
  if (isChanged('gridlines')) {
    const lines = axis.child('c:majorGridlines');
    if (!(after.gridlines ?? isOfNumbers)) axis.remove(lines);
    else if (!lines) axis.insert(XmlNode.parse(gridXml), AXIS_ORDER);
  }
  if (isOfNumbers && isChanged('step'))
    setValue(
      axis,
      'c:majorUnit',
      after.step !== undefined && after.step > 0 ? after.step : undefined,
      AXIS_ORDER,
    );
  if (before.format !== after.format) {
    const format = after.format ?? 'General';
    const linked = after.format === undefined ? 1 : 0;
    const present = axis.child('c:numFmt');
    if (present) present.set({ formatCode: format, sourceLinked: linked });
    else
      axis.insert(
        XmlNode.parse(`<c:numFmt formatCode="${escapeAttribute(format)}" sourceLinked="${linked}"/>`),
        AXIS_ORDER,
      );
  }
}

/** An end before the beginning, and a base that is none, are left out: programs would repair the file. */
function patchScaling(
  axis: XmlNode,
  { minimum, maximum, logBase, reversed }: ChartAxis,
  isOfNumbers: boolean,
): void {
  let scaling = axis.child('c:scaling');
  if (!scaling) {
    scaling = XmlNode.parse('<c:scaling></c:scaling>');
    axis.insert(scaling, AXIS_ORDER);
  }
  const isReal = minimum === undefined || maximum === undefined || minimum < maximum;
  const isBase = logBase !== undefined && logBase >= 2 && logBase <= 1_000;
  const isOfDays = axis.name === 'c:dateAx';
  const ofNumbers = isOfNumbers || isOfDays;
  setValue(scaling, 'c:logBase', isOfNumbers && isBase ? logBase : undefined, SCALING_ORDER);
  setValue(scaling, 'c:orientation', reversed ? 'maxMin' : 'minMax', SCALING_ORDER);
  setValue(scaling, 'c:max', ofNumbers && isReal ? maximum : undefined, SCALING_ORDER);
  setValue(scaling, 'c:min', ofNumbers && isReal ? minimum : undefined, SCALING_ORDER);
}
