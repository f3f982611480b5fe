import type { Color } from '../../../../../model/cell/cell-format.ts';
import type { Stroke } from '../../../../../model/cell/chart.ts';
import { XmlNode } from '../../package/xml-node.ts';
import { EMU_PER_POINT, SCHEME_NAMES } from '../items/drawing-looks.ts';
import { colorRgb } from '../theme.ts';
import { LINE_ORDER, PROPERTIES_ORDER } from './element-order.ts';

const FILLS = ['a:noFill', 'a:solidFill', 'a:gradFill', 'a:blipFill', 'a:pattFill', 'a:grpFill'];
const PARTS = 100_000;

/** A fill of a colour, as `readDrawingColor` reads it; undefined for a colour that DrawingML cannot say. */
export function fillXml(color: Color): string | undefined {
  const rgb = colorRgb(color);
  const scheme = color.theme === undefined ? undefined : SCHEME_NAMES[color.theme];
  if (rgb === undefined && scheme === undefined) return undefined;
  const tint = Math.max(-1, Math.min(1, color.tint ?? 0));
  const part = (value: number) => Math.round(value * PARTS);
  const lighter = tint > 0 ? `<a:lumMod val="${part(1 - tint)}"/><a:lumOff val="${part(tint)}"/>` : '';
  const darker = tint < 0 ? `<a:lumMod val="${part(1 + tint)}"/>` : '';
  const name = rgb === undefined ? 'schemeClr' : 'srgbClr';
  return `<a:solidFill><a:${name} val="${rgb ?? scheme}">${lighter}${darker}</a:${name}></a:solidFill>`;
}

/** Gives an element a fill: a colour, nothing (null), or (undefined) none of its own. */
function setFill(node: XmlNode, color: Color | null | undefined, order: readonly string[]): void {
  const xml = color === null ? '<a:noFill/>' : color && fillXml(color);
  if (color && xml === undefined) return;
  node.remove(...node.children.filter(({ name }) => FILLS.includes(name)));
  if (xml !== undefined) node.insert(XmlNode.parse(xml), order);
}

/** The properties (`spPr`) of an element, made where there are none. */
function propertiesOf(owner: XmlNode, order: readonly string[]): XmlNode {
  const present = owner.child('c:spPr');
  if (present) return present;
  const made = XmlNode.parse('<c:spPr></c:spPr>');
  owner.insert(made, order);
  return made;
}

/** Properties that say nothing any more go. */
function removeEmpty(owner: XmlNode): void {
  const properties = owner.child('c:spPr');
  if (properties && properties.children.length === 0) owner.remove(properties);
}

/** Fills a series, or a point of one. */
export function patchFill(owner: XmlNode, order: readonly string[], color: Color | null | undefined): void {
  setFill(propertiesOf(owner, order), color, PROPERTIES_ORDER);
  removeEmpty(owner);
}

/** The line of a series: its colour and what else is said of it; what is not said stays. */
export function patchLine(
  owner: XmlNode,
  order: readonly string[],
  before: Stroke | undefined,
  after: Stroke | undefined,
): void {
  const properties = propertiesOf(owner, order);
  let line = properties.child('a:ln');
  if (!line) {
    line = XmlNode.parse('<a:ln></a:ln>');
    properties.insert(line, PROPERTIES_ORDER);
  }
  if (after?.none !== before?.none || JSON.stringify(after?.color) !== JSON.stringify(before?.color))
    setFill(line, after?.none ? null : after?.color, LINE_ORDER);
  if (after?.width !== before?.width)
    line.set({ w: after?.width === undefined ? null : Math.round(after.width * EMU_PER_POINT) });
  if (after?.dash !== before?.dash)
    line.setChildren('a:prstDash', after?.dash === undefined ? [] : [dashNode(after.dash)], LINE_ORDER);
  if (line.children.length === 0 && Object.keys(line.attributes()).length === 0) properties.remove(line);
  removeEmpty(owner);
}

const DASHES =
  /^(?:solid|dot|dash|lgDash|dashDot|lgDashDot|lgDashDotDot|sysDash|sysDot|sysDashDot|sysDashDotDot)$/;
const dashNode = (dash: string) => XmlNode.parse(`<a:prstDash val="${DASHES.test(dash) ? dash : 'solid'}"/>`);
