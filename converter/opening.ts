import { documentFile } from '../client/protocol/index.ts';
import type { DocumentModel } from '../db/document-row.ts';
import type { OpenedSource, OpenedSources } from '../db/opened-sources.ts';
import type { BlobStore } from '../services/ports/blob-store.ts';
import { EngineEnded, EngineFault, type EnginePool } from './engine-pool.ts';
import { CONVERSION_ERROR } from './errors.ts';

export interface OpeningDependencies {
  openedSources: OpenedSources;
  blobs: BlobStore;
  engines: EnginePool;
}

/** Turns a source into an editor model and its media, and puts the outcome on record: also that it cannot be done. */
export async function openSource(
  job: { sourceHash: string; model: DocumentModel; fileType: string },
  dependencies: OpeningDependencies,
): Promise<OpenedSource> {
  const opened = await convert(job, dependencies);
  await dependencies.openedSources.store(job.sourceHash, job.model, opened);
  return opened;
}

async function convert(
  { sourceHash, fileType }: { sourceHash: string; fileType: string },
  { blobs, engines }: OpeningDependencies,
): Promise<OpenedSource> {
  if (!fileType.startsWith('do')) return { ok: false, errorCode: CONVERSION_ERROR.unknownFormat };
  try {
    const result = await engines.run({ kind: 'open', source: await blobs.read(sourceHash) });
    if (result.kind === 'refused') return { ok: false, errorCode: result.errorCode };
    if (result.kind !== 'opened') throw new Error(`an engine opened a file and gave ${result.kind}`);
    const files: Record<string, string> = {};
    for (const [path, bytes] of result.media) files[path] = (await blobs.put(bytes)).hash;
    files[documentFile] = (await blobs.put(Buffer.from(result.model))).hash;
    return { ok: true, files };
  } catch (error) {
    if (error instanceof EngineEnded) return { ok: false, errorCode: CONVERSION_ERROR.limits };
    if (error instanceof EngineFault) return { ok: false, errorCode: CONVERSION_ERROR.convert };
    throw error;
  }
}
