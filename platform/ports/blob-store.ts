import type { Readable } from 'node:stream';
import { QuireError } from '../quire-error.ts';

/** A stored blob. `hash` is the SHA-256 of its content in lower-case hex, and its only name. */
export interface StoredBlob {
  hash: string;
  sizeBytes: number;
}

/** Bytes of a blob as asked for: `end` is included, and both count from 0. */
export interface BlobRange {
  start: number;
  end: number;
}

/** Content to store. A stream is consumed; it is destroyed when storing fails. */
export type BlobContent = Uint8Array | Readable | AsyncIterable<Uint8Array>;

/**
 * Files named by their content. A blob never changes; storing the same content twice keeps one copy.
 *
 * What `put` and `putFile` have resolved survives a power cut, and what they have not resolved is never seen.
 * A hash that is not 64 lower-case hex digits names nothing.
 *
 * Only callers that know that nothing refers to a blob any more may delete it: the store does not count references.
 */
export interface BlobStore {
  put(content: BlobContent): Promise<StoredBlob>;
  /**
   * Takes over a complete file, without copying where the store is on the same file system. The file is gone
   * afterwards, also when storing fails. `known` is trusted and saves reading it.
   */
  putFile(path: string, known?: StoredBlob): Promise<StoredBlob>;
  /** Size in bytes, or undefined when there is no such blob. */
  sizeOf(hash: string): Promise<number | undefined>;
  /**
   * A stream of the blob or of a range of it, or undefined when there is no such blob. The caller reads it to
   * the end or destroys it.
   */
  open(hash: string, range?: BlobRange): Promise<Readable | undefined>;
  /**
   * The whole blob, compared with its hash.
   * @throws BlobMissingError, BlobDamagedError
   */
  read(hash: string): Promise<Buffer>;
  /** Deleting what is not there succeeds. */
  delete(hash: string): Promise<void>;
  /** Removes what interrupted writes left more than `olderThanMs` ago. Resolves to the number removed. */
  sweep(olderThanMs: number): Promise<number>;
}

/** A store with what its owners need beside what users of blobs need. */
export interface OwnedBlobStore extends BlobStore {
  /**
   * Removes blobs that were not stored, or stored again, for `olderThanMs` and that `unreferenced` says are named
   * nowhere. It is asked for some hundreds at a time; `isEnough` ends the walk. Returns how many were removed. A blob
   * that is stored again at this very moment is not lost.
   */
  prune(
    olderThanMs: number,
    unreferenced: (hashes: readonly string[]) => Promise<readonly string[]>,
    isEnough?: () => boolean,
  ): Promise<number>;
  /** Every blob there is, ordered by hash. What is stored meanwhile may be among them or not. */
  all(): AsyncIterable<StoredBlob>;
  /** Present where clients can be sent to the store itself. */
  readonly directLinks?: DirectLinks;
}

/** Addresses at which a client gets blobs from the store itself, without this server in between. */
export interface DirectLinks {
  /** An address that works for `lifeS` seconds, at least one, for GET, with the given headers in the answer. */
  linkTo(
    hash: string,
    headers: { contentType: string; contentDisposition: string },
    lifeS: number,
  ): Promise<string>;
}

/** Why a store cannot do what it is asked for. */
export type StoreFailure =
  | 'unreachable'
  | 'timeout'
  | 'no-bucket'
  | 'credentials'
  | 'denied'
  | 'clock'
  | 'region'
  | 'overloaded'
  | 'refused';

/** The store cannot be used at present. `message` names the cause and may be logged; `status` is for HTTP. */
export class BlobStoreUnavailableError extends QuireError<StoreFailure> {
  readonly status = 503;

  constructor(code: StoreFailure, message: string, options?: ErrorOptions) {
    super(code, message, { ...options, retryable: true, level: 'error' });
  }
}

/** No blob has this hash. */
export class BlobMissingError extends QuireError {
  readonly hash: string;

  constructor(hash: string) {
    super('blob-missing', `No blob ${hash}`, { level: 'error' });
    this.hash = hash;
  }
}

/** The bytes stored under this hash are not the ones that were stored. */
export class BlobDamagedError extends QuireError {
  readonly hash: string;

  constructor(hash: string) {
    super('blob-damaged', `Blob ${hash} is damaged`, { level: 'error' });
    this.hash = hash;
  }
}

const hashPattern = /^[0-9a-f]{64}$/;

/** Whether a text has the form of a blob's hash. */
export function isBlobHash(text: unknown): text is string {
  return typeof text === 'string' && hashPattern.test(text);
}
