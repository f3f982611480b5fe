import { CELL_LIMITS } from '../../../../../model/cell/limits.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { numberOf } from '../styles/format-xml.ts';

const { chartValues: MOST_POINTS, formulaChars: MOST_FORMULA, textChars: MOST_TEXT } = CELL_LIMITS;

type Values = (string | number | null)[];

export interface ChartData {
  readonly formula: string | undefined;
  readonly cached: Values | undefined;
  /** Number format of the values as they were last. */
  readonly format: string | undefined;
}

/** Data of a series: a reference with what it had last, or values of the chart's own. */
export function readChartData(xml: XmlDocument, element: XmlElement | undefined): ChartData {
  const [source] = element?.children ?? [];
  if (!element || !source) return { formula: undefined, cached: undefined, format: undefined };
  if (source.name === 'c:v') {
    const text = xml.content(source).slice(0, MOST_FORMULA / 4);
    return { formula: `"${text.replaceAll('"', '""')}"`, cached: [text], format: undefined };
  }
  const formula = xml.child(source, 'c:f');
  const text = formula && xml.content(formula);
  const cache = source.children.find(({ name }) => /(?:Cache|Lit)$/.test(name)) ?? source;
  const code = xml.child(cache, 'c:formatCode');
  return {
    formula: text === undefined || text === '' || text.length > MOST_FORMULA ? undefined : text,
    cached: cachedValues(xml, xml.child(cache, 'c:lvl') ?? cache, /^c:num/.test(cache.name)),
    format: (code && xml.content(code)) || undefined,
  };
}

function cachedValues(xml: XmlDocument, cache: XmlElement, areNumbers: boolean): Values | undefined {
  const points = cache.children.filter(({ name }) => name === 'c:pt');
  if (points.length === 0) return undefined;
  const values: Values = [];
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

/** A title: what it says (null: what the chart finds itself), and the cell that it is of; undefined for none. */
export interface ChartTitle {
  readonly text: string | null;
  readonly formula: XmlElement | undefined;
}

export function readTitle(xml: XmlDocument, element: XmlElement | undefined): ChartTitle | undefined {
  const title = xml.child(element, 'c:title');
  if (!title) return undefined;
  const source = xml.child(title, 'c:tx');
  const lines: string[] = [];
  const visit = (one: XmlElement) => {
    if (one.name === 'a:p' || one.name === 'c:pt') lines.push('');
    if (one.name === 'a:t' || one.name === 'c:v') lines.push((lines.pop() ?? '') + xml.content(one));
    else for (const child of one.children) visit(child);
  };
  if (source) visit(source);
  return {
    text: lines.join('\n').trim().slice(0, MOST_TEXT) || null,
    formula: xml.child(xml.child(source, 'c:strRef'), 'c:f'),
  };
}
