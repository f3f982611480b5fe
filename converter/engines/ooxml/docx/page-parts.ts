import { Fragment, type Mark, type Node } from 'prosemirror-model';
import { accepts } from '../../../../model/word/attributes.ts';
import type { WordDocumentJson, WordSection } from '../../../../model/word/document.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import * as values from '../../../../model/word/values.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { readBlocks } from './block-reader.ts';
import type { DocxSource, ShownPart } from './docx-source.ts';
import { isOn } from './simple-types.ts';
import { SourceMap } from './source-map.ts';

type PartsOfPages = WordSection['headers'];
type Pages = keyof PartsOfPages;

const NONE: PartsOfPages = { default: null, first: null, even: null };

/**
 * The sections of a document and the headers and footers that stand on their pages. A section that has none of a kind
 * has that of the section before it (17.10.2 and 17.10.5).
 */
export function readSections(source: DocxSource): Pick<WordDocumentJson, 'sections' | 'parts'> {
  const reader = new PageParts(source);
  let headers = NONE;
  let footers = NONE;
  const lastBlocks = lastBlocksOf(source);
  const sections = source.sections.map((element) => {
    headers = reader.inherit(headers, element, 'header');
    footers = reader.inherit(footers, element, 'footer');
    const lastBlock = lastBlocks.get(element) ?? null;
    return { ...readSection(source.xml, element), headers, footers, lastBlock };
  });
  return { sections, parts: reader.parts };
}

/** Ids of the blocks of the body that hold the properties of a section, by these. */
function lastBlocksOf({ doc, map, xml }: DocxSource): Map<XmlElement, string> {
  const found = new Map<XmlElement, string>();
  doc.forEach((block) => {
    const look = (node: Node) => {
      const section = xml.child(map.block(node.attrs.id, 'paragraph')?.properties, 'w:sectPr');
      if (section) found.set(section, block.attrs.id);
      return node.type.name === 'block_wrap';
    };
    if (look(block)) block.descendants(look);
  });
  return found;
}

class PageParts {
  readonly parts: WordDocumentJson['parts'] = [];
  readonly #source: DocxSource;
  readonly #indexes = new Map<string, number | null>();

  constructor(source: DocxSource) {
    this.#source = source;
  }

  inherit(before: PartsOfPages, section: XmlElement, kind: 'header' | 'footer'): PartsOfPages {
    const { xml } = this.#source;
    const parts = { ...before };
    for (const element of section.children.filter(({ name }) => name === `w:${kind}Reference`)) {
      const { 'w:type': pages = 'default', 'r:id': id = '' } = xml.attributes(element);
      if (Object.hasOwn(NONE, pages)) parts[pages as Pages] = this.#index(id, kind);
    }
    return parts;
  }

  #index(relationshipId: string, kind: 'header' | 'footer'): number | null {
    const part = this.#source.shownParts.get(relationshipId);
    if (part?.kind !== kind) return null;
    const known = this.#indexes.get(part.partName);
    if (known !== undefined) return known;
    const xml = this.#source.package.readableXml(part.partName);
    const isReadable = xml?.root.name === (kind === 'header' ? 'w:hdr' : 'w:ftr');
    const index = isReadable
      ? this.parts.push(readDetached(this.#source, part, xml, xml.root).toJSON()) - 1
      : null;
    this.#indexes.set(part.partName, index);
    return index;
  }
}

/** Page geometry of a section (17.6.13 and 17.6.11); A4 with margins of an inch where it says nothing. */
function readSection(
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

type Notes = WordDocumentJson['footnotes'];

/** Footnotes (17.11.10) or endnotes (17.11.2) by id, without the separators that Word keeps among them. */
export function readNotes(source: DocxSource, kind: 'footnotes' | 'endnotes'): Notes {
  const part = [...source.shownParts.values()].find((one) => one.kind === kind);
  const xml = source.package.readableXml(part?.partName);
  const notes: Notes = {};
  if (!part || xml?.root.name !== `w:${kind}`) return notes;
  for (const element of xml.root.children) {
    const { 'w:id': id, 'w:type': type = 'normal' } = xml.attributes(element);
    const isNote = `${element.name}s` === xml.root.name && type === 'normal';
    if (!isNote || !accepts(values.decimalId, id) || Object.hasOwn(notes, id!)) continue;
    notes[id!] = readDetached(source, part, xml, element).toJSON();
  }
  return notes;
}

/**
 * The content of an element of another part than the main one, as a document that is only shown: its nodes have no
 * ids and its marks no keys, so that what is copied from it is new where it is put.
 */
function readDetached(source: DocxSource, part: ShownPart, xml: XmlDocument, parent: XmlElement): Node {
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
