import type { WordDocumentJson } from '../../../../model/word/document.ts';
import { WORD_DOCUMENT_VERSION } from '../../../../model/word/version.ts';
import { isRelationshipType } from '../package/namespaces.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { DocxSource } from './docx-source.ts';
import { countRevisionsElsewhere, readRevisions } from './file-revisions.ts';
import { readLists } from './numbering.ts';
import { readNotes, readSections } from './page-parts.ts';
import { readSettings } from './settings.ts';
import { readDefaults, readStyles, readTheme } from './styles.ts';

/** The JSON of a document as editors download it. @throws ConversionError */
export function documentJson(source: DocxSource): WordDocumentJson {
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
