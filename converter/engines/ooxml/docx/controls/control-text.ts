import type { TextEdit } from '../../package/text-edits.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { paragraphsBelow, plainTextOf, textXml } from '../run-text.ts';

/** What of a control's content is more than text, and not to be replaced by a text. */
const NOT_TEXT =
  /<(?:w:tbl|w:sdt|w:drawing|w:pict|w:object|w:fldChar|w:fldSimple|w:hyperlink|w:footnoteReference|w:commentReference|m:oMath)\b/;

/** The text that a control shows; its paragraphs are lines. */
export const shownTextOf = (xml: XmlDocument, control: XmlElement): string => textOf(xml, control, 'pending');

/** The text of a control without the tracked changes that nobody has decided on. */
export const decidedTextOf = (xml: XmlDocument, control: XmlElement): string =>
  textOf(xml, control, 'decided');

function textOf(xml: XmlDocument, control: XmlElement, changes: 'pending' | 'decided'): string {
  const content = xml.child(control, 'w:sdtContent');
  if (!content) return '';
  const paragraphs = paragraphsBelow(content);
  if (paragraphs.length === 0) return plainTextOf(xml, content, changes);
  return paragraphs.map((paragraph) => plainTextOf(xml, paragraph, changes)).join('\n');
}

/**
 * The edits by which a control shows another text, formatted like the beginning of its old text. Null when its content is
 * more than text.
 * @param style id of a style of runs that is taken away
 */
export function textEdits(
  xml: XmlDocument,
  control: XmlElement,
  text: string,
  style: string | undefined,
): TextEdit[] | null {
  const content = xml.child(control, 'w:sdtContent');
  if (!content || content.selfClosing || NOT_TEXT.test(xml.inner(content))) return null;
  const run = runXml(xml, content, text, style);
  const [first, ...more] = paragraphsBelow(content);
  if (!first) {
    const isInline = content.children.every(({ name }) => !/^w:(?:tr|tc)$/.test(name));
    return isInline ? [{ start: content.openEnd, end: content.closeStart, text: run }] : null;
  }
  // Paragraphs of several cells are not one text.
  if (content.children.some(({ name }) => name === 'w:tr') || xml.inner(content).split('<w:tc>').length > 2)
    return null;
  const removed = more.map(({ start, end }) => ({ start, end, text: '' }));
  if (first.selfClosing) {
    const open = xml.openTag(first).replace(/\s*\/>$/, '>');
    return [{ start: first.start, end: first.end, text: `${open}${run}</w:p>` }, ...removed];
  }
  const start = xml.child(first, 'w:pPr')?.end ?? first.openEnd;
  return [{ start, end: first.closeStart, text: run }, ...removed];
}

function runXml(xml: XmlDocument, content: XmlElement, text: string, style: string | undefined): string {
  const run = firstRun(content);
  const properties = run && xml.child(run, 'w:rPr');
  const kept = (properties?.children ?? []).filter(
    (child) => child.name !== 'w:rStyle' || xml.attribute(child, 'w:val') !== style,
  );
  const rPr = kept.length > 0 ? `<w:rPr>${kept.map((child) => xml.raw(child)).join('')}</w:rPr>` : '';
  const lines = text.split('\n').map((line) =>
    line
      .split('\t')
      .map((piece) => textXml(piece, false))
      .join('<w:tab/>'),
  );
  return `<w:r>${rPr}${lines.join('<w:br/>')}</w:r>`;
}

function firstRun(element: XmlElement): XmlElement | undefined {
  for (const child of element.children) {
    const found = child.name === 'w:r' ? child : firstRun(child);
    if (found) return found;
  }
  return undefined;
}

/**
 * The edits after which a control shows content of its own and not its placeholder (17.5.2.39): they take away the property
 * that says so, and the style of its runs.
 * @param style id of the style of placeholders; undefined in a document without one
 */
export function placeholderFall(
  xml: XmlDocument,
  control: XmlElement,
  style: string | undefined,
): TextEdit[] {
  const property = xml.child(xml.child(control, 'w:sdtPr'), 'w:showingPlcHdr');
  const content = xml.child(control, 'w:sdtContent');
  const edits: TextEdit[] = property ? [{ start: property.start, end: property.end, text: '' }] : [];
  if (!content || style === undefined) return edits;
  const visit = (element: XmlElement): void => {
    for (const child of element.children) {
      if (child.name === 'w:rPr') edits.push(...withoutStyle(xml, child, style));
      else if (child.name !== 'w:sdt') visit(child);
    }
  };
  visit(content);
  return edits;
}

function withoutStyle(xml: XmlDocument, properties: XmlElement, style: string): TextEdit[] {
  const named = properties.children.find(
    (child) => child.name === 'w:rStyle' && xml.attribute(child, 'w:val') === style,
  );
  if (!named) return [];
  const { start, end } = properties.children.length === 1 ? properties : named;
  return [{ start, end, text: '' }];
}
