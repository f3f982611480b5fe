import { Fragment, type Node } from 'prosemirror-model';
import type { WordProtection } from '../../../../model/word/document.ts';
import { type DocumentRights, documentRights } from '../../../../model/word/rights/document-rights.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import { ConversionError, corrupted } from '../../../errors.ts';
import { isRelationshipType } from '../package/namespaces.ts';
import { detectOffice, packageKind } from '../package/office-kind.ts';
import { OfficePackage, unlessDamaged } from '../package/office-package.ts';
import { MediaCatalog } from '../package/pictures.ts';
import { Relationships, resolveTarget } from '../package/relationships.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { readBlocks } from './block-reader.ts';
import { CommentCatalog } from './comment-catalog.ts';
import { DataParts } from './controls/data-parts.ts';
import { ModelBudget } from './model-budget.ts';
import type { ReadContext } from './read-context.ts';
import { RunPropertyReader } from './run-properties.ts';
import { readProtection } from './settings.ts';
import { SourceMap } from './source-map.ts';
import { TableStyles } from './styles.ts';
import { vocabularyOf, WORD_PREFIXES, type WordVocabulary } from './vocabulary.ts';

/** The main document part of a docx, opened: its model, and where each node of that lies in the XML. */
export class DocxSource {
  readonly package: OfficePackage;
  readonly xml: XmlDocument;
  readonly vocabulary: WordVocabulary;
  readonly body: XmlElement;
  /** Elements of the body that are blocks: all but the last section's properties. */
  readonly bodyBlocks: readonly XmlElement[];
  readonly doc: Node;
  readonly budget: ModelBudget;
  readonly map: SourceMap;
  readonly runs = new RunPropertyReader();
  readonly relationships: Relationships;
  readonly media: MediaCatalog;
  readonly comments: CommentCatalog;
  readonly dataParts: DataParts;
  /** Headers, footers and notes by their relationship's id: read to be shown, never written. */
  readonly shownParts: ReadonlyMap<string, ShownPart>;
  readonly sections: readonly XmlElement[];
  #tableStyles: TableStyles | undefined;
  #protection: { readonly value: WordProtection | null } | undefined;

  /**
   * @param isCounted whether the size of the model is limited, as for a document that is opened for the first time
   * @throws ConversionError unknownFormat, corrupted, passwordRequired or limits
   */
  static open(bytes: Uint8Array, { isCounted = false } = {}): DocxSource {
    refuseOtherFormats(bytes);
    const opened = new OfficePackage(bytes, WORD_PREFIXES);
    if (packageKind(opened) !== 'docx') {
      throw new ConversionError('unknownFormat', 'the package is no word-processing document');
    }
    return new DocxSource(opened, new ModelBudget(isCounted));
  }

  private constructor(opened: OfficePackage, budget: ModelBudget) {
    this.package = opened;
    this.budget = budget;
    this.map = new SourceMap(budget);
    this.xml = opened.requiredXml(opened.mainPart);
    this.vocabulary = wordVocabulary(this.xml);
    const body = this.xml.child(this.xml.root, 'w:body');
    if (!body) throw corrupted('the document has no body');
    this.body = body;
    this.relationships = opened.relationshipsOf(opened.mainPart);
    this.shownParts = shownParts(opened, this.relationships);
    this.media = new MediaCatalog(opened, this.relationships, [...this.shownParts.values()]);
    this.comments = new CommentCatalog(opened, this.relationships);
    this.dataParts = new DataParts(opened, this.relationships);
    const sections: XmlElement[] = [];
    const { xml, map, runs, relationships, media, comments, dataParts } = this;
    const tableStyles = () => this.tableStyles();
    const shared = { budget, runs, relationships, media, comments, dataParts, tableStyles };
    const context: ReadContext = { xml, map, sections, ...shared };
    this.bodyBlocks = body.children.filter(({ name }) => name !== 'w:sectPr');
    const blocks = readBlocks(context, this.bodyBlocks, 1);
    sections.push(...body.children.filter(({ name }) => name === 'w:sectPr'));
    this.sections = sections;
    if (blocks.length === 0) blocks.push(wordSchema.nodes.paragraph.create({ id: PHANTOM_ID }));
    this.doc = wordSchema.nodes.doc.create(null, Fragment.fromArray(blocks));
  }

  /** Read when they are first asked for, as most documents have no tables. */
  tableStyles(): TableStyles {
    this.#tableStyles ??= new TableStyles(this.#readStyles());
    return this.#tableStyles;
  }

  /** The settings part (17.15.1.78); undefined where there is none that can be read. */
  get settings(): XmlDocument | undefined {
    return this.package.readableXml(this.settingsPart);
  }

  get settingsPart(): string | undefined {
    const isSettings = (type: string) => isRelationshipType(type, 'settings');
    return this.package.relatedPartName(this.relationships, isSettings);
  }

  /** The protection that is enforced; read once, as it is part of the rules of the log. */
  get protection(): WordProtection | null {
    this.#protection ??= { value: readProtection(this.settings) };
    return this.#protection.value;
  }

  /** What the file itself says of who may change what. */
  get rights(): DocumentRights {
    const { map, protection } = this;
    return documentRights({ fillable: map.fillable, controls: map.controls, settings: { protection } });
  }

  /** Id of a style by its name, which in built-in styles is the same in every language. */
  styleId(type: string, name: string): string | undefined {
    const xml = this.#readStyles();
    const style = xml?.root.children.find(
      (element) =>
        element.name === 'w:style' &&
        xml.attribute(element, 'w:type') === type &&
        xml.attribute(xml.child(element, 'w:name'), 'w:val')?.toLowerCase() === name,
    );
    return xml?.attribute(style, 'w:styleId');
  }

  #readStyles(): XmlDocument | undefined {
    const isStyles = (type: string) => isRelationshipType(type, 'styles');
    return this.package.readableXml(this.package.relatedPartName(this.relationships, isStyles));
  }
}

/** The paragraph that the model of a document without any blocks has; written only when it is used. */
export const PHANTOM_ID = 'phantom';

function refuseOtherFormats(bytes: Uint8Array): void {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return;
  switch (detectOffice(bytes)) {
    case 'ole-encrypted':
      throw new ConversionError('passwordRequired', 'the document is encrypted with a password');
    case 'unknown':
      throw corrupted('the file is no package');
    default:
      throw new ConversionError('unknownFormat', 'the file is of another format');
  }
}

function wordVocabulary(xml: XmlDocument): WordVocabulary {
  const vocabulary = vocabularyOf(xml.attribute(xml.root, 'xmlns:w'));
  if (vocabulary && xml.root.name === 'w:document') return vocabulary;
  if (/(?:^|:)document$/.test(xml.root.name)) {
    throw new ConversionError('unknownFormat', 'the main part is a document of another vocabulary');
  }
  throw corrupted('the main part is not a document');
}

/** A part that is read to be shown and never written. */
export interface ShownPart {
  readonly kind: ShownPartKind;
  readonly partName: string;
  readonly relationships: Relationships;
}

type ShownPartKind = (typeof SHOWN_KINDS)[number];

const SHOWN_KINDS = ['header', 'footer', 'footnotes', 'endnotes'] as const;

/** The headers, footers and notes of a document by the ids of its relationships to them. */
function shownParts(opened: OfficePackage, relationships: Relationships): Map<string, ShownPart> {
  const parts = new Map<string, ShownPart>();
  /** Those of a part, to which any number of relationships may lead. */
  const known = new Map<string, Relationships>();
  for (const { id, type, target, external } of relationships.all) {
    const kind = SHOWN_KINDS.find((name) => isRelationshipType(type, name));
    if (!kind || external) continue;
    const partName = resolveTarget(opened.mainPart, target);
    const own =
      known.get(partName) ?? unlessDamaged(() => opened.relationshipsOf(partName)) ?? new Relationships();
    known.set(partName, own);
    parts.set(id, { kind, partName, relationships: own });
  }
  return parts;
}
