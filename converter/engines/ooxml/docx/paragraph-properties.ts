import type { Attrs } from 'prosemirror-model';
import { accepts } from '../../../../model/word/attributes.ts';
import { paragraphProperties } from '../../../../model/word/nodes.ts';
import * as values from '../../../../model/word/values.ts';
import type { XmlAttributes, XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { isOn, readShading } from './simple-types.ts';

export type ParagraphAttribute = keyof typeof paragraphProperties;
export const PARAGRAPH_ATTRIBUTES = Object.keys(paragraphProperties) as ParagraphAttribute[];

/** The paragraph attributes of the schema that a `w:pPr` sets (17.3.1.26); the others are absent. */
export function readParagraphProperties(xml: XmlDocument, properties: XmlElement | undefined): Attrs {
  const found: Record<string, unknown> = {};
  for (const element of properties?.children ?? []) {
    for (const [name, value] of Object.entries(valuesOf(xml, element))) {
      const { validate } = paragraphProperties[name as ParagraphAttribute];
      if (value !== undefined && accepts(validate, value)) found[name] = value;
    }
  }
  return found;
}

type Values = Partial<Record<ParagraphAttribute, unknown>>;

function valuesOf(xml: XmlDocument, element: XmlElement): Values {
  switch (element.name) {
    case 'w:pStyle':
      return { style: xml.attribute(element, 'w:val') };
    case 'w:jc':
      return { align: xml.attribute(element, 'w:val') };
    case 'w:keepNext':
      return { keepNext: isOn(xml.attributes(element)) };
    case 'w:keepLines':
      return { keepLines: isOn(xml.attributes(element)) };
    case 'w:pageBreakBefore':
      return { pageBreakBefore: isOn(xml.attributes(element)) };
    case 'w:bidi':
      return { rtl: isOn(xml.attributes(element)) };
    case 'w:shd':
      return { shading: readShading(xml, element) };
    case 'w:ind':
      return indents(xml.attributes(element));
    case 'w:spacing':
      return spacing(xml.attributes(element));
    case 'w:numPr':
      return listMembership(xml, element);
    default:
      return {};
  }
}

function indents(attributes: XmlAttributes): Values {
  const hanging = number(attributes['w:hanging']);
  return {
    indentLeft: number(attributes['w:left'] ?? attributes['w:start']),
    indentRight: number(attributes['w:right'] ?? attributes['w:end']),
    indentFirst: hanging === undefined ? number(attributes['w:firstLine']) : 0 - hanging,
  };
}

function spacing(attributes: XmlAttributes): Values {
  return {
    spaceBefore: number(attributes['w:before']),
    spaceAfter: number(attributes['w:after']),
    line: number(attributes['w:line']),
    lineRule: attributes['w:lineRule'],
  };
}

function listMembership(xml: XmlDocument, element: XmlElement): Values {
  const listId = xml.attribute(xml.child(element, 'w:numId'), 'w:val');
  const level = xml.attribute(xml.child(element, 'w:ilvl'), 'w:val');
  return { listId, listLevel: number(level) ?? (listId === undefined ? undefined : 0) };
}

function number(text: string | undefined): number | undefined {
  return text !== undefined && /^[+-]?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Elements of the properties of a paragraph's mark (17.3.1.29), in their order there, and the attributes they are. */
export const MARK_REVISIONS = [
  { element: 'w:ins', attribute: 'markInserted' },
  { element: 'w:del', attribute: 'markDeleted' },
] as const;

/** The tracked insertion and deletion of a paragraph's mark, as attributes of the schema. */
export function readMarkRevisions(xml: XmlDocument, properties: XmlElement | undefined): Attrs {
  const mark = xml.child(properties, 'w:rPr');
  return Object.fromEntries(
    MARK_REVISIONS.map(({ element, attribute }) => [attribute, revisionOf(xml, xml.child(mark, element))]),
  );
}

function revisionOf(xml: XmlDocument, element: XmlElement | undefined): Attrs | null {
  if (!element) return null;
  const { 'w:author': author, 'w:date': date } = xml.attributes(element);
  return {
    author: accepts(values.name, author) ? author : '',
    date: accepts(values.dateTime, date) ? date : null,
  };
}
