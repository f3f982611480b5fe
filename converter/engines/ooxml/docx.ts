import type { Node } from 'prosemirror-model';
import { applyChanges, type SkippedChange } from '../../../model/word/change.ts';
import { WORD_DOCUMENT_VERSION, type WordDocumentJson } from '../../../model/word/document.ts';
import { ConversionError, corrupted } from '../../errors.ts';
import { detectOffice, packageKind } from './detect.ts';
import { DocxSource } from './docx/docx-source.ts';
import { type WrittenDocx, writeDocx } from './docx/docx-writer.ts';
import { readLists } from './docx/numbering.ts';
import type { MediaReader } from './docx/package-additions.ts';
import { readDefaults, readSection, readStyles } from './docx/styles.ts';
import { isRelationshipType } from './namespaces.ts';
import { OfficePackage } from './office-package.ts';
import { resolveTarget } from './relationships.ts';
import { XmlDocument } from './xml-document.ts';
import { patchZip } from './zip-patcher.ts';

/** A docx opened to the word model. */
export interface WordSource {
  readonly doc: Node;
  /** What an editor downloads. */
  model(): WordDocumentJson;
  /** Bytes of the pictures of the package that can be read, by the paths of the model (`media/image1.png`). */
  media(): Map<string, Uint8Array>;
}

export interface AssembleOptions {
  /** Bytes of pictures that changes insert, by their path in the model. */
  readonly media?: MediaReader;
}

export interface AssembledDocx {
  readonly bytes: Uint8Array;
  readonly applied: number;
  readonly skipped: SkippedChange[];
  /** Blocks that differ from the base, as id and beginning of the text. */
  readonly changed: string[];
  /** Paths of new pictures that were left out, because nobody gave their bytes or they are no pictures. */
  readonly missingMedia: string[];
}

/** @throws ConversionError unknownFormat, corrupted, passwordRequired or limits */
export function openDocx(bytes: Uint8Array): WordSource {
  const source = openSource(bytes);
  return { doc: source.doc, model: () => modelOf(source), media: () => mediaOf(source) };
}

/**
 * The base with the changes of the log in it. The same input gives the same bytes; without effective changes these
 * are the bytes of the base. A change that cannot apply is skipped, counted and reported.
 * @throws ConversionError when the base cannot be opened
 */
export function assembleDocx(
  bytes: Uint8Array,
  changes: readonly string[],
  options: AssembleOptions = {},
): AssembledDocx {
  const source = openSource(bytes);
  const { doc, applied, skipped } = applyChanges(source.doc, changes);
  const written: WrittenDocx = writeDocx(source, doc, options.media ?? (() => undefined));
  const assembled = patchZip(source.package.archive, written.parts);
  return { bytes: assembled, applied, skipped, changed: written.changed, missingMedia: written.missingMedia };
}

function openSource(bytes: Uint8Array): DocxSource {
  refuseOtherKinds(bytes);
  const opened = new OfficePackage(bytes);
  if (packageKind(opened) !== 'docx') {
    throw new ConversionError('unknownFormat', 'the package is no word-processing document');
  }
  return new DocxSource(opened);
}

function refuseOtherKinds(bytes: Uint8Array): void {
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

function modelOf(source: DocxSource): WordDocumentJson {
  const styles = relatedPart(source, 'styles');
  const numbering = relatedPart(source, 'numbering');
  return {
    format: 'quire-word',
    version: WORD_DOCUMENT_VERSION,
    doc: source.doc.toJSON(),
    rx: source.runs.extras,
    styles: styles ? readStyles(styles) : [],
    defaults: styles ? readDefaults(styles) : { paragraph: {}, run: {} },
    lists: numbering ? readLists(numbering) : [],
    sections: source.sections.map((section) => readSection(source.xml, section)),
    parts: [],
    footnotes: {},
    endnotes: {},
    settings: {
      trackChanges: false,
      evenAndOddHeaders: false,
      defaultTabStop: 720,
      majorFont: null,
      minorFont: null,
    },
    media: source.media.paths,
  };
}

function relatedPart(
  { relationships, package: opened }: DocxSource,
  localType: string,
): XmlDocument | undefined {
  const related = relationships.all.find(
    ({ type, external }) => !external && isRelationshipType(type, localType),
  );
  const bytes = related && opened.read(resolveTarget(opened.mainPart, related.target));
  return bytes && XmlDocument.parse(bytes);
}

function mediaOf({ media, package: opened }: DocxSource): Map<string, Uint8Array> {
  const pictures = new Map<string, Uint8Array>();
  for (const path of media.paths) {
    const content = readOrSkip(opened, media.partOf(path)!);
    // A copy: a view would carry the whole package along when it is sent to another thread.
    if (content) pictures.set(path, new Uint8Array(content));
  }
  return pictures;
}

/** A damaged picture is no reason to refuse the document that shows it. */
function readOrSkip(opened: OfficePackage, partName: string): Uint8Array | undefined {
  try {
    return opened.read(partName);
  } catch (error) {
    if (error instanceof ConversionError) return undefined;
    throw error;
  }
}
