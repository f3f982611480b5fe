import { createHash, randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { limitsImageSizeBytes, type OpenCommand, ServiceError } from '../../client/protocol/index.ts';
import { pictureType } from '../../converter/engines/ooxml/package/pictures.ts';
import type { Media, MediaLimits } from '../../db/media.ts';
import type { Config } from '../../platform/config.ts';
import { DownloadError, download } from '../../platform/outgoing/download.ts';
import type { HttpClient } from '../../platform/outgoing/http-client.ts';
import { Deadline } from '../../platform/outgoing/limits.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import { QuireError } from '../../platform/quire-error.ts';
import type { Claims, Tokens } from '../../platform/secrets/tokens.ts';

/** A picture beside a document: its name in the model and the blob that holds it. */
interface StoredPicture {
  path: string;
  hash: string;
}

/**
 * What people may put into one document while it is open, and each of them: an opening names each picture, and the document is
 * saved with all of them.
 */
const pictureLimits: MediaLimits = {
  document: { count: 5_000, bytes: 1_073_741_824 },
  person: { count: 2_500, bytes: 536_870_912 },
};

/** Pictures that editors put into documents, stored by content. */
export class DocumentPictures {
  readonly #blobs: BlobStore;
  readonly #media: Media;

  constructor(blobs: BlobStore, media: Media) {
    this.#blobs = blobs;
    this.#media = media;
  }

  /**
   * `userId`: who puts the picture in, by the integrator's id. `unknown`: the bytes are no picture
   * that a document can hold; names do not count. `full`: it, or this person, has as much as may be.
   */
  async add(key: string, bytes: Uint8Array, userId: string): Promise<StoredPicture | 'unknown' | 'full'> {
    const type = pictureType(bytes);
    if (!type) return 'unknown';
    const hash = createHash('sha256').update(bytes).digest('hex');
    const path = `media/${hash.slice(0, 32)}.${type.replace('image/', '')}`;
    const picture = { path, hash, bytes: bytes.length, userId };
    // What is refused is not stored first.
    if (!(await this.#media.takes(key, picture, pictureLimits))) return 'full';
    await this.#blobs.put(bytes);
    return (await this.#media.add(key, picture, pictureLimits)) ? { path, hash } : 'full';
  }
}

export interface RemotePicturesDependencies {
  config: Config;
  /** This process' own. */
  workDirectory: string;
  http: HttpClient;
  tokens: Tokens;
  pictures: DocumentPictures;
  log: Logger;
}

/** One picture of a command: stored, or the number of what was wrong with it. */
export type FetchedPicture = StoredPicture | { errorCode: ServiceError };

/** So many pictures are fetched for one command. */
const maxPicturesPerCommand = 50;

/** The whole command is refused. */
export class PicturesRefused extends QuireError {
  readonly serviceError: ServiceError;

  constructor(serviceError: ServiceError, message: string) {
    super('pictures-refused', message, { level: 'info' });
    this.serviceError = serviceError;
  }
}

/**
 * Pictures by address, for the command `imgurls` (co-authoring protocol, 9.5): this server fetches them, so that
 * browsers need no access to the storage and give their credentials to nobody. An address in the command's token
 * (`{images: [{url}]}` or `{url}`; integration API, 12.4) is fetched as the integrator's own; any other must be public.
 */
export class RemotePictures {
  readonly #deps: RemotePicturesDependencies;
  readonly #incoming: string;

  constructor(dependencies: RemotePicturesDependencies) {
    this.#deps = dependencies;
    this.#incoming = path.join(dependencies.workDirectory, 'incoming');
  }

  /**
   * Fetches and stores the pictures, in the order asked for. They count for `userId`, who asks for them, as uploads do.
   * @throws PicturesRefused for a token that is wrong, and for too many pictures
   */
  async add(key: string, { data, tokenDownload }: OpenCommand, userId: string): Promise<FetchedPicture[]> {
    const addresses = Array.isArray(data) ? data.map(String) : [];
    if (addresses.length > maxPicturesPerCommand) {
      throw new PicturesRefused(ServiceError.uploadCount, `More than ${maxPicturesPerCommand} pictures`);
    }
    const vouched = await this.#vouchedAddresses(tokenDownload);
    const deadline = new Deadline(this.#deps.config.downloadTimeoutMs);
    try {
      const fetched: FetchedPicture[] = [];
      for (const address of addresses) {
        const bytes = () => this.#bytesOf(address, vouched.has(address), deadline.signal);
        fetched.push(await this.#addOne(key, userId, bytes));
      }
      return fetched;
    } finally {
      deadline.release();
    }
  }

  async #vouchedAddresses(token: string | null | undefined): Promise<ReadonlySet<string>> {
    if (!token) return new Set();
    const verified = await this.#deps.tokens.verifyInbox(token);
    if (verified.kind !== 'ok') {
      const expired = verified.kind === 'expired';
      throw new PicturesRefused(
        expired ? ServiceError.keyExpired : ServiceError.verificationKey,
        verified.reason,
      );
    }
    const { images, url } = verified.claims;
    const listed = Array.isArray(images) ? images.map((image: Claims | null) => image?.url) : [];
    return new Set([...listed, url].filter((address) => typeof address === 'string'));
  }

  async #addOne(key: string, userId: string, read: () => Promise<Buffer>): Promise<FetchedPicture> {
    try {
      const bytes = await read();
      if (bytes.length > limitsImageSizeBytes) return { errorCode: ServiceError.uploadSize };
      const added = await this.#deps.pictures.add(key, bytes, userId);
      if (added === 'unknown') return { errorCode: ServiceError.uploadExtension };
      return added === 'full' ? { errorCode: ServiceError.uploadCount } : added;
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      const { message: reason, level } = error;
      this.#deps.log[level]({ documentKey: key, reason }, 'A picture could not be fetched');
      return { errorCode: error.code === 'size' ? ServiceError.uploadSize : ServiceError.uploadUrl };
    }
  }

  async #bytesOf(address: string, isVouched: boolean, signal: AbortSignal): Promise<Buffer> {
    return inlineBytes(address) ?? (await this.#fetch(address, isVouched, signal));
  }

  async #fetch(url: string, isVouched: boolean, signal: AbortSignal): Promise<Buffer> {
    const { http, tokens, config } = this.#deps;
    const file = path.join(this.#incoming, randomUUID());
    try {
      await download(http, {
        url,
        file,
        headers: isVouched ? await tokens.downloadHeaders(url) : {},
        fromVerifiedToken: isVouched,
        maxSizeBytes: limitsImageSizeBytes,
        timeoutMs: config.downloadTimeoutMs,
        signal,
      });
      return await readFile(file);
    } finally {
      await rm(file, { force: true });
    }
  }
}

/** The bytes that a `data:` address holds itself; null for any other. */
function inlineBytes(address: string): Buffer | null {
  const inline = /^data:[^,;]*;base64,/i.exec(address);
  return inline && Buffer.from(address.slice(inline[0].length), 'base64');
}
