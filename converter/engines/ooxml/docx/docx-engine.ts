import type { Node } from 'prosemirror-model';
import { type LogEntry, textOf } from '../../../../model/log/change-author.ts';
import { TextDigest } from '../../../../model/log/text-digest.ts';
import { applyChanges, type SkippedChange } from '../../../../model/word/change.ts';
import { checkpointOf, documentAt, type WordCheckpoint } from '../../../../model/word/checkpoint.ts';
import {
  parseWordDocument,
  WORD_DOCUMENT_VERSION,
  type WordDocumentJson,
} from '../../../../model/word/document.ts';
import { AuthorRules } from '../../../../model/word/rights/author-rules.ts';
import { type DocumentRights, documentRights } from '../../../../model/word/rights/document-rights.ts';
import { HeldSignatures } from '../../../../model/word/rights/signatures.ts';
import { ConversionError, corrupted } from '../../../errors.ts';
import { isRelationshipType } from '../package/namespaces.ts';
import { detectOffice, packageKind } from '../package/office-kind.ts';
import { OfficePackage } from '../package/office-package.ts';
import { readablePart, relatedPart, relatedPartName, unlessDamaged } from '../package/related-part.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import { patchZip } from '../package/zip-patcher.ts';
import { DocxSource } from './docx-source.ts';
import { type WrittenDocx, writeDocx } from './docx-writer.ts';
import { countRevisionsElsewhere, readRevisions } from './file-revisions.ts';
import { ModelBudget } from './model-budget.ts';
import { readNotes } from './notes.ts';
import { readLists } from './numbering.ts';
import type { MediaReader } from './package-additions.ts';
import { readSections } from './page-parts.ts';
import { readSettings } from './settings.ts';
import { readDefaults, readStyles } from './styles.ts';
import { readTheme } from './theme.ts';

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
  /** Where the log was made on the model as an earlier version read the file: that model, as JSON. */
  readonly earlier?: unknown;
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

/** Where a log stands after changes that were applied, with what came before them. */
export interface AppliedLog {
  /** Of the whole log up to here. */
  readonly applied: number;
  readonly skipped: number;
  readonly firstSkipped: SkippedChange | undefined;
  /** The document as it is here; null where it cannot be told so, or was not asked for. */
  readonly checkpoint: WordCheckpoint | null;
}

/** The end of a log: the changes after a checkpoint of the same base, or all of them. */
export interface LogEnd {
  /** @throws DamagedCheckpoint, from what takes this, when it is none of the base */
  readonly after: unknown;
  readonly changes: readonly LogEntry[];
  readonly wantsCheckpoint: boolean;
}

/** What was given as a checkpoint is none of this document. */
export class DamagedCheckpoint extends Error {
  override readonly name = 'DamagedCheckpoint';
}

/** @throws ConversionError unknownFormat, corrupted, passwordRequired or limits */
export function openDocx(bytes: Uint8Array): WordSource {
  const source = openSource(bytes, new ModelBudget(true));
  return { doc: source.doc, model: () => modelOf(source), media: () => mediaOf(source) };
}

/**
 * The base with the changes of the log in it. The same input gives the same bytes; without effective changes these
 * are the bytes of the base. A change that cannot apply is skipped, counted and reported.
 * @throws ConversionError when the base cannot be opened
 */
export function assembleDocx(
  bytes: Uint8Array,
  changes: readonly LogEntry[],
  options: AssembleOptions = {},
): AssembledDocx {
  const source = openSource(bytes);
  const { doc, applied, skipped } = applyChanges(source.doc, changes, 0, new AuthorRules(rightsOf(source)));
  const written: WrittenDocx = writeDocx(source, doc, options.media ?? (() => undefined));
  const assembled = patchZip(source.package.archive, written.parts);
  return { bytes: assembled, applied, skipped, changed: written.changed, missingMedia: written.missingMedia };
}

/** Like {@link assembleDocx}, beginning at a checkpoint: the bytes are the same as with the whole log. */
export function assembleFrom(
  bytes: Uint8Array,
  end: LogEnd,
  options: AssembleOptions = {},
): AppliedLog & Pick<AssembledDocx, 'bytes' | 'missingMedia'> {
  const source = openSource(bytes);
  const { doc, ...log } = applyEnd(source, end, options.earlier);
  const { parts, missingMedia } = writeDocx(source, doc, options.media ?? (() => undefined));
  return { ...log, bytes: patchZip(source.package.archive, parts), missingMedia };
}

/** The checkpoint at the end of a log. */
export function checkpointDocx(bytes: Uint8Array, end: LogEnd): AppliedLog {
  const { doc: _doc, ...log } = applyEnd(openSource(bytes), end);
  return log;
}

function applyEnd(
  source: DocxSource,
  { after, changes, wantsCheckpoint }: LogEnd,
  earlier?: unknown,
): AppliedLog & { doc: Node } {
  const { doc: base } = source;
  const begun = after === null ? null : readCheckpoint(base, after);
  const { index = 0, skipped: skippedBefore = 0, firstSkipped: firstBefore } = begun?.checkpoint ?? {};
  const rules = new AuthorRules(
    earlier ? earlierRights(source, earlier) : rightsOf(source),
    new HeldSignatures(begun?.checkpoint.gone),
  );
  const { doc, skipped } = applyChanges(begun?.doc ?? base, changes, index, rules);
  const digest = () => {
    const before = begun ? TextDigest.of(begun.checkpoint.digest) : new TextDigest();
    return changes.reduce((all, entry) => all.with(textOf(entry)), before).toString();
  };
  const log = {
    index: index + changes.length,
    skipped: skippedBefore + skipped.length,
    firstSkipped: (firstBefore as SkippedChange | undefined) ?? skipped[0],
  };
  return {
    doc,
    applied: log.index - log.skipped,
    skipped: log.skipped,
    firstSkipped: log.firstSkipped,
    checkpoint: wantsCheckpoint
      ? checkpointOf(base, doc, { ...log, digest: digest(), gone: rules.goneFrom(doc) })
      : null,
  };
}

function readCheckpoint(base: Node, value: unknown) {
  try {
    return documentAt(base, value);
  } catch (cause) {
    throw new DamagedCheckpoint('not a checkpoint of this document', { cause });
  }
}

function openSource(bytes: Uint8Array, budget = new ModelBudget(false)): DocxSource {
  refuseOtherKinds(bytes);
  const opened = new OfficePackage(bytes);
  if (packageKind(opened) !== 'docx') {
    throw new ConversionError('unknownFormat', 'the package is no word-processing document');
  }
  return new DocxSource(opened, budget);
}

const rightsOf = ({ map, protection }: DocxSource): DocumentRights =>
  documentRights({ fillable: map.fillable, controls: map.controls, settings: { protection } });

/**
 * By whom changes apply in a log that was made on the model of an earlier version.
 * @throws ConversionError where this version reads the file as another document
 */
function earlierRights({ doc }: DocxSource, value: unknown): DocumentRights {
  try {
    const earlier = parseWordDocument(value);
    if (earlier.doc.eq(doc)) return documentRights(earlier.json);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw corrupted('the log was made with another version of the model');
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
  const { package: opened, relationships } = source;
  const styles = relatedPart(opened, relationships, 'styles');
  const numbering = relatedPart(opened, relationships, 'numbering');
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
  return readablePart(opened, relatedPartName(opened, relationships, isWanted));
}

function mediaOf({ media, package: opened }: DocxSource): Map<string, Uint8Array> {
  const pictures = new Map<string, Uint8Array>();
  for (const path of media.paths) {
    const content = unlessDamaged(() => opened.read(media.partOf(path)!));
    // A copy: a view would carry the whole package along when it is sent to another thread.
    if (content) pictures.set(path, new Uint8Array(content));
  }
  return pictures;
}
