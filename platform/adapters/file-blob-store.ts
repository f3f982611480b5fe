import { createHash, randomBytes } from 'node:crypto';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import {
  type BlobContent,
  BlobDamagedError,
  BlobMissingError,
  type BlobRange,
  isBlobHash,
  type OwnedBlobStore,
  type StoredBlob,
} from '../ports/blob-store.ts';

const rememberedHashes = 10_000;
/** A blob that was stored this short a time ago is no younger for being stored again. Prunings leave much older ones alone. */
const youngMs = 10_000;
/** How often a blob is put in its place whose directory is removed at that moment. */
const mostPlacings = 20;

/** Where files are kept that all nodes have in common. */
export const blobDirectory = ({
  blobDir,
  dataDir,
}: {
  blobDir: string | undefined;
  dataDir: string;
}): string => blobDir ?? path.join(dataDir, 'blobs');

/**
 * Blobs as files: `<root>/ab/cd/<hash>`, where `ab` and `cd` begin the hash, so that no directory grows past
 * some thousands of entries. A blob is written to `<root>/incoming`, synced, renamed into place, and its
 * directory is synced: whatever a crash interrupts is a file in `incoming`, which {@link sweep} removes.
 * Several processes may share a root.
 */
export class FileBlobStore implements OwnedBlobStore {
  readonly #root: string;
  readonly #incoming: string;
  readonly #now: () => number;
  /** Directories this process has seen on disk, parents synced, and which ones they were: an empty one may be removed and made anew. */
  readonly #durableDirectories = new Map<string, string>();

  /** Blobs that this process has put in place and synced: the same content need not be written again. */
  readonly #installed = new Set<string>();

  /** `root` is created when something is stored. `now` is the time in milliseconds since 1970. */
  constructor(root: string, now: () => number = Date.now) {
    this.#root = root;
    this.#incoming = path.join(this.#root, 'incoming');
    this.#now = now;
  }

  async put(content: BlobContent): Promise<StoredBlob> {
    if (content instanceof Uint8Array && this.#installed.size > 0) {
      const hash = createHash('sha256').update(content).digest('hex');
      const blob = { hash, sizeBytes: content.byteLength };
      if (await this.#isKept(blob)) return blob;
    }
    const temporary = await this.#temporaryPath();
    try {
      return await this.#install(temporary, await writeHashed(temporary, content));
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async putFile(file: string, known?: StoredBlob): Promise<StoredBlob> {
    const blob = known ?? (await hashFile(file));
    if (!isBlobHash(blob.hash)) throw new TypeError(`Not a hash: ${blob.hash}`);
    if (await this.#isKept(blob)) {
      await rm(file);
      return { hash: blob.hash, sizeBytes: blob.sizeBytes };
    }
    const temporary = await this.#temporaryPath();
    try {
      await move(file, temporary);
      await sync(temporary);
      return await this.#install(temporary, blob);
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async sizeOf(hash: string): Promise<number | undefined> {
    if (!isBlobHash(hash)) return undefined;
    return (await absentAsUndefined(stat(this.#pathOf(hash))))?.size;
  }

  async open(hash: string, range?: BlobRange): Promise<Readable | undefined> {
    if (!isBlobHash(hash)) return undefined;
    const handle = await absentAsUndefined(open(this.#pathOf(hash), 'r'));
    return handle?.createReadStream({ autoClose: true, ...range });
  }

  async read(hash: string): Promise<Buffer> {
    const content = isBlobHash(hash) ? await absentAsUndefined(readFile(this.#pathOf(hash))) : undefined;
    if (!content) throw new BlobMissingError(hash);
    if (createHash('sha256').update(content).digest('hex') !== hash) throw new BlobDamagedError(hash);
    return content;
  }

  async delete(hash: string): Promise<void> {
    if (isBlobHash(hash)) await rm(this.#pathOf(hash), { force: true });
  }

  async sweep(olderThanMs: number): Promise<number> {
    const limitMs = this.#now() - olderThanMs;
    let removed = 0;
    for (const name of (await absentAsUndefined(readdir(this.#incoming))) ?? []) {
      const file = path.join(this.#incoming, name);
      const found = await absentAsUndefined(stat(file));
      if (!found || found.mtimeMs > limitMs) continue;
      await rm(file, { force: true });
      removed += 1;
    }
    return removed;
  }

  async *all(): AsyncGenerator<StoredBlob> {
    for (const directory of await this.#directories()) {
      for (const hash of await namesIn(directory)) {
        const sizeBytes = await this.sizeOf(hash);
        if (sizeBytes !== undefined) yield { hash, sizeBytes };
      }
    }
  }

  /**
   * A blob is moved away before it is removed, and comes back when its time has changed meanwhile. Directories that are
   * empty are removed too.
   */
  async prune(
    olderThanMs: number,
    unreferenced: (hashes: readonly string[]) => Promise<readonly string[]>,
    isEnough: () => boolean = () => false,
  ): Promise<number> {
    const limitMs = this.#now() - olderThanMs;
    let removed = 0;
    for (const top of await namesIn(this.#root)) {
      if (isEnough()) break;
      if (!/^[0-9a-f]{2}$/.test(top)) continue;
      const directory = path.join(this.#root, top);
      const subs = (await namesIn(directory)).map((sub) => path.join(directory, sub));
      const old: string[] = [];
      for (const sub of subs) {
        for (const hash of await namesIn(sub)) {
          if (isBlobHash(hash) && (await this.#isOlder(this.#pathOf(hash), limitMs))) old.push(hash);
        }
      }
      const unnamed = old.length === 0 ? [] : await unreferenced(old);
      for (const hash of unnamed) removed += Number(await this.#removeOld(hash, limitMs));
      for (const sub of subs) await removeIfEmpty(sub);
      await removeIfEmpty(directory);
    }
    return removed;
  }

  /** Those that hold blobs, in the order of their names. */
  async #directories(): Promise<string[]> {
    const directories: string[] = [];
    for (const top of await namesIn(this.#root)) {
      if (!/^[0-9a-f]{2}$/.test(top)) continue;
      const subs = await namesIn(path.join(this.#root, top));
      directories.push(...subs.map((sub) => path.join(this.#root, top, sub)));
    }
    return directories;
  }

  async #isOlder(file: string, limitMs: number): Promise<boolean> {
    const found = await absentAsUndefined(stat(file));
    return found !== undefined && found.mtimeMs <= limitMs;
  }

  async #removeOld(hash: string, limitMs: number): Promise<boolean> {
    const aside = await this.#temporaryPath();
    this.#installed.delete(hash);
    const moved = await absentAsUndefined(rename(this.#pathOf(hash), aside).then(() => true));
    if (!moved) return false;
    if (await this.#isOlder(aside, limitMs)) {
      await rm(aside, { force: true });
      return true;
    }
    await rename(aside, this.#pathOf(hash));
    return false;
  }

  /** Whether this process has stored the blob before and it is still there, from now on as young as if it were new. */
  async #isKept({ hash, sizeBytes }: StoredBlob): Promise<boolean> {
    if (!this.#installed.has(hash)) return false;
    const found = await absentAsUndefined(stat(this.#pathOf(hash)));
    if (found?.size !== sizeBytes) return false;
    if (found.mtimeMs > this.#now() - youngMs) return true;
    await this.#refresh(hash);
    return (await this.sizeOf(hash)) === sizeBytes;
  }

  /** Stored again: as young as if it were new. */
  async #refresh(hash: string): Promise<void> {
    const now = new Date(this.#now());
    await absentAsUndefined(utimes(this.#pathOf(hash), now, now));
  }

  #pathOf(hash: string): string {
    return path.join(this.#root, hash.slice(0, 2), hash.slice(2, 4), hash);
  }

  /** Whether a file is there in full: a pruning may have been at it a moment ago. */
  async #isWhole(file: string, { sizeBytes }: StoredBlob): Promise<boolean> {
    return (await absentAsUndefined(stat(file)))?.size === sizeBytes;
  }

  async #temporaryPath(): Promise<string> {
    await this.#ensureDirectory(this.#incoming);
    return path.join(this.#incoming, randomBytes(12).toString('hex'));
  }

  /** Puts a synced file in its place, also when its directory was empty and is removed at this moment. */
  async #install(temporary: string, blob: StoredBlob): Promise<StoredBlob> {
    for (let placing = 1; ; placing += 1) {
      try {
        return await this.#place(temporary, blob);
      } catch (error) {
        if (!isAbsence(error) || placing === mostPlacings) throw error;
      }
    }
  }

  /** A copy that is there is replaced only if it is not whole. */
  async #place(temporary: string, blob: StoredBlob): Promise<StoredBlob> {
    const target = this.#pathOf(blob.hash);
    const directory = path.dirname(target);
    await this.#ensureDirectory(directory);
    const present = await absentAsUndefined(stat(target));
    if (present?.size === blob.sizeBytes) await this.#refresh(blob.hash);
    if (!(await this.#isWhole(target, blob))) await rename(temporary, target);
    // Also when it was there: another process may have renamed it a moment ago and not have synced yet.
    await sync(directory);
    if (this.#installed.size >= rememberedHashes) this.#installed.clear();
    this.#installed.add(blob.hash);
    return { hash: blob.hash, sizeBytes: blob.sizeBytes };
  }

  /** A directory whose parents are known to be on disk needs only its own name to be synced. */
  async #ensureDirectory(directory: string): Promise<void> {
    if (await this.#isDurable(directory)) return;
    await mkdir(directory, { recursive: true });
    const made = new Map<string, string>();
    let at = directory;
    do {
      const identity = await identityOf(at);
      if (identity !== undefined) made.set(at, identity);
      await sync(path.dirname(at));
      at = path.dirname(at);
    } while (at !== path.dirname(this.#root) && !(await this.#isDurable(at)));
    for (const [one, identity] of made) this.#durableDirectories.set(one, identity);
  }

  async #isDurable(directory: string): Promise<boolean> {
    const known = this.#durableDirectories.get(directory);
    return known !== undefined && (await identityOf(directory)) === known;
  }
}

/** Which directory has this name now; undefined: none. */
async function identityOf(directory: string): Promise<string | undefined> {
  const found = await absentAsUndefined(stat(directory));
  return found && `${found.ino} ${found.birthtimeMs}`;
}

async function removeIfEmpty(directory: string): Promise<void> {
  try {
    await rmdir(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && !isAbsence(error)) throw error;
  }
}

async function writeHashed(file: string, content: BlobContent): Promise<StoredBlob> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const chunk of content instanceof Uint8Array ? [content] : content) {
      hash.update(chunk);
      sizeBytes += chunk.byteLength;
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
    if (content instanceof Readable) content.destroy();
  }
  return { hash: hash.digest('hex'), sizeBytes };
}

async function hashFile(file: string): Promise<StoredBlob> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const handle = await open(file, 'r');
  for await (const chunk of handle.createReadStream()) {
    hash.update(chunk);
    sizeBytes += chunk.byteLength;
  }
  return { hash: hash.digest('hex'), sizeBytes };
}

const namesIn = async (directory: string): Promise<string[]> =>
  ((await absentAsUndefined(readdir(directory))) ?? []).sort();

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EXDEV') throw err;
    await copyFile(from, to);
    await rm(from);
  }
}

/** Waits until a file's content, or a directory's entries, are on disk. */
async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r');
  await handle.sync().finally(() => handle.close());
}

async function absentAsUndefined<Value>(found: Promise<Value>): Promise<Value | undefined> {
  try {
    return await found;
  } catch (err) {
    if (isAbsence(err)) return undefined;
    throw err;
  }
}

/** Whether there was no file, or no directory, of that name. */
const isAbsence = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
