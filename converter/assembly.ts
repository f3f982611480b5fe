import type { Assembly, Closing } from '../db/closing.ts';
import type { DocumentRow } from '../db/document-row.ts';
import type { BlobStore } from '../services/ports/blob-store.ts';
import type { ChangeLog, StoredBatch } from '../services/ports/change-log.ts';
import { archiveChanges } from './change-archive.ts';
import { EngineEnded, type EnginePool } from './engine-pool.ts';

export interface AssemblyDependencies {
  closing: Closing;
  log: ChangeLog;
  blobs: BlobStore;
  engines: EnginePool;
  faultPoint: (name: string) => void;
}

/** What an assembly came to, for the worker's log. */
export interface AssemblyReport {
  kind: 'assembled' | 'not-assembled' | 'superseded';
  applied: number;
  skipped: number;
  /** Why there is no result. */
  reason?: string;
}

/**
 * Makes the final file of a document from its base and its log, and puts it and the callback on record in one step.
 * Whoever comes second, or after an editor returned, changes nothing. A base that cannot be read, or an engine
 * that gives up, is not the end of the users' work: base and log go to forgotten storage and status 3 says so.
 */
export async function assembleDocument(
  job: { key: string; epoch: number },
  { closing, log, blobs, engines, faultPoint }: AssemblyDependencies,
): Promise<AssemblyReport> {
  const document = await closing.assembling(job.key, job.epoch);
  if (!document?.sourceHash) return { kind: 'superseded', applied: 0, skipped: 0 };
  faultPoint('assembly:started');
  const batches = await allOf(log.read(document.key, 0, document.nextIndex));
  const source = await blobs.read(document.sourceHash);
  const changes = batches.flatMap((batch) => JSON.parse(batch.changes) as string[]);
  const made = await make(engines, source, changes);
  const assembly = await record(document, batches, made, blobs);
  faultPoint('assembly:result-stored');
  const recorded = await closing.finishAssembly(document, assembly);
  faultPoint('assembly:recorded');
  if (!recorded) return { kind: 'superseded', applied: 0, skipped: 0 };
  return made.bytes
    ? { kind: 'assembled', applied: made.applied, skipped: made.skipped }
    : { kind: 'not-assembled', applied: 0, skipped: made.skipped, reason: made.reason };
}

interface Made {
  bytes: Uint8Array | null;
  applied: number;
  skipped: number;
  reason?: string;
}

async function make(engines: EnginePool, source: Uint8Array, changes: readonly string[]): Promise<Made> {
  if (changes.length === 0) return { bytes: source, applied: 0, skipped: 0 };
  try {
    const result = await engines.run({ kind: 'assemble', source, changes });
    if (result.kind === 'assembled') return result;
    const reason = result.kind === 'refused' ? result.message : 'the engine gave another kind of result';
    return { bytes: null, applied: 0, skipped: changes.length, reason };
  } catch (error) {
    if (error instanceof EngineEnded) {
      return { bytes: null, applied: 0, skipped: changes.length, reason: error.message };
    }
    throw error;
  }
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
