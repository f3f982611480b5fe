import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  type BlobContent,
  BlobDamagedError,
  BlobMissingError,
  type BlobRange,
  type DirectLinks,
  isBlobHash,
  type OwnedBlobStore,
  type StoredBlob,
} from '../../ports/blob-store.ts';
import {
  blobKey,
  copyableBytes,
  type ListedObject,
  listedBlob,
  onePieceBytes,
  removedKey,
  type S3Bucket,
} from './s3-bucket.ts';

/** Content that was stored longer ago than this is sent again when it is stored again, so that it counts as young. */
const freshForMs = 600_000;

/**
 * Blobs as objects `<prefix>blobs/<hash>` of a bucket. Content whose hash is not known yet is held in memory while it is
 * small, and else in a file on this machine: an object is sent under its own name only, and is seen when it is complete.
 */
export class S3BlobStore implements OwnedBlobStore {
  readonly directLinks?: DirectLinks;
  readonly #bucket: S3Bucket;
  readonly #unsent: string;
  readonly #now: () => number;

  /** `unsent` is a directory for files on their way; `now` is the time in milliseconds since 1970. */
  constructor(bucket: S3Bucket, unsent: string, directLinks?: DirectLinks, now: () => number = Date.now) {
    this.#bucket = bucket;
    this.#unsent = unsent;
    this.#now = now;
    if (directLinks) this.directLinks = directLinks;
  }

  async put(content: BlobContent): Promise<StoredBlob> {
    if (content instanceof Uint8Array) return this.#putBytes(content);
    const file = path.join(this.#unsent, randomUUID());
    try {
      const received = await receive(content, file);
      if ('bytes' in received) return await this.#putBytes(received.bytes);
      return await this.#send(received.blob, () => this.#sendFile(file, received.blob));
    } finally {
      await rm(file, { force: true });
      if (content instanceof Readable) content.destroy();
    }
  }

  async putFile(file: string, known?: StoredBlob): Promise<StoredBlob> {
    try {
      const blob = known ?? (await hashFile(file));
      if (!isBlobHash(blob.hash)) throw new TypeError(`Not a hash: ${blob.hash}`);
      return await this.#send(blob, () => this.#sendFile(file, blob));
    } finally {
      await rm(file, { force: true });
    }
  }

  async sizeOf(hash: string): Promise<number | undefined> {
    if (!isBlobHash(hash)) return undefined;
    const facts = await this.#bucket.facts(blobKey(hash));
    if (facts) return facts.sizeBytes;
    return (await this.#restored(hash)) ? (await this.#bucket.facts(blobKey(hash)))?.sizeBytes : undefined;
  }

  async open(hash: string, range?: BlobRange): Promise<Readable | undefined> {
    if (!isBlobHash(hash)) return undefined;
    const found = await this.#bucket.get(blobKey(hash), range);
    if (found) return found;
    return (await this.#restored(hash)) ? this.#bucket.get(blobKey(hash), range) : undefined;
  }

  async read(hash: string): Promise<Buffer> {
    const content = await this.#readWhole(hash);
    if (!content) throw new BlobMissingError(hash);
    if (hashOf(content) !== hash) throw new BlobDamagedError(hash);
    return content;
  }

  async delete(hash: string): Promise<void> {
    if (!isBlobHash(hash)) return;
    await this.#bucket.delete(blobKey(hash));
    await this.#bucket.delete(removedKey(hash));
  }

  async sweep(olderThanMs: number): Promise<number> {
    const limitMs = this.#now() - olderThanMs;
    let removed = await this.#bucket.abortUploads(limitMs);
    for (const name of await readdir(this.#unsent).catch(() => [])) {
      const file = path.join(this.#unsent, name);
      const found = await stat(file).catch(() => null);
      if (!found || found.mtimeMs > limitMs) continue;
      await rm(file, { force: true });
      removed += 1;
    }
    return removed;
  }

  prune(
    olderThanMs: number,
    unreferenced: (hashes: readonly string[]) => Promise<readonly string[]>,
    isEnough: () => boolean = () => false,
  ): Promise<number> {
    return pruneBucket(this.#bucket, this.#now() - olderThanMs, unreferenced, isEnough);
  }

  async *all(): AsyncGenerator<StoredBlob> {
    for await (const page of this.#bucket.list('blobs/')) {
      for (const object of page) {
        const blob = listedBlob(object);
        if (blob) yield blob;
      }
    }
  }

  async #putBytes(content: Uint8Array): Promise<StoredBlob> {
    const blob = { hash: hashOf(content), sizeBytes: content.byteLength };
    return this.#send(blob, () => this.#bucket.put(blobKey(blob.hash), content, blob.hash));
  }

  /** Sends content unless the store has it, complete and so young that it will not be removed soon. */
  async #send({ hash, sizeBytes }: StoredBlob, send: () => Promise<void>): Promise<StoredBlob> {
    const present = await this.#bucket.facts(blobKey(hash));
    const isFresh = present?.sizeBytes === sizeBytes && this.#now() - present.storedAtMs < freshForMs;
    if (!isFresh) await send();
    return { hash, sizeBytes };
  }

  async #sendFile(file: string, { hash, sizeBytes }: StoredBlob): Promise<void> {
    const key = blobKey(hash);
    if (sizeBytes <= onePieceBytes) return this.#bucket.put(key, await readFile(file), hash);
    const content = createReadStream(file);
    try {
      await this.#bucket.putParts(key, content, sizeBytes);
    } finally {
      content.destroy();
    }
  }

  /** Whether a blob that is not in its place had been removed a short time ago, and is there again. */
  async #restored(hash: string): Promise<boolean> {
    return this.#bucket.copy(removedKey(hash), blobKey(hash));
  }

  /** A connection that breaks within an answer is nothing that the client tries again. */
  async #readWhole(hash: string): Promise<Buffer | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      const stream = await this.open(hash);
      if (!stream) return undefined;
      try {
        return await buffer(stream);
      } catch (error) {
        if (attempt >= this.#bucket.attempts) return this.#bucket.asked(() => Promise.reject(error));
      }
    }
  }
}

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Reads content to its end: into memory, or into a file as soon as it is too large for one request. */
async function receive(
  content: Exclude<BlobContent, Uint8Array>,
  file: string,
): Promise<{ bytes: Uint8Array } | { blob: StoredBlob }> {
  const hash = createHash('sha256');
  let held: Uint8Array[] = [];
  let sizeBytes = 0;
  let handle: Awaited<ReturnType<typeof open>> | undefined;
  try {
    for await (const chunk of content as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      sizeBytes += chunk.byteLength;
      held.push(chunk);
      if (!handle && sizeBytes <= onePieceBytes) continue;
      handle ??= await create(file);
      for (const part of held) await handle.writeFile(part);
      held = [];
    }
  } finally {
    await handle?.close();
  }
  return handle ? { blob: { hash: hash.digest('hex'), sizeBytes } } : { bytes: Buffer.concat(held) };
}

async function create(file: string) {
  await mkdir(path.dirname(file), { recursive: true });
  return open(file, 'wx', 0o600);
}

async function hashFile(file: string): Promise<StoredBlob> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    sizeBytes += chunk.byteLength;
  }
  return { hash: hash.digest('hex'), sizeBytes };
}

type Unreferenced = (hashes: readonly string[]) => Promise<readonly string[]>;

/**
 * Removes old blobs that are named nowhere, in two steps, since a bucket cannot say "if nobody has stored it again
 * meanwhile". At first a blob becomes `removed/<hash>`, from where a reader that misses it takes it back; as old as that again
 * it is deleted if it is still named nowhere, and else comes back. An object that is too large to be copied is kept.
 *
 * @param limitMs what was stored before this time is old, milliseconds since 1970
 * @returns how many blobs were taken out of their places
 */
async function pruneBucket(
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
