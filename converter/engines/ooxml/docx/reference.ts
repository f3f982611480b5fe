import { accepts } from '../../../../model/word/attributes.ts';
import * as values from '../../../../model/word/values.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';

/** What an element is referred to by: the start of a bookmark (17.13.6.2) by its name, others by their number. */
export function referenceOf(xml: XmlDocument, element: XmlElement): string | null {
  const ref = xml.attribute(element, element.name === 'w:bookmarkStart' ? 'w:name' : 'w:id') ?? null;
  return accepts(values.name, ref) ? ref : null;
}
