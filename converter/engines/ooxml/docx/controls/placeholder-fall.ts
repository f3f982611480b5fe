import type { TextEdit } from '../../package/text-edits.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';

/**
 * The edits by which a control shows a content of its own instead of its placeholder (17.5.2.39): the property goes, and the style
 * that its runs had for that.
 * @param style id of the style of placeholders; undefined in a document without
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
