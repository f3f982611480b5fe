import type { Chart, ChartAxis } from '../../../../../model/cell/chart.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { readStroke } from '../items/drawing-looks.ts';
import { isOn, numberOf, withoutNothing } from '../styles/format-xml.ts';
import { readTitle } from './data-reader.ts';

export type AxisName = keyof NonNullable<Chart['axes']>;
export type AxisElements = { readonly [Name in AxisName]?: XmlElement };

const LABELS: ReadonlyMap<string, ChartAxis['labels']> = new Map(
  Object.entries<ChartAxis['labels']>({ none: 'none', low: 'low', high: 'high' }),
);

const TICKS: ReadonlyMap<string, ChartAxis['ticks']> = new Map(
  Object.entries<ChartAxis['ticks']>({ in: 'in', out: 'out', cross: 'cross' }),
);

/** The groups of a plot area: each is of one kind of series, and of one pair of axes. */
export const groupsOf = (plot: XmlElement): XmlElement[] =>
  plot.children.filter(({ name }) => /Chart$/.test(name));

/** The elements of a plot area that are its axes. The first group is on the first two; others may have two of their own. */
export function axesOf(xml: XmlDocument, plot: XmlElement): AxisElements {
  const [first, ...others] = groupsOf(plot);
  if (!first) return {};
  const [category, value] = pairOf(xml, plot, first);
  const second = others
    .map((group) => pairOf(xml, plot, group))
    .find(([, other]) => other && other !== value);
  return withoutNothing({
    category,
    value,
    secondCategory: second?.[0] === category ? undefined : second?.[0],
    secondValue: second?.[1],
  }) as AxisElements;
}

/** Whether a group has its values on the second axis. */
export const isOnSecond = (xml: XmlDocument, plot: XmlElement, group: XmlElement): boolean => {
  const { secondValue } = axesOf(xml, plot);
  return secondValue !== undefined && pairOf(xml, plot, group)[1] === secondValue;
};

/** Of two axes of values the one that lies is that of the categories. */
function pairOf(
  xml: XmlDocument,
  plot: XmlElement,
  group: XmlElement,
): readonly [XmlElement | undefined, XmlElement | undefined] {
  const idOf = (element: XmlElement | undefined) => xml.attribute(element, 'val');
  const ids = group.children.filter(({ name }) => name === 'c:axId').map(idOf);
  const axes = plot.children.filter(
    (child) => /Ax$/.test(child.name) && ids.includes(idOf(xml.child(child, 'c:axId'))),
  );
  const words = axes.find(({ name }) => name === 'c:catAx' || name === 'c:dateAx');
  const numbers = axes.filter(({ name }) => name === 'c:valAx');
  if (words) return [words, numbers[0]];
  const lies = (axis: XmlElement) => /^[bt]$/.test(xml.attribute(xml.child(axis, 'c:axPos'), 'val') ?? '');
  const across = numbers.find(lies) ?? numbers[0];
  return [across, numbers.find((axis) => axis !== across)];
}

/** What the chart says itself of its first two axes, and what they are besides. */
export function readAxes(
  xml: XmlDocument,
  plot: XmlElement,
): Pick<Chart, 'categoryTitle' | 'valueTitle' | 'valueFormat' | 'minimum' | 'maximum' | 'axes'> {
  const { category, value, secondCategory, secondValue } = axesOf(xml, plot);
  const [across, up, ...second] = [category, value, secondCategory, secondValue].map(
    (axis) => axis && readAxis(xml, axis),
  );
  const { title: categoryTitle, ...ofCategory } = across ?? {};
  const { title: valueTitle, format: valueFormat, minimum, maximum, ...ofValue } = up ?? {};
  const axes = withoutNothing({
    category: across && someOf(ofCategory),
    value: up && someOf(ofValue),
    secondCategory: second[0],
    secondValue: second[1],
  });
  return { categoryTitle, valueTitle, valueFormat, minimum, maximum, axes: someOf(axes) };
}

const someOf = <Value extends object>(value: Value): Value | undefined =>
  Object.keys(value).length > 0 ? value : undefined;

function readAxis(xml: XmlDocument, axis: XmlElement): ChartAxis {
  const value = (name: string, of: XmlElement | undefined = axis) =>
    xml.attribute(xml.child(of, name), 'val');
  const scaling = xml.child(axis, 'c:scaling');
  const isOfValues = axis.name === 'c:valAx';
  const title = readTitle(xml, axis);
  const { formatCode, sourceLinked = '0' } = attributesOf(xml, xml.child(axis, 'c:numFmt'));
  const hasGrid = xml.child(axis, 'c:majorGridlines') !== undefined;
  const deleted = xml.child(axis, 'c:delete');
  const crosses = value('c:crosses');
  return withoutNothing({
    title: title?.text ?? undefined,
    titleFormula: title?.formula && xml.content(title.formula),
    format: isOn(sourceLinked) ? undefined : formatCode,
    minimum: numberOf(value('c:min', scaling)),
    maximum: numberOf(value('c:max', scaling)),
    step: isOfValues ? numberOf(value('c:majorUnit')) : undefined,
    logBase: numberOf(value('c:logBase', scaling)),
    reversed: value('c:orientation', scaling) === 'maxMin' || undefined,
    hidden: (deleted && isOn(xml.attribute(deleted, 'val'))) || undefined,
    gridlines: hasGrid === isOfValues ? undefined : hasGrid,
    labels: LABELS.get(value('c:tickLblPos') ?? ''),
    crosses: crosses === 'max' || crosses === 'min' ? crosses : numberOf(value('c:crossesAt')),
    between: value('c:crossBetween') === 'midCat' ? false : undefined,
    days: axis.name === 'c:dateAx' || undefined,
    ticks: TICKS.get(value('c:majorTickMark') ?? ''),
    stroke: readStroke(xml, xml.child(axis, 'c:spPr')),
  }) as ChartAxis;
}

const attributesOf = (xml: XmlDocument, element: XmlElement | undefined) =>
  element ? xml.attributes(element) : ({} as Readonly<Record<string, string>>);
