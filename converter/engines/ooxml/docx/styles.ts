import type { WordDocumentJson, WordSection, WordStyle } from '../../../../model/word/document.ts';
import type { XmlDocument } from '../xml-document.ts';
import type { XmlElement } from '../xml-scanner.ts';
import { readParagraphProperties } from './paragraph-properties.ts';
import { splitRunProperties } from './run-property-reader.ts';

type Defaults = WordDocumentJson['defaults'];

const TYPES: readonly string[] = [
  'paragraph',
  'character',
  'table',
  'numbering',
] satisfies WordStyle['type'][];

/** The styles of a styles part (17.7.4.17) with the properties that the model knows. */
export function readStyles(xml: XmlDocument): WordStyle[] {
  const styles: WordStyle[] = [];
  for (const element of xml.root.children.filter(({ name }) => name === 'w:style')) {
    const attributes = xml.attributes(element);
    const { 'w:styleId': id, 'w:type': type = 'paragraph' } = attributes;
    if (id === undefined || !TYPES.includes(type)) continue;
    const value = (name: string) => xml.attribute(xml.child(element, name), 'w:val') ?? null;
    styles.push({
      id,
      name: value('w:name') ?? id,
      type: type as WordStyle['type'],
      basedOn: value('w:basedOn'),
      next: value('w:next'),
      isDefault: ['1', 'true', 'on'].includes(attributes['w:default'] ?? ''),
      paragraph: readParagraphProperties(xml, xml.child(element, 'w:pPr')),
      run: runOf(xml, xml.child(element, 'w:rPr')),
    });
  }
  return styles;
}

export function readDefaults(xml: XmlDocument): Defaults {
  const defaults = xml.child(xml.root, 'w:docDefaults');
  const paragraph = xml.child(xml.child(defaults, 'w:pPrDefault'), 'w:pPr');
  const run = xml.child(xml.child(defaults, 'w:rPrDefault'), 'w:rPr');
  return { paragraph: readParagraphProperties(xml, paragraph), run: runOf(xml, run) };
}

function runOf(xml: XmlDocument, properties: XmlElement | undefined): WordStyle['run'] {
  if (!properties) return {};
  const { marks } = splitRunProperties(xml, properties);
  return Object.fromEntries(marks.map((mark) => [mark.type.name, { ...mark.attrs }]));
}

/** Page geometry of a section (17.6.13 and 17.6.11); A4 with margins of an inch where it says nothing. */
export function readSection(xml: XmlDocument, section: XmlElement): WordSection {
  const size = xml.child(section, 'w:pgSz');
  const margins = xml.child(section, 'w:pgMar');
  const twips = (element: XmlElement | undefined, name: string, otherwise: number) => {
    const value = Number(xml.attribute(element, name) ?? Number.NaN);
    return Number.isInteger(value) ? value : otherwise;
  };
  const none = { default: null, first: null, even: null };
  return {
    headers: none,
    footers: none,
    titlePage: false,
    columns: 1,
    headerDistance: twips(margins, 'w:header', 720),
    footerDistance: twips(margins, 'w:footer', 720),
    width: twips(size, 'w:w', 11_906),
    height: twips(size, 'w:h', 16_838),
    marginTop: twips(margins, 'w:top', 1_440),
    marginRight: twips(margins, 'w:right', 1_440),
    marginBottom: twips(margins, 'w:bottom', 1_440),
    marginLeft: twips(margins, 'w:left', 1_440),
  };
}
