import {
  blobKey,
  copyableBytes,
  type ListedObject,
  listedBlob,
  removedKey,
  type S3Bucket,
} from './s3-bucket.ts';

type Unreferenced = (hashes: readonly string[]) => Promise<readonly string[]>;

/**
 * Removes old blobs that are named nowhere, in two steps, since a bucket cannot say "if nobody has stored it again
 * meanwhile". At first a blob becomes `removed/<hash>`, from where whoever misses it takes it back; as old as that again
 * it is deleted if it is still named nowhere, and else comes back. An object that is too large to be copied is kept.
 *
 * @param limitMs what was stored before this time is old, milliseconds since 1970
 * @returns how many blobs were taken out of their places
 */
export async function pruneBucket(
  bucket: S3Bucket,
  limitMs: number,
  unreferenced: Unreferenced,
  isEnough: () => boolean,
): Promise<number> {
  await deleteRemoved(bucket, limitMs, unreferenced, isEnough);
  let removed = 0;
  for await (const page of bucket.list('blobs/')) {
    if (isEnough()) break;
    const old = page.filter((one) => isOld(one, limitMs) && one.sizeBytes <= copyableBytes);
    const hashes = old.flatMap((one) => listedBlob(one)?.hash ?? []);
    for (const hash of hashes.length > 0 ? await unreferenced(hashes) : []) {
      removed += Number(await setAside(bucket, hash, limitMs));
    }
  }
  return removed;
}

async function setAside(bucket: S3Bucket, hash: string, limitMs: number): Promise<boolean> {
  const facts = await bucket.facts(blobKey(hash));
  if (!facts || !isOld(facts, limitMs)) return false;
  if (!(await bucket.copy(blobKey(hash), removedKey(hash)))) return false;
  await bucket.delete(blobKey(hash));
  return true;
}

async function deleteRemoved(
  bucket: S3Bucket,
  limitMs: number,
  unreferenced: Unreferenced,
  isEnough: () => boolean,
): Promise<void> {
  for await (const page of bucket.list('removed/')) {
    if (isEnough()) return;
    const hashes = page
      .filter((one) => isOld(one, limitMs))
      .flatMap(({ key }) => /^removed\/([0-9a-f]{64})$/.exec(key)?.[1] ?? []);
    const gone = new Set(hashes.length > 0 ? await unreferenced(hashes) : []);
    for (const hash of hashes) {
      if (!gone.has(hash) && !(await bucket.facts(blobKey(hash)))) {
        await bucket.copy(removedKey(hash), blobKey(hash));
      }
      await bucket.delete(removedKey(hash));
    }
  }
}

const isOld = ({ storedAtMs }: Pick<ListedObject, 'storedAtMs'>, limitMs: number): boolean =>
  storedAtMs <= limitMs;
