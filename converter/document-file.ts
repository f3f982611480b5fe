import type { Assembly } from '../db/closing.ts';
import { type DocumentRow, modelVersions } from '../db/document-row.ts';
import type { Media } from '../db/media.ts';
import type { SkippedChange } from '../model/word/change.ts';
import type { BlobStore } from '../services/ports/blob-store.ts';
import type { ChangeLog, StoredBatch } from '../services/ports/change-log.ts';
import { type BinaryFileDependencies, makeBinaryFile } from './binary-file.ts';
import { archiveChanges } from './change-archive.ts';
import { EngineEnded, EngineFault, type EnginePool } from './engine-pool.ts';
import type { Pictures } from './engine-thread.ts';
import { ConversionError } from './errors.ts';
import { typeOfSaved } from './formats.ts';

export interface DocumentFileDependencies extends BinaryFileDependencies {
  log: ChangeLog;
  media: Media;
}

/** A document of which a file is to be made, and how many changes of its log are to be in it. */
export interface WantedFile {
  document: DocumentRow;
  endIndex: number;
}

/** A document's file, or why there is none, and the changes it was to have. */
export interface DocumentFile {
  bytes: Uint8Array | null;
  fileType: string;
  batches: readonly StoredBatch[];
  applied: number;
  /** How many changes could not be applied, and why the first of them could not. */
  skipped: number;
  firstSkipped?: SkippedChange;
  /** Pictures that changes name and nobody uploaded. */
  missingMedia?: readonly string[];
  /** Why there is no result. */
  reason?: string;
}

/**
 * Makes the file of a document from its base and the beginning of its log. A base that cannot be read, or an engine
 * that gives up, is a result without bytes; what may go better another time is thrown.
 */
export async function makeDocumentFile(
  { document, endIndex }: WantedFile,
  { log, media, ...dependencies }: DocumentFileDependencies,
): Promise<DocumentFile> {
  if (document.sourceHash === null) throw new Error('a document that is not open has no file');
  const batches = await allOf(log.read(document.key, 0, endIndex));
  const { blobs } = dependencies;
  const changes = batches.flatMap((batch) => JSON.parse(batch.changes) as string[]);
  const fileType = changes.length === 0 ? document.fileType : typeOfSaved(document.model, document.fileType);
  const pictures = await read(blobs, await media.of(document.key));
  const made = isOfThisVersion(document)
    ? await make(document, { batches, changes, pictures }, dependencies)
    : notMade(changes, 'the log was made with another version of the model');
  return { ...made, fileType, batches };
}

/** Stores a file and the archive of its changes; what is said of it to the integrator. */
export async function storeDocumentFile(
  document: DocumentRow,
  { bytes, fileType, batches, skipped }: DocumentFile,
  blobs: BlobStore,
): Promise<Assembly> {
  const archive = await archiveChanges(onePage(batches), document.sourceHash!);
  const changesHash = (await blobs.put(archive.bytes)).hash;
  const result = bytes && { hash: (await blobs.put(bytes)).hash, fileType };
  // The changes of a copy from forgotten storage do not begin with the integrator's file: no history (17.21).
  const hasHistory = !document.fromForgotten;
  return {
    result,
    changesHash: hasHistory ? changesHash : null,
    history: hasHistory ? archive.history : null,
    skipped,
  };
}

const isOfThisVersion = ({ model, modelVersion }: DocumentRow) =>
  model !== null && modelVersion === modelVersions[model];

type Made = Omit<DocumentFile, 'batches' | 'fileType'>;

/** What is to be in a file beside its base. */
interface Log {
  batches: readonly StoredBatch[];
  changes: readonly string[];
  pictures: Pictures;
}

const notMade = (changes: readonly string[], reason: string): Made => ({
  bytes: null,
  applied: 0,
  skipped: changes.length,
  reason,
});

async function make(document: DocumentRow, log: Log, dependencies: BinaryFileDependencies): Promise<Made> {
  const { changes } = log;
  const source = () => dependencies.blobs.read(document.sourceHash!);
  if (changes.length === 0) return { bytes: await source(), applied: 0, skipped: 0 };
  try {
    if (document.model !== 'binary') return await makeWithModel(dependencies.engines, await source(), log);
    const bytes = await makeBinaryFile(document, log, dependencies);
    return { bytes, applied: changes.length, skipped: 0 };
  } catch (error) {
    const isFinal = [ConversionError, EngineEnded, EngineFault].some((kind) => error instanceof kind);
    if (isFinal) return notMade(changes, reasonOf(error as Error));
    throw error;
  }
}

const reasonOf = ({ message, cause }: Error): string => (cause ? `${message}: ${String(cause)}` : message);

async function makeWithModel(
  engines: EnginePool,
  source: Uint8Array,
  { changes, pictures: media }: Log,
): Promise<Made> {
  const result = await engines.run({ kind: 'assemble', source, changes, media });
  if (result.kind !== 'assembled') {
    const reason = result.kind === 'refused' ? result.message : 'the engine gave another kind of result';
    return notMade(changes, reason);
  }
  const { bytes, applied, skipped, missingMedia } = result;
  return {
    bytes,
    applied,
    skipped: skipped.length,
    ...(skipped[0] ? { firstSkipped: skipped[0] } : {}),
    ...(missingMedia.length > 0 ? { missingMedia } : {}),
  };
}

async function read(blobs: BlobStore, hashes: Readonly<Record<string, string>>): Promise<Pictures> {
  const entries = Object.entries(hashes).map(async ([path, hash]) => [path, await blobs.read(hash)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function allOf(pages: AsyncIterable<readonly StoredBatch[]>): Promise<StoredBatch[]> {
  const batches: StoredBatch[] = [];
  for await (const page of pages) batches.push(...page);
  return batches;
}

async function* onePage(batches: readonly StoredBatch[]): AsyncGenerator<readonly StoredBatch[]> {
  yield batches;
}
