import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { escapeText } from '../package/xml-text.ts';

const SPECIAL_TEXT: ReadonlyMap<string, string> = new Map([
  ['\u2011', '<w:noBreakHyphen/>'],
  ['\u00ad', '<w:softHyphen/>'],
]);

/** The elements of a run that hold a text; in a tracked deletion they have another name (17.3.3.7). */
export function textXml(text: string, deleted: boolean): string {
  const element = deleted ? 'w:delText' : 'w:t';
  let xml = '';
  for (const part of text.split(/([\u2011\u00ad])/)) {
    const special = SPECIAL_TEXT.get(part);
    if (special) xml += special;
    else if (part !== '') {
      const space = /^\s|\s$|\s\s|[\t\n]/.test(part) ? ' xml:space="preserve"' : '';
      xml += `<${element}${space}>${escapeText(part)}</${element}>`;
    }
  }
  return xml;
}

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['w:tab', '\t'],
  ['w:br', '\n'],
  ['w:cr', '\n'],
  ['w:noBreakHyphen', '\u2011'],
  ['w:softHyphen', '\u00ad'],
]);

/** Properties, and what programs show in place of content that they do not know. */
const NO_TEXT = ['w:pPr', 'w:rPr', 'mc:Fallback'];
/** By whether tracked changes that nobody has decided on count: what is no text then. */
const SKIPPED = {
  pending: new Set([...NO_TEXT, 'w:del', 'w:moveFrom']),
  decided: new Set([...NO_TEXT, 'w:ins', 'w:moveTo']),
};

/** The paragraphs below an element, at any depth, in document order. */
export function paragraphsBelow(element: XmlElement): XmlElement[] {
  return element.children.flatMap((child) => (child.name === 'w:p' ? [child] : paragraphsBelow(child)));
}

/** The text that a paragraph shows; or that it has as long as nobody has decided on its tracked changes. */
export function plainTextOf(
  xml: XmlDocument,
  element: XmlElement,
  changes: 'pending' | 'decided' = 'pending',
): string {
  let text = '';
  for (const child of element.children) {
    if (SKIPPED[changes].has(child.name)) continue;
    text += ['w:t', 'w:delText'].includes(child.name)
      ? shownText(xml, child)
      : (CHARACTERS.get(child.name) ?? plainTextOf(xml, child, changes));
  }
  return text;
}

/** The end begins in one place only: else a long run of blanks within the text would be looked through from each of them. */
const aroundText = /^[ \t\n]+|(?<![ \t\n])[ \t\n]+$/g;

/** Blanks around text that does not ask to preserve them are no part of it (17.3.3.31). */
export function shownText(xml: XmlDocument, element: XmlElement): string {
  const text = xml.content(element);
  const trimmed = text.replace(aroundText, '');
  if (trimmed.length === text.length) return text;
  const space = xml.attribute(element, 'xml:space') ?? xml.attribute(xml.root, 'xml:space');
  return space === 'preserve' ? text : trimmed;
}
