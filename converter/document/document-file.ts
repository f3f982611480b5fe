import { documentFile } from '../../client/protocol/open-command.ts';
import type { Assembly } from '../../db/closing.ts';
import type { DocumentRow } from '../../db/document-row.ts';
import type { Media } from '../../db/media.ts';
import { type EditedKind, kinds, nativeTypeOf, UnknownModelError } from '../../model/kinds.ts';
import type { SkippedChange } from '../../model/log/change.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { Pictures } from '../engines/engine-thread.ts';
import { ConversionError } from '../errors.ts';
import { kindOf, typeOf } from '../formats/file-kind.ts';
import { baseOf, isOwnType } from '../formats/kind-formats.ts';
import { type BinaryFileDependencies, makeBinaryFile } from './binary-file.ts';
import { archiveChanges } from './change-archive.ts';
import {
  forgetCheckpoint,
  keepCheckpoint,
  type LogTailDependencies,
  type ReadTail,
  readTail,
  wholeLog,
} from './log-tail.ts';
import { type WriteBackDependencies, writtenBack } from './written-back.ts';

export interface DocumentFileDependencies
  extends BinaryFileDependencies,
    LogTailDependencies,
    WriteBackDependencies {
  blobs: BlobStore;
  media: Media;
}

/** A document of which a file is to be made, and how many changes of its log are to be in it. */
interface WantedFile {
  document: DocumentRow;
  endIndex: number;
  /** `base`: the file that is edited in place of the source is wanted as it is, to be converted further. */
  form?: FileForm;
}

export type FileForm = 'own' | 'base';

/** A document's file, or why there is none, and the end of the log it was to have. */
export interface DocumentFile {
  bytes: Uint8Array | null;
  fileType: string;
  tail: Pick<ReadTail, 'firstIndex' | 'batches'>;
  /** The model as it is in the file, if it is worth keeping. */
  checkpoint: string | null;
  applied: number;
  /** How many changes could not be applied, and why the first of them could not. */
  skipped: number;
  firstSkipped?: SkippedChange;
  /** Pictures that changes name and nobody uploaded. */
  missingMedia?: readonly string[];
  /** Why there is no result. */
  reason?: string;
  /** Why it is of the native type of its kind and not of the document's own. */
  fallback?: string;
}

/**
 * Makes the file of a document from its base and the beginning of its log. A base that cannot be read, or an engine that
 * gives up, is a result without bytes; errors after which another attempt may succeed are thrown.
 */
export async function makeDocumentFile(
  wanted: WantedFile,
  dependencies: DocumentFileDependencies,
): Promise<DocumentFile> {
  const { document, endIndex } = wanted;
  if (document.sourceHash === null) throw new Error('a document that is not open has no file');
  const pictures = await read(dependencies.blobs, await dependencies.media.of(document.key));
  const make = async (whole: boolean): Promise<DocumentFile | 'damaged-checkpoint'> => {
    const tail = await readTail(document, endIndex, dependencies, whole);
    const isChanged = tail.checkpoint !== null || tail.changes.length > 0;
    const earlier = isOfThisVersion(document) ? undefined : await earlierModel(document, dependencies);
    const made =
      earlier === null
        ? notMade(wanted, endIndex, noModelReason(document))
        : await makeOf(wanted, { tail, pictures, earlier, isChanged }, dependencies);
    if (made === 'damaged-checkpoint') return made;
    return { ...made, tail: { firstIndex: tail.firstIndex, batches: tail.batches } };
  };
  const made = await make(false);
  if (made !== 'damaged-checkpoint') return made;
  await forgetCheckpoint(document, endIndex, dependencies);
  const anew = await make(true);
  if (anew === 'damaged-checkpoint') throw new Error('an engine refused a checkpoint that it was not given');
  return anew;
}

/** Stores a file, the archive of its changes and a checkpoint for the next file. Returns what the callback says of it. */
export async function storeDocumentFile(
  { document, endIndex }: WantedFile,
  { bytes, fileType, tail, checkpoint, skipped }: DocumentFile,
  dependencies: Pick<DocumentFileDependencies, 'blobs' | 'log' | 'checkpoints'>,
): Promise<Assembly> {
  const { blobs, log } = dependencies;
  // Each waits for the disk: at the same time.
  const [result, { changesHash, history }] = await Promise.all([
    bytes && blobs.put(bytes).then(({ hash }) => ({ hash, fileType })),
    archiveChanges(wholeLog(log, document.key, tail), document.sourceHash!).then(async (archive) => ({
      changesHash: (await blobs.put(archive.bytes)).hash,
      history: archive.history,
    })),
    keepCheckpoint(document, endIndex, checkpoint, dependencies),
  ]);
  // The changes of a copy from forgotten storage do not begin with the integrator's file: no history (17.21).
  const hasHistory = !document.fromForgotten;
  return {
    result,
    changesHash: hasHistory ? changesHash : null,
    history: hasHistory ? history : null,
    skipped,
  };
}

const isOfThisVersion = ({ model, modelVersion }: DocumentRow) =>
  model !== null && kinds.knows(model) && modelVersion === kinds.versionOf(model);

/** Base and log are kept: a server that has the model goes on with them. */
const noModelReason = ({ model }: DocumentRow): string =>
  model !== null && kinds.knows(model)
    ? 'the log was made with another version of the model'
    : new UnknownModelError(String(model), kinds.models).message;

/** The model as an earlier version gave it to the editors; null where it is not kept. */
async function earlierModel(
  document: DocumentRow,
  { openedSources, blobs }: DocumentFileDependencies,
): Promise<Uint8Array | null> {
  const { model, modelVersion, baseHash, openedVariant } = document;
  if (!kinds.ofModel(model) || model === null || modelVersion === null) return null;
  const variant = baseHash === null ? openedVariant : '';
  const opened = await openedSources.find({ sourceHash: baseOf(document), model, variant }, modelVersion);
  const hash = opened?.ok ? opened.files[documentFile] : undefined;
  return hash === undefined ? null : blobs.read(hash);
}

type Made = Omit<DocumentFile, 'tail'>;

/** What is to be in a file beside its base. */
interface Contents {
  tail: ReadTail;
  pictures: Pictures;
  /** The model that the log was made on, where an earlier version read it. */
  earlier: Uint8Array | undefined;
  isChanged: boolean;
}

const notMade = ({ document }: WantedFile, changes: number, reason: string): Made => ({
  bytes: null,
  fileType: document.fileType,
  checkpoint: null,
  applied: 0,
  skipped: changes,
  reason,
});

async function makeOf(
  wanted: WantedFile,
  { tail, pictures, earlier, isChanged }: Contents,
  dependencies: DocumentFileDependencies,
): Promise<Made | 'damaged-checkpoint'> {
  const { document, endIndex } = wanted;
  try {
    if (!isChanged)
      return await asItCame(document, { checkpoint: null, applied: 0, skipped: 0 }, dependencies);
    const kind = kinds.ofModel(document.model);
    if (kind) return await makeWithModel(wanted, kind, { tail, pictures, earlier }, dependencies);
    if (document.model !== 'binary') return notMade(wanted, endIndex, 'nobody here can read the changes');
    const { batches, changes } = tail;
    const { bytes, fileType } = await makeBinaryFile(document, { batches, pictures }, dependencies);
    return { bytes, fileType, checkpoint: null, applied: changes.length, skipped: 0 };
  } catch (error) {
    if (error instanceof ConversionError) return notMade(wanted, endIndex, reasonOf(error));
    throw error;
  }
}

/** The source, unless it is a file that was kept because nothing could write the document's own format. */
async function asItCame(
  document: DocumentRow,
  made: Omit<Made, 'bytes' | 'fileType'>,
  dependencies: DocumentFileDependencies,
): Promise<Made> {
  const { sourceHash, baseHash, fileType, model } = document;
  const bytes = await dependencies.blobs.read(sourceHash!);
  const kind = kinds.ofModel(model);
  if (baseHash === null || !kind || isOfType(bytes, fileType, kind)) return { ...made, bytes, fileType };
  const base = await dependencies.blobs.read(baseHash);
  return { ...made, ...(await writtenBack(base, { document, kind }, dependencies)) };
}

function isOfType(bytes: Uint8Array, fileType: string, kind: EditedKind): boolean {
  const content = kindOf(bytes);
  return content === 'ole-encrypted' ? isOwnType(kind, fileType) : typeOf(content, fileType) === fileType;
}

const reasonOf = ({ message, cause }: Error): string => (cause ? `${message}: ${String(cause)}` : message);

async function makeWithModel(
  wanted: WantedFile,
  kind: EditedKind,
  { tail, pictures: media, earlier }: Pick<Contents, 'tail' | 'pictures' | 'earlier'>,
  dependencies: DocumentFileDependencies,
): Promise<Made | 'damaged-checkpoint'> {
  const { document, form = 'own' } = wanted;
  const { engines, blobs } = dependencies;
  const { checkpoint, changes, firstIndex, wantsCheckpoint } = tail;
  const source = await blobs.read(baseOf(document));
  const result = await engines.run({
    kind: 'assemble',
    ...{ model: kind.model.name, source, media, checkpoint, changes, wantsCheckpoint },
    ...(earlier && { earlier }),
  });
  if (result.kind === 'damaged-checkpoint') return result.kind;
  if (result.kind !== 'assembled') {
    const reason = result.kind === 'refused' ? result.message : 'the engine gave another kind of result';
    return notMade(wanted, firstIndex + changes.length, reason);
  }
  const { kind: _kind, bytes, firstSkipped, missingMedia, ...applied } = result;
  const made = {
    ...applied,
    ...(firstSkipped ? { firstSkipped } : {}),
    ...(missingMedia.length > 0 ? { missingMedia } : {}),
  };
  if (document.baseHash === null) return { ...made, bytes, fileType: document.fileType };
  if (form === 'base') return { ...made, bytes, fileType: nativeTypeOf(kind) };
  if (made.applied === 0) return asItCame(document, made, dependencies);
  return { ...made, ...(await writtenBack(bytes, { document, kind }, dependencies)) };
}

async function read(blobs: BlobStore, hashes: Readonly<Record<string, string>>): Promise<Pictures> {
  const entries = Object.entries(hashes).map(async ([path, hash]) => [path, await blobs.read(hash)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
