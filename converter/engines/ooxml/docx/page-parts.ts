import type { Node } from 'prosemirror-model';
import type { WordDocumentJson, WordSection } from '../../../../model/word/document.ts';
import { readablePart } from '../package/related-part.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { readDetached } from './detached-document.ts';
import type { DocxSource } from './docx-source.ts';
import { readSection } from './section.ts';

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
    const xml = readablePart(this.#source.package, part.partName);
    const isReadable = xml?.root.name === (kind === 'header' ? 'w:hdr' : 'w:ftr');
    const index = isReadable
      ? this.parts.push(readDetached(this.#source, part, xml, xml.root).toJSON()) - 1
      : null;
    this.#indexes.set(part.partName, index);
    return index;
  }
}
