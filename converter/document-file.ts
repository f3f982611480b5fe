import type { Assembly } from '../db/closing.ts';
import { type DocumentRow, modelVersions } from '../db/document-row.ts';
import type { Media } from '../db/media.ts';
import type { SkippedChange } from '../model/word/change.ts';
import type { BlobStore } from '../services/ports/blob-store.ts';
import type { ChangeLog, StoredBatch } from '../services/ports/change-log.ts';
import { archiveChanges } from './change-archive.ts';
import { EngineEnded, EngineFault, type EnginePool } from './engine-pool.ts';
import type { Pictures } from './engine-thread.ts';

export interface DocumentFileDependencies {
  log: ChangeLog;
  media: Media;
  blobs: BlobStore;
  engines: EnginePool;
}

/** A document of which a file is to be made, and how many changes of its log are to be in it. */
export interface WantedFile {
  document: DocumentRow;
  endIndex: number;
}

/** A document's file, or why there is none, and the changes it was to have. */
export interface DocumentFile {
  bytes: Uint8Array | null;
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
  { log, media, blobs, engines }: DocumentFileDependencies,
): Promise<DocumentFile> {
  if (document.sourceHash === null) throw new Error('a document that is not open has no file');
  const batches = await allOf(log.read(document.key, 0, endIndex));
  const source = await blobs.read(document.sourceHash);
  const changes = batches.flatMap((batch) => JSON.parse(batch.changes) as string[]);
  const pictures = await read(blobs, await media.of(document.key));
  const made = isOfThisVersion(document)
    ? await make(engines, source, changes, pictures)
    : notMade(changes, 'the log was made with another version of the model');
  return { ...made, batches };
}

/** Stores a file and the archive of its changes; what is said of it to the integrator. */
export async function storeDocumentFile(
  document: DocumentRow,
  { bytes, batches, skipped }: DocumentFile,
  blobs: BlobStore,
): Promise<Assembly> {
  const archive = await archiveChanges(onePage(batches), document.sourceHash!);
  const changesHash = (await blobs.put(archive.bytes)).hash;
  const result = bytes && { hash: (await blobs.put(bytes)).hash, fileType: document.fileType };
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

type Made = Omit<DocumentFile, 'batches'>;

const notMade = (changes: readonly string[], reason: string): Made => ({
  bytes: null,
  applied: 0,
  skipped: changes.length,
  reason,
});

async function make(
  engines: EnginePool,
  source: Uint8Array,
  changes: readonly string[],
  media: Pictures,
): Promise<Made> {
  if (changes.length === 0) return { bytes: source, applied: 0, skipped: 0 };
  try {
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
  } catch (error) {
    if (error instanceof EngineEnded) return notMade(changes, error.message);
    if (error instanceof EngineFault) return notMade(changes, `${error.message}: ${String(error.cause)}`);
    throw error;
  }
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
