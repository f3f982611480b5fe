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
import { blankDocx } from './blank-docx.ts';
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
