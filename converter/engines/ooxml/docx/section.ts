import type { WordSection } from '../../../../model/word/document.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { isOn } from './run-properties.ts';

/** Page geometry of a section (17.6.13 and 17.6.11); A4 with margins of an inch where it says nothing. */
export function readSection(
  xml: XmlDocument,
  section: XmlElement,
): Omit<WordSection, 'headers' | 'footers' | 'lastBlock'> {
  const size = xml.child(section, 'w:pgSz');
  const margins = xml.child(section, 'w:pgMar');
  const titlePage = xml.child(section, 'w:titlePg');
  const wholeNumber = (element: XmlElement | undefined, name: string, otherwise: number) => {
    const value = Number(xml.attribute(element, name) ?? Number.NaN);
    return Number.isInteger(value) ? value : otherwise;
  };
  return {
    titlePage: titlePage !== undefined && isOn(xml.attributes(titlePage)),
    columns: Math.max(1, wholeNumber(xml.child(section, 'w:cols'), 'w:num', 1)),
    headerDistance: wholeNumber(margins, 'w:header', 720),
    footerDistance: wholeNumber(margins, 'w:footer', 720),
    width: wholeNumber(size, 'w:w', 11_906),
    height: wholeNumber(size, 'w:h', 16_838),
    marginTop: wholeNumber(margins, 'w:top', 1_440),
    marginRight: wholeNumber(margins, 'w:right', 1_440),
    marginBottom: wholeNumber(margins, 'w:bottom', 1_440),
    marginLeft: wholeNumber(margins, 'w:left', 1_440),
  };
}
