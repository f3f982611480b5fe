import type { Attrs, Node } from 'prosemirror-model';
import { accepts } from '../../../../model/word/attributes.ts';
import * as values from '../../../../model/word/values.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { attributesXml } from '../package/xml-text.ts';
import type { BaseProperties } from './paragraph-property-writer.ts';
import { writableDate } from './writable-date.ts';
import type { WriteContext } from './write-context.ts';

/** Elements of the properties of a paragraph's mark (17.3.1.29), in their order there, and the attributes they are. */
const REVISIONS = [
  { element: 'w:ins', attribute: 'markInserted' },
  { element: 'w:del', attribute: 'markDeleted' },
] as const;

/** Further revisions of a mark, which only the paragraph of the file itself keeps: each has an id of its own. */
const OTHER_REVISIONS = new Set(['w:moveFrom', 'w:moveTo', 'w:rPrChange']);

/** The tracked insertion and deletion of a paragraph's mark, as attributes of the schema. */
export function readMarkRevisions(xml: XmlDocument, properties: XmlElement | undefined): Attrs {
  const mark = xml.child(properties, 'w:rPr');
  return Object.fromEntries(
    REVISIONS.map(({ element, attribute }) => [attribute, revisionOf(xml, xml.child(mark, element))]),
  );
}

/** The attributes with which a tracked change is written (17.13.5). */
export function revisionAttributes(context: WriteContext, { author, date }: Attrs): string {
  return attributesXml({
    'w:id': context.nextRevisionId(),
    'w:author': author,
    'w:date': writableDate(date),
  });
}

/**
 * The `w:rPr` in the properties of a paragraph, or ''.
 * @param base properties of the paragraph of the file from which the rest of these is taken
 * @param isBase whether the paragraph is that one
 */
export function writeMarkProperties(
  context: WriteContext,
  paragraph: Node,
  { xml, properties, attrs }: BaseProperties,
  isBase: boolean,
): string {
  const mark = xml.child(properties, 'w:rPr');
  const children = mark?.children ?? [];
  let revisions = '';
  let isSame = isBase || !children.some(({ name }) => OTHER_REVISIONS.has(name));
  for (const { element: name, attribute } of REVISIONS) {
    const element = xml.child(mark, name);
    const wanted: Attrs | null = paragraph.attrs[attribute];
    const original: Attrs | null = attrs[attribute] ?? null;
    const keeps = sameRevision(wanted, original) && (isBase || !element);
    isSame &&= keeps;
    if (keeps) revisions += element ? xml.raw(element) : '';
    else if (wanted) revisions += `<${name}${revisionAttributes(context, wanted)}/>`;
  }
  if (isSame) return mark ? xml.raw(mark) : '';
  const others = children.filter(
    ({ name }) => name !== 'w:ins' && name !== 'w:del' && (isBase || !OTHER_REVISIONS.has(name)),
  );
  const content = revisions + others.map((element) => xml.raw(element)).join('');
  return content === '' ? '' : `<w:rPr>${content}</w:rPr>`;
}

function revisionOf(xml: XmlDocument, element: XmlElement | undefined): Attrs | null {
  if (!element) return null;
  const { 'w:author': author, 'w:date': date } = xml.attributes(element);
  return {
    author: accepts(values.name, author) ? author : '',
    date: accepts(values.dateTime, date) ? date : null,
  };
}

function sameRevision(one: Attrs | null, other: Attrs | null): boolean {
  return (
    one === other ||
    (one?.author === other?.author && one?.date === other?.date && one !== null && other !== null)
  );
}
