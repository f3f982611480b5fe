import { quotedText } from '../../../../../model/cell/formula/quoted-text.ts';
import { XmlNode } from '../../package/xml-node.ts';
import { escapeText } from '../../package/xml-text.ts';
import { DATA_ORDER } from './element-order.ts';

/** The values that a reference of a chart leads to, row by row; undefined for what is none. */
export type ReferenceValues = (formula: string) => readonly (string | number | null)[] | undefined;

interface DataChange {
  readonly formula: string | undefined;
  /** The values that it had last belong to the same cells as before. */
  readonly keepsValues: boolean;
  readonly areNumbers: boolean;
}

/** Puts another reference into an element of a series (`tx`, `cat`, `val`, …); made where there is none, taken out without one. */
export function patchData(
  series: XmlNode,
  name: string,
  order: readonly string[],
  { formula, keepsValues, areNumbers }: DataChange,
  valuesOf: ReferenceValues,
): void {
  let element = series.child(name);
  if (formula === undefined) {
    series.remove(element);
    return;
  }
  const place = element?.children[0]?.child('c:f');
  if (keepsValues && place) {
    place.setContent(escapeText(formula));
    return;
  }
  if (!element) {
    element = XmlNode.parse(`<${name}></${name}>`);
    series.insert(element, order);
  }
  const [source] = element.children;
  element.setContent('');
  element.remove(...element.children);
  element.insert(dataNode(formula, { isName: name === 'c:tx', areNumbers }, valuesOf, source), []);
}

function dataNode(
  formula: string,
  { isName, areNumbers }: { isName: boolean; areNumbers: boolean },
  valuesOf: ReferenceValues,
  known: XmlNode | undefined,
): XmlNode {
  const text = quotedText(formula);
  if (text !== undefined) {
    if (isName) return XmlNode.parse(`<c:v>${escapeText(text)}</c:v>`);
    return areNumbers
      ? XmlNode.parse('<c:numLit><c:ptCount val="0"/></c:numLit>')
      : XmlNode.parse(`<c:strLit>${pointsXml([text], false)}</c:strLit>`);
  }
  const values = valuesOf(formula);
  const isNumeric = !isName && (areNumbers || (values?.every((value) => typeof value !== 'string') ?? false));
  const kind = isNumeric ? 'num' : 'str';
  const node = XmlNode.parse(`<c:${kind}Ref><c:f>${escapeText(formula)}</c:f></c:${kind}Ref>`);
  // Several columns of categories are not told apart here: programs read them anew.
  if (values) {
    const code = known?.name === 'c:numRef' ? known.at('c:numCache', 'c:formatCode')?.toString() : undefined;
    const format = isNumeric ? (code ?? '<c:formatCode>General</c:formatCode>') : '';
    node.insert(
      XmlNode.parse(`<c:${kind}Cache>${format}${pointsXml(values, isNumeric)}</c:${kind}Cache>`),
      DATA_ORDER,
    );
  }
  const extension = known?.name === node.name ? known.child('c:extLst') : undefined;
  if (extension) node.insert(extension, DATA_ORDER);
  return node;
}

function pointsXml(values: readonly (string | number | null)[], areNumbers: boolean): string {
  const points = values.map((value, index) =>
    value === null || (areNumbers && typeof value === 'string')
      ? ''
      : `<c:pt idx="${index}"><c:v>${escapeText(String(value))}</c:v></c:pt>`,
  );
  return `<c:ptCount val="${values.length}"/>${points.join('')}`;
}
