import { Fragment, type Node } from 'prosemirror-model';
import { wordSchema } from '../../../../model/word/schema.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { readInline } from './inline-reader.ts';
import { readMarkRevisions } from './mark-revisions.ts';
import { readParagraphProperties } from './paragraph-properties.ts';
import type { ReadContext } from './read-context.ts';

/** A paragraph (17.3.1.22). */
export function readParagraph(context: ReadContext, element: XmlElement, previousEnd: number): Node {
  const { xml, map } = context;
  const id = map.nextId('p');
  const properties = xml.child(element, 'w:pPr');
  const section = xml.child(properties, 'w:sectPr');
  if (section) context.sections.push(section);
  const { nodes, items } = readInline(
    context,
    properties ? element.children.filter((child) => child !== properties) : element.children,
  );
  const attrs = { ...readParagraphProperties(xml, properties), ...readMarkRevisions(xml, properties), id };
  const node = wordSchema.nodes.paragraph.create(attrs, Fragment.fromArray([...nodes]));
  const { start, end } = element;
  map.addBlock({ kind: 'paragraph', node, start, end, previousEnd, element, properties, items });
  return node;
}
