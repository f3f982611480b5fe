import { strToU8, zipSync } from 'fflate';
import type { Node } from 'prosemirror-model';
import { applyTail } from '../../../../model/log/log-tail.ts';
import type { WordDocumentJson } from '../../../../model/word/document.ts';
import type { DocumentRights } from '../../../../model/word/rights/document-rights.ts';
import { WORD_DOCUMENT_VERSION } from '../../../../model/word/version.ts';
import { wordModel } from '../../../../model/word/word-model.ts';
import { corrupted } from '../../../errors.ts';
import type { KindEngine } from '../../kind-engine.ts';
import { isRelationshipType } from '../package/namespaces.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import { patchZip } from '../package/zip-patcher.ts';
import { DocxSource } from './docx-source.ts';
import { writeDocx } from './docx-writer.ts';
import { countRevisionsElsewhere, readRevisions } from './file-revisions.ts';
import { readLists } from './numbering.ts';
import { readNotes, readSections } from './page-parts.ts';
import { readSettings } from './settings.ts';
import { readDefaults, readStyles, readTheme } from './styles.ts';

/** A docx opened to the word model. */
export interface OpenedDocx {
  readonly doc: Node;
  /** What an editor downloads. */
  model(): WordDocumentJson;
  /** Bytes of the pictures of the package that can be read, by the paths of the model (`media/image1.png`). */
  media(): Map<string, Uint8Array>;
}

/** @throws ConversionError unknownFormat, corrupted, passwordRequired or limits */
export function openDocx(bytes: Uint8Array): OpenedDocx {
  const source = DocxSource.open(bytes, { isCounted: true });
  return { doc: source.doc, model: () => documentJson(source), media: () => source.media.read() };
}

/** Text documents as Office Open XML. */
export const docxEngine: KindEngine = {
  open: (file) => {
    const opened = openDocx(file);
    return { model: opened.model(), media: opened.media() };
  },
  assemble: (file, tail, { media = () => undefined, earlier }) => {
    const source = DocxSource.open(file);
    const rights = earlier === undefined ? source.rights : earlierRights(source, earlier);
    const { doc, log } = applyTail(wordModel, { doc: source.doc, rights }, tail);
    const { parts, missingMedia } = writeDocx(source, doc, media);
    return { ...log, bytes: patchZip(source.package.archive, parts), missingMedia };
  },
  checkpoint: (file, tail) => applyTail(wordModel, DocxSource.open(file), tail).log,
  blank: (fileType, language) => (fileType === 'docx' ? blankDocx(language) : null),
};

/**
 * By whom changes apply in a log that was made on the model of an earlier version.
 * @throws ConversionError where this version reads the file as another document
 */
function earlierRights({ doc }: DocxSource, value: unknown): DocumentRights {
  try {
    const earlier = wordModel.parse(value);
    if (wordModel.equals(earlier.doc, doc)) return earlier.rights;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw corrupted('the log was made with another version of the model');
}

/** The JSON of a document as editors download it. @throws ConversionError */
function documentJson(source: DocxSource): WordDocumentJson {
  const { package: opened, relationships } = source;
  const styles = opened.relatedXml(relationships, 'styles');
  const numbering = opened.relatedXml(relationships, 'numbering');
  const theme = readTheme(readableRelated(source, 'theme'));
  // Before the parts that are shown have put their run properties beside those of the text.
  const revisions = readRevisions(source);
  const shown = {
    ...readSections(source),
    footnotes: readNotes(source, 'footnotes'),
    endnotes: readNotes(source, 'endnotes'),
  };
  return {
    format: 'quire-word',
    version: WORD_DOCUMENT_VERSION,
    doc: source.doc.toJSON(),
    // The parts that are shown have run properties, too: they must be read before.
    rx: source.runs.extras,
    styles: styles ? readStyles(styles, theme) : [],
    defaults: styles ? readDefaults(styles, theme) : { paragraph: {}, run: {} },
    lists: numbering ? readLists(numbering, theme, source.budget) : [],
    ...shown,
    fillable: source.map.fillable,
    controls: source.map.controls,
    fields: source.map.fieldMarks,
    revisions,
    revisionsElsewhere: countRevisionsElsewhere(source),
    settings: { ...readSettings(source.settings, theme), protection: source.protection },
    media: source.media.paths,
  };
}

function readableRelated(
  { relationships, package: opened }: DocxSource,
  localType: string,
): XmlDocument | undefined {
  const isWanted = (type: string) => isRelationshipType(type, localType);
  return opened.readableXml(opened.relatedPartName(relationships, isWanted));
}

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** An empty text document for a language (`de-DE`). */
function blankDocx(lang: string): Uint8Array {
  const language = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(lang) ? lang : 'en-US';
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml" ContentType="${types}.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
    '_rels/.rels': relationships('officeDocument', 'word/document.xml'),
    'word/_rels/document.xml.rels': relationships('styles', 'styles.xml'),
    'word/document.xml': `<w:document xmlns:w="${word}"><w:body><w:p/><w:sectPr>
<w:pgSz w:w="11906" w:h="16838"/>
<w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="709" w:footer="709" w:gutter="0"/>
</w:sectPr></w:body></w:document>`,
    'word/styles.xml': `<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault><w:rPr>
<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="Calibri" w:cs="Calibri"/><w:sz w:val="22"/><w:szCs w:val="22"/>
<w:lang w:val="${language}"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr>
<w:spacing w:after="160" w:line="259" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style></w:styles>`,
  };
  const files = Object.entries(parts).map(([name, xml]) => [name, strToU8(declaration + xml)] as const);
  return zipSync(Object.fromEntries(files), { mtime: new Date(2020, 0, 1) });
}

const relationships = (type: string, target: string): string =>
  `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/${type}" Target="${target}"/></Relationships>`;
