import { createHash } from 'node:crypto';
import {
  BlobDamagedError,
  type BlobStore,
  type OwnedBlobStore,
  type StoredBlob,
} from '../ports/blob-store.ts';

/** How far a copying has come. */
export interface CopyProgress {
  copied: number;
  copiedBytes: number;
  /** Were in the target already, of the right size. */
  present: number;
  /** Hashes of blobs whose bytes are not the ones that were stored; they are left out. */
  damaged: string[];
}

interface CopyOptions {
  /** Whether blobs in the target are read back and compared with their hashes; damaged ones are copied again. */
  verify: boolean;
  /** How many blobs are copied at a time. */
  concurrency: number;
  onProgress?: (progress: CopyProgress) => void;
}

/**
 * Copies every blob from one store to another. Each is compared with its hash on its way, so that nothing damaged arrives.
 * Blobs that are there already are skipped, so an interrupted copy goes on where it stopped. Both stores may be in use
 * meanwhile.
 * @throws what a store throws when it cannot be used
 */
export async function copyBlobs(
  from: OwnedBlobStore,
  to: BlobStore,
  { verify, concurrency, onProgress }: CopyOptions,
): Promise<CopyProgress> {
  const progress: CopyProgress = { copied: 0, copiedBytes: 0, present: 0, damaged: [] };
  const blobs = from.all()[Symbol.asyncIterator]();
  const work = async () => {
    for (let next = await blobs.next(); !next.done; next = await blobs.next()) {
      await copyOne(from, to, next.value, verify, progress);
      onProgress?.(progress);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return progress;
}

async function copyOne(
  from: BlobStore,
  to: BlobStore,
  blob: StoredBlob,
  verify: boolean,
  progress: CopyProgress,
): Promise<void> {
  if (await isPresent(to, blob, verify)) {
    progress.present += 1;
    return;
  }
  const source = await from.open(blob.hash);
  // Removed since it was listed: nothing names it any more.
  if (!source) return;
  try {
    await to.put(checked(source, blob.hash));
    progress.copied += 1;
    progress.copiedBytes += blob.sizeBytes;
  } catch (error) {
    if (!(error instanceof BlobDamagedError)) throw error;
    progress.damaged.push(blob.hash);
    return;
  } finally {
    source.destroy();
  }
  if (verify) await to.read(blob.hash);
}

async function isPresent(to: BlobStore, { hash, sizeBytes }: StoredBlob, verify: boolean): Promise<boolean> {
  if ((await to.sizeOf(hash)) !== sizeBytes) return false;
  if (!verify) return true;
  try {
    await to.read(hash);
    return true;
  } catch (error) {
    if (!(error instanceof BlobDamagedError)) throw error;
    // Of the right size, it would pass for whole.
    await to.delete(hash);
    return false;
  }
}

/** The content as it is, with an error in place of its end when it is not what the hash says. */
async function* checked(content: AsyncIterable<Uint8Array>, expected: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== expected) throw new BlobDamagedError(expected);
}
