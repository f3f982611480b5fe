import { Fragment, type Mark, type Node } from 'prosemirror-model';
import { wordSchema } from '../../../../model/word/schema.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { readBlocks } from './block-reader.ts';
import type { DocxSource } from './docx-source.ts';
import type { ShownPart } from './shown-parts.ts';
import { SourceMap } from './source-map.ts';

/**
 * The content of an element of another part than the main one, as a document that is only shown: its nodes have no
 * ids and its marks no keys, so that what is copied from it is new where it is put.
 */
export function readDetached(
  source: DocxSource,
  part: ShownPart,
  xml: XmlDocument,
  parent: XmlElement,
): Node {
  const context = {
    xml,
    budget: source.budget,
    map: new SourceMap(source.budget),
    runs: source.runs,
    relationships: part.relationships,
    media: source.media.seenFrom(part.partName),
    comments: { entries: source.comments.entries, nodeOf: () => undefined, claim: () => {} },
    tableStyles: () => source.tableStyles(),
    dataParts: source.dataParts,
    sections: [],
  };
  const blocks = readBlocks(context, parent.children, 1);
  if (blocks.length === 0) blocks.push(wordSchema.nodes.paragraph.create());
  return detached(wordSchema.nodes.doc.create(null, blocks));
}

function detached(node: Node): Node {
  const marks = node.marks.flatMap(detachedMark);
  if (node.isText) return node.mark(marks);
  const children: Node[] = [];
  node.forEach((child) => {
    children.push(detached(child));
  });
  const attrs = 'id' in node.attrs ? { ...node.attrs, id: null } : node.attrs;
  return node.type.create(attrs, Fragment.fromArray(children), marks);
}

/** Marks that stand for an element of the part; a content control means nothing outside of its own. */
function detachedMark(mark: Mark): Mark[] {
  if (mark.type === wordSchema.marks.within) return [];
  return [mark.attrs.key === undefined ? mark : mark.type.create({ ...mark.attrs, key: null })];
}
