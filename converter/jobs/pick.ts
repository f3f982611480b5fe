import { ServiceError } from '../../client/protocol/index.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { EnginePool } from '../engines/engine-pool.ts';
import { ConversionError } from '../errors.ts';

export interface PickDependencies {
  blobs: Pick<BlobStore, 'read' | 'put'>;
  engines: Pick<EnginePool, 'run'>;
  /** Longest an engine may work, milliseconds. */
  openingTimeoutMs?: number;
}

/** What was picked, as a blob of JSON, or why there is nothing. */
export type Picked = { ok: true; hash: string } | { ok: false; errorCode: number };

/** Picks from an opened document what a wish (a blob of JSON) names, as the engine of its model understands it. */
export async function pickFromModel(
  { model, modelHash, wishHash }: { model: string; modelHash: string; wishHash: string },
  { blobs, engines, openingTimeoutMs }: PickDependencies,
): Promise<Picked> {
  const [source, wish] = await Promise.all([blobs.read(modelHash), blobs.read(wishHash)]);
  try {
    const result = await engines.run({ kind: 'pick', model, source, wish }, openingTimeoutMs);
    if (result.kind === 'refused') throw new ConversionError(result.error, result.message);
    if (result.kind !== 'picked') throw new Error(`an engine picked and gave ${result.kind}`);
    return { ok: true, hash: (await blobs.put(result.bytes)).hash };
  } catch (error) {
    if (error instanceof ConversionError) return { ok: false, errorCode: error.serviceError };
    throw error;
  }
}

/** A pick that did not end in time. */
export const pickTimedOut: Picked = { ok: false, errorCode: ServiceError.convertTimeout };
