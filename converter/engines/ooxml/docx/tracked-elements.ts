import { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { attributesXml, escapeText } from '../package/xml-text.ts';

/** Elements around runs that may not stand in a tracked insertion or deletion (CT_RunTrackChange, 17.13.5): that stands in them. */
const OUTER = new Set(['w:fldSimple', 'w:hyperlink']);

/** Whether XML of a paragraph is an element that cannot be put into `w:ins` and `w:del`. */
export function standsOutsideOfRevisions(rawXml: string): boolean {
  return /^<w:(?:fldSimple|hyperlink)\b/.test(rawXml);
}

/**
 * A simple field (17.16.19) as a complex one (17.16.18), which tracked changes may hold whole; undefined for what is none, or holds what
 * they may not.
 * @param isDeleted whether it comes to stand in a deletion; its text has the names of one already
 */
export function asComplexField(rawXml: string, isDeleted: boolean): string | undefined {
  const xml = new XmlDocument(rawXml);
  const { root } = xml;
  if (root.name !== 'w:fldSimple' || root.children.some(({ name }) => OUTER.has(name))) return undefined;
  const { 'w:instr': instruction = '', 'w:fldLock': locked, 'w:dirty': dirty } = xml.attributes(root);
  const data = xml.child(root, 'w:fldData');
  const attributes = attributesXml({ 'w:fldCharType': 'begin', 'w:fldLock': locked, 'w:dirty': dirty });
  const begin = data ? `<w:fldChar${attributes}>${xml.raw(data)}</w:fldChar>` : `<w:fldChar${attributes}/>`;
  const name = isDeleted ? 'w:delInstrText' : 'w:instrText';
  const code = `<${name} xml:space="preserve">${escapeText(instruction)}</${name}>`;
  const result = root.children.filter((child) => child !== data).map((child) => xml.raw(child));
  const runs = [begin, code, '<w:fldChar w:fldCharType="separate"/>'].map(
    (content) => `<w:r>${content}</w:r>`,
  );
  return `${runs.join('')}${result.join('')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
}

/** The XML with everything in it in tracked changes that begin and end with these tags. */
export function withRevisionsInside(rawXml: string, openXml: string, closeXml: string): string {
  const xml = new XmlDocument(rawXml);
  const inside = (element: XmlElement): string => {
    if (!OUTER.has(element.name) || element.selfClosing) return xml.raw(element);
    let content = '';
    let isOpen = false;
    const close = () => {
      if (isOpen) content += closeXml;
      isOpen = false;
    };
    for (const child of element.children) {
      const isOuter = OUTER.has(child.name) || child.name === 'w:fldData';
      if (isOuter) close();
      else if (!isOpen) {
        content += openXml;
        isOpen = true;
      }
      content += inside(child);
    }
    close();
    return xml.openTag(element) + content + xml.text.slice(element.closeStart, element.end);
  };
  return inside(xml.root);
}
