import { Fragment, type Node } from 'prosemirror-model';
import { WORD_LIMITS } from '../../../../model/word/limits.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { noteControl } from './controls/control-reader.ts';
import { readInline } from './inline-reader.ts';
import { readOpaqueBlock } from './opaque-reader.ts';
import { readMarkRevisions, readParagraphProperties } from './paragraph-properties.ts';
import type { ReadContext } from './read-context.ts';
import { readTable } from './table-reader.ts';

/** A table takes three levels and its paragraphs' content one more, so deeper blocks stay whole. */
const DEEPEST_BLOCK = WORD_LIMITS.documentDepth - 6;
const WRAPPED_BLOCKS = new Set(['w:p', 'w:tbl', 'w:sdt']);

/** The blocks that sibling elements make: each element makes one. */
export function readBlocks(context: ReadContext, children: readonly XmlElement[], depth: number): Node[] {
  let previousEnd = children[0]?.start ?? 0;
  return children.map((element) => {
    const node = readBlock(context, element, previousEnd, depth);
    previousEnd = element.end;
    return node;
  });
}

function readBlock(context: ReadContext, element: XmlElement, previousEnd: number, depth: number): Node {
  const readable = depth <= DEEPEST_BLOCK;
  let node: Node | undefined;
  if (readable && element.name === 'w:p') node = readParagraph(context, element, previousEnd);
  else if (readable && element.name === 'w:tbl') {
    node = readTable(context, element, previousEnd, depth, (children, cellDepth) =>
      readBlocks(context, children, cellDepth),
    );
  } else if (readable && element.name === 'w:sdt')
    node = readContentControl(context, element, previousEnd, depth);
  return node ?? readOpaqueBlock(context, element, previousEnd);
}

/** A content control around blocks (17.5.2.29) whose content is blocks that the model knows. */
function readContentControl(
  context: ReadContext,
  element: XmlElement,
  previousEnd: number,
  depth: number,
): Node | undefined {
  const content = context.xml.child(element, 'w:sdtContent');
  const children = content?.children ?? [];
  const first = children[0];
  const last = children.at(-1);
  if (!content || !first || !last || children.some(({ name }) => !WRAPPED_BLOCKS.has(name))) return undefined;
  const id = context.map.nextId('w');
  noteControl(context, element, id);
  const node = wordSchema.nodes.block_wrap.create({ id }, readBlocks(context, children, depth + 1));
  const { start, end } = element;
  const range = { contentStart: first.start, contentEnd: last.end };
  context.map.addBlock({ kind: 'wrap', node, start, end, previousEnd, ...range });
  return node;
}

/** A paragraph (17.3.1.22). */
function readParagraph(context: ReadContext, element: XmlElement, previousEnd: number): Node {
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
