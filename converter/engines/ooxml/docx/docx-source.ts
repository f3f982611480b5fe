import { Fragment, type Node } from 'prosemirror-model';
import { wordSchema } from '../../../../model/word/schema.ts';
import { ConversionError, corrupted } from '../../../errors.ts';
import { type Vocabulary, vocabularyOf } from '../namespaces.ts';
import type { OfficePackage } from '../office-package.ts';
import type { Relationships } from '../relationships.ts';
import { XmlDocument } from '../xml-document.ts';
import type { XmlElement } from '../xml-scanner.ts';
import { readBlocks } from './block-reader.ts';
import { MediaCatalog } from './media-catalog.ts';
import type { ReadContext } from './read-context.ts';
import { RunPropertyReader } from './run-property-reader.ts';
import { SourceMap } from './source-map.ts';

/** The main document part of a docx, opened: its model, and where each node of that lies in the XML. */
export class DocxSource {
  readonly package: OfficePackage;
  readonly xml: XmlDocument;
  readonly vocabulary: Vocabulary;
  readonly body: XmlElement;
  /** Elements of the body that are blocks: all but the last section's properties. */
  readonly bodyBlocks: readonly XmlElement[];
  readonly doc: Node;
  readonly map = new SourceMap();
  readonly runs = new RunPropertyReader();
  readonly relationships: Relationships;
  readonly media: MediaCatalog;
  readonly sections: readonly XmlElement[];

  /** @throws ConversionError */
  constructor(opened: OfficePackage) {
    this.package = opened;
    this.xml = XmlDocument.parse(opened.required(opened.mainPart));
    this.vocabulary = wordVocabulary(this.xml);
    const body = this.xml.child(this.xml.root, 'w:body');
    if (!body) throw corrupted('the document has no body');
    this.body = body;
    this.relationships = opened.relationshipsOf(opened.mainPart);
    this.media = new MediaCatalog(opened, this.relationships);
    const sections: XmlElement[] = [];
    const { xml, map, runs, relationships, media } = this;
    const context: ReadContext = { xml, map, runs, relationships, media, sections };
    this.bodyBlocks = body.children.filter(({ name }) => name !== 'w:sectPr');
    const blocks = readBlocks(context, this.bodyBlocks, 1);
    sections.push(...body.children.filter(({ name }) => name === 'w:sectPr'));
    this.sections = sections;
    if (blocks.length === 0) blocks.push(wordSchema.nodes.paragraph.create({ id: PHANTOM_ID }));
    this.doc = wordSchema.nodes.doc.create(null, Fragment.fromArray(blocks));
  }
}

/** The paragraph that the model of a document without any blocks has; written only when it is used. */
export const PHANTOM_ID = 'phantom';

function wordVocabulary(xml: XmlDocument): Vocabulary {
  const vocabulary = vocabularyOf(xml.attribute(xml.root, 'xmlns:w'));
  if (vocabulary && xml.root.name === 'w:document') return vocabulary;
  if (/(?:^|:)document$/.test(xml.root.name)) {
    throw new ConversionError(
      'unknownFormat',
      'documents whose elements are not prefixed w: are not supported',
    );
  }
  throw corrupted('the main part is not a document');
}
