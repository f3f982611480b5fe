import { randomUUID } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import type { SentFileRecords } from '../../db/sent-file-records.ts';
import type { Config } from '../../platform/config.ts';
import { SizeLimit } from '../../platform/outgoing/limits.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';

/** A file that an editor has sent in whole, and its beginning, which says what it is. */
export interface SentFile {
  hash: string;
  start: string;
}

/** A file whose parts did not all come within this time is given up. */
const lapseMs = 600_000;
const startBytes = 16;

/**
 * Files that editors send in parts, one request after the other (integration API, 11.2), each to any node: parts are blobs,
 * and the database knows their order.
 */
export class SentFiles {
  readonly #records: SentFileRecords;
  readonly #maxBytes: number;
  readonly #blobs: BlobStore;

  constructor(
    records: SentFileRecords,
    { maxDownloadSizeBytes }: Pick<Config, 'maxDownloadSizeBytes'>,
    blobs: BlobStore,
  ) {
    this.#records = records;
    this.#maxBytes = maxDownloadSizeBytes;
    this.#blobs = blobs;
  }

  /** Begins a file; the key by which the parts that follow are added to it. */
  async begin(owner: string): Promise<string> {
    const key = randomUUID();
    await this.#records.begin(key, owner, lapseMs);
    return key;
  }

  /**
   * Adds a part. False when there is no such file of this owner.
   * @throws RequestError when the file gets too large; it is given up then
   */
  async add(key: string, owner: string, part: Readable): Promise<boolean> {
    const present = await this.#records.find(key, owner);
    if (!present) return false;
    const limited = new SizeLimit(Math.max(0, this.#maxBytes - present.sizeBytes));
    // An error of either end destroys the other, and ends the storing.
    pipeline(part, limited, () => undefined);
    try {
      const stored = await this.#blobs.put(limited);
      if (stored.sizeBytes > 0) await this.#records.add(key, stored);
      return true;
    } catch (error) {
      await this.#records.remove(key);
      throw error;
    }
  }

  /** The whole file; null when nothing was sent. */
  async end(key: string, owner: string): Promise<SentFile | null> {
    const sent = await this.#records.find(key, owner);
    if (!sent) return null;
    await this.#records.remove(key);
    const [first, ...more] = sent.hashes;
    if (first === undefined) return null;
    const { hash } = more.length === 0 ? { hash: first } : await this.#blobs.put(this.#joined(sent.hashes));
    return { hash, start: await this.#startOf(hash) };
  }

  async *#joined(hashes: readonly string[]): AsyncIterable<Uint8Array> {
    for (const hash of hashes) {
      const stream = await this.#blobs.open(hash);
      if (!stream) throw new Error('A part of a file is gone');
      yield* stream;
    }
  }

  async #startOf(hash: string): Promise<string> {
    const stream = await this.#blobs.open(hash, { start: 0, end: startBytes - 1 });
    const chunks: Buffer[] = [];
    for await (const chunk of stream ?? Readable.from([])) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('latin1');
  }
}
