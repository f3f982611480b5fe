import type { Assembly, Closing } from '../db/closing.ts';
import { type DocumentRow, modelVersions } from '../db/document-row.ts';
import type { Media } from '../db/media.ts';
import type { SkippedChange } from '../model/word/change.ts';
import type { BlobStore } from '../services/ports/blob-store.ts';
import type { ChangeLog, StoredBatch } from '../services/ports/change-log.ts';
import { archiveChanges } from './change-archive.ts';
import { EngineEnded, EngineFault, type EnginePool } from './engine-pool.ts';
import type { Pictures } from './engine-thread.ts';

export interface AssemblyDependencies {
  closing: Closing;
  log: ChangeLog;
  media: Media;
  blobs: BlobStore;
  engines: EnginePool;
  faultPoint: (name: string) => void;
}

/** What an assembly came to, for the worker's log. */
export interface AssemblyReport {
  kind: 'assembled' | 'not-assembled' | 'superseded';
  applied: number;
  /** How many changes could not be applied, and why the first of them could not. */
  skipped: number;
  firstSkipped?: SkippedChange;
  /** Pictures that changes name and nobody uploaded. */
  missingMedia?: readonly string[];
  /** Why there is no result. */
  reason?: string;
}

const superseded: AssemblyReport = { kind: 'superseded', applied: 0, skipped: 0 };

/**
 * Makes the final file of a document from its base and its log, and puts it and the callback on record in one step.
 * Whoever comes second, or after an editor returned, changes nothing. A base that cannot be read, or an engine
 * that gives up, is not the end of the users' work: base and log go to forgotten storage and status 3 says so.
 */
export async function assembleDocument(
  job: { key: string; epoch: number },
  { closing, log, media, blobs, engines, faultPoint }: AssemblyDependencies,
): Promise<AssemblyReport> {
  const document = await closing.assembling(job.key, job.epoch);
  if (!document?.sourceHash) return superseded;
  faultPoint('assembly:started');
  const batches = await allOf(log.read(document.key, 0, document.nextIndex));
  const source = await blobs.read(document.sourceHash);
  const changes = batches.flatMap((batch) => JSON.parse(batch.changes) as string[]);
  const pictures = await read(blobs, await media.of(document.key));
  const made = isOfThisVersion(document)
    ? await make(engines, source, changes, pictures)
    : notMade(changes, 'the log was made with another version of the model');
  const assembly = await record(document, batches, made, blobs);
  faultPoint('assembly:result-stored');
  const recorded = await closing.finishAssembly(document, assembly);
  faultPoint('assembly:recorded');
  if (!recorded) return superseded;
  const { bytes, ...report } = made;
  return { kind: bytes ? 'assembled' : 'not-assembled', ...report };
}

const isOfThisVersion = ({ model, modelVersion }: DocumentRow) =>
  model !== null && modelVersion === modelVersions[model];

interface Made extends Omit<AssemblyReport, 'kind'> {
  bytes: Uint8Array | null;
}

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

async function record(
  document: DocumentRow,
  batches: readonly StoredBatch[],
  made: Made,
  blobs: BlobStore,
): Promise<Assembly> {
  const archive = await archiveChanges(onePage(batches), document.sourceHash!);
  const changesHash = (await blobs.put(archive.bytes)).hash;
  const result = made.bytes && {
    hash: (await blobs.put(made.bytes)).hash,
    fileType: document.fileType,
  };
  // The changes of a copy from forgotten storage do not begin with the integrator's file: no history (17.21).
  const hasHistory = !document.fromForgotten;
  return {
    result,
    changesHash: hasHistory ? changesHash : null,
    history: hasHistory ? archive.history : null,
    skipped: made.skipped,
  };
}

async function allOf(pages: AsyncIterable<readonly StoredBatch[]>): Promise<StoredBatch[]> {
  const batches: StoredBatch[] = [];
  for await (const page of pages) batches.push(...page);
  return batches;
}

async function* onePage(batches: readonly StoredBatch[]): AsyncGenerator<readonly StoredBatch[]> {
  yield batches;
}
