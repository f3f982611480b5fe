import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config.ts';
import { SizeLimit } from '../outgoing/size-limit.ts';
import type { BlobStore } from '../ports/blob-store.ts';

/** A file that an editor has sent in whole, and its beginning, which says what it is. */
export interface SentFile {
  hash: string;
  start: string;
}

/** A file whose parts did not all come within this time is given up. */
const lapseMs = 600_000;
const startBytes = 16;

interface Arriving {
  owner: string;
  file: string;
  timer: NodeJS.Timeout;
}

/** Files that editors send in parts, one request after the other (integration API, 11.2). They are kept on this node. */
export class SentFiles {
  readonly #directory: string;
  readonly #maxBytes: number;
  readonly #blobs: BlobStore;
  readonly #arriving = new Map<string, Arriving>();

  constructor(
    { dataDir, maxDownloadSizeBytes }: Pick<Config, 'dataDir' | 'maxDownloadSizeBytes'>,
    blobs: BlobStore,
  ) {
    this.#directory = path.join(dataDir, 'sent');
    this.#maxBytes = maxDownloadSizeBytes;
    this.#blobs = blobs;
  }

  /** Removes what a dead process left. To be called before anything is sent. */
  async clear(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Begins a file; the key by which the parts that follow are added to it. */
  async begin(owner: string): Promise<string> {
    await mkdir(this.#directory, { recursive: true });
    const key = randomUUID();
    const timer = setTimeout(() => void this.#drop(key), lapseMs);
    timer.unref();
    this.#arriving.set(key, { owner, file: path.join(this.#directory, key), timer });
    return key;
  }

  /**
   * Adds a part. False when there is no such file of this owner.
   * @throws RequestError when the file gets too large; it is given up then
   */
  async add(key: string, owner: string, part: Readable): Promise<boolean> {
    const arriving = this.#arriving.get(key);
    if (arriving?.owner !== owner) return false;
    arriving.timer.refresh();
    try {
      const { size } = await stat(arriving.file).catch(() => ({ size: 0 }));
      const file = createWriteStream(arriving.file, { flags: 'a', mode: 0o600 });
      await pipeline(part, new SizeLimit(Math.max(0, this.#maxBytes - size)), file);
      return true;
    } catch (error) {
      await this.#drop(key);
      throw error;
    }
  }

  /** The whole file; null when nothing was sent. */
  async end(key: string, owner: string): Promise<SentFile | null> {
    const arriving = this.#arriving.get(key);
    if (arriving?.owner !== owner) return null;
    this.#arriving.delete(key);
    clearTimeout(arriving.timer);
    const { size } = await stat(arriving.file).catch(() => ({ size: 0 }));
    if (size === 0) {
      await rm(arriving.file, { force: true });
      return null;
    }
    const start = await startOf(arriving.file);
    const { hash } = await this.#blobs.putFile(arriving.file);
    return { hash, start };
  }

  async #drop(key: string): Promise<void> {
    const arriving = this.#arriving.get(key);
    if (!arriving) return;
    this.#arriving.delete(key);
    clearTimeout(arriving.timer);
    await rm(arriving.file, { force: true });
  }
}

async function startOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(startBytes), 0, startBytes, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
