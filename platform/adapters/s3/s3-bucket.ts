import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { BlobRange, StoredBlob } from '../../ports/blob-store.ts';
import { asStoreError, isMissing } from './s3-error.ts';

/** Where objects are and how they are asked for. */
interface BucketOptions {
  name: string;
  /** What all names begin with. */
  prefix: string;
  /** The server, for messages. */
  at: string;
  /** Longest silence within one attempt, milliseconds. */
  timeoutMs: number;
  attempts: number;
  encryption: 'AES256' | 'aws:kms' | undefined;
  kmsKeyId: string | undefined;
}

/** What is known of an object without reading it. */
interface ObjectFacts {
  sizeBytes: number;
  /** When it was stored, milliseconds since 1970 by the store's clock. */
  storedAtMs: number;
}

export interface ListedObject extends ObjectFacts {
  key: string;
}

/** Content up to this size is sent in one request, and is held in memory for it, bytes. */
export const onePieceBytes = 8 * 1_048_576;
/** An upload has at most this many parts. */
const mostParts = 10_000;
const partsAtOnce = 2;
/** Largest object that the store copies in one request, bytes. */
export const copyableBytes = 5 * 1024 ** 3;

/** Names of objects, without the prefix of the bucket. */
export const blobKey = (hash: string): string => `blobs/${hash}`;
export const removedKey = (hash: string): string => `removed/${hash}`;

/** The objects of one bucket under one prefix. Every failure is thrown as a {@link BlobStoreUnavailableError}. */
export class S3Bucket {
  readonly #client: S3Client;
  readonly #options: BucketOptions;

  constructor(client: S3Client, options: BucketOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** For messages. */
  get description(): string {
    return `${this.#options.name} at ${this.#options.at}`;
  }

  get attempts(): number {
    return this.#options.attempts;
  }

  named(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#options.name, Key: this.#options.prefix + key };
  }

  /** Runs requests and names the cause when they fail. */
  async asked<Value>(request: () => Promise<Value>): Promise<Value> {
    try {
      return await request();
    } catch (error) {
      throw asStoreError(error, this.description);
    }
  }

  /** As {@link asked}; undefined where an object is missing. */
  async #askedFor<Value>(request: () => Promise<Value>): Promise<Value | undefined> {
    return this.asked(() =>
      request().catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      }),
    );
  }

  /** A missing bucket looks like a missing object here: the store tells them apart only in answers with a body. */
  async facts(key: string): Promise<ObjectFacts | undefined> {
    const found = await this.#askedFor(() => this.#client.send(new HeadObjectCommand(this.named(key))));
    return found && { sizeBytes: found.ContentLength ?? 0, storedAtMs: found.LastModified?.getTime() ?? 0 };
  }

  async get(key: string, range?: BlobRange): Promise<Readable | undefined> {
    const bytes = range && { Range: `bytes=${range.start}-${range.end}` };
    const found = await this.#askedFor(() =>
      this.#client.send(new GetObjectCommand({ ...this.named(key), ...bytes })),
    );
    return found?.Body as Readable | undefined;
  }

  /** Stores content in one request; the store compares it with its hash. */
  async put(key: string, content: Uint8Array, hash: string): Promise<void> {
    await this.asked(() =>
      this.#client.send(
        new PutObjectCommand({
          ...this.named(key),
          ...this.#encryption(),
          Body: content,
          ContentLength: content.byteLength,
          ContentType: 'application/octet-stream',
          ChecksumSHA256: Buffer.from(hash, 'hex').toString('base64'),
        }),
      ),
    );
  }

  /** Stores a stream of known size in parts, of which two are held in memory. It is seen when it is complete. */
  async putParts(key: string, content: Readable, sizeBytes: number): Promise<void> {
    const upload = new Upload({
      client: this.#client,
      params: {
        ...this.named(key),
        ...this.#encryption(),
        Body: content,
        ContentType: 'application/octet-stream',
      },
      partSize: Math.max(onePieceBytes, Math.ceil(sizeBytes / mostParts)),
      queueSize: partsAtOnce,
    });
    await this.asked(() => upload.done());
  }

  /** Copies an object within the store. False when it is missing. */
  async copy(from: string, to: string): Promise<boolean> {
    const { Bucket, Key } = this.named(from);
    const source = `${Bucket}/${Key.split('/').map(encodeURIComponent).join('/')}`;
    const copied = await this.#askedFor(() =>
      this.#client.send(
        new CopyObjectCommand({ ...this.named(to), ...this.#encryption(), CopySource: source }),
      ),
    );
    return copied !== undefined;
  }

  /** Deleting what is not there succeeds. */
  async delete(key: string): Promise<void> {
    await this.#askedFor(() => this.#client.send(new DeleteObjectCommand(this.named(key))));
  }

  /** The objects of a folder in the order of their names, a page at a time. */
  async *list(folder: string): AsyncGenerator<ListedObject[]> {
    const { name, prefix } = this.#options;
    for (let token: string | undefined; ; ) {
      const page = await this.asked(() =>
        this.#client.send(
          new ListObjectsV2Command({
            Bucket: name,
            Prefix: prefix + folder,
            ...(token !== undefined && { ContinuationToken: token }),
          }),
        ),
      );
      yield (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified }) => ({
        key: Key.slice(prefix.length),
        sizeBytes: Size,
        storedAtMs: LastModified?.getTime() ?? 0,
      }));
      token = page.NextContinuationToken;
      if (!page.IsTruncated || token === undefined) return;
    }
  }

  /** Ends uploads in parts that were begun before a time, milliseconds since 1970. Resolves to their number. */
  async abortUploads(beforeMs: number): Promise<number> {
    const { name, prefix } = this.#options;
    const { Uploads = [] } = await this.asked(() =>
      this.#client.send(new ListMultipartUploadsCommand({ Bucket: name, Prefix: prefix })),
    );
    const old = Uploads.filter(({ Initiated }) => (Initiated?.getTime() ?? 0) <= beforeMs);
    for (const { Key, UploadId } of old) {
      const upload = new AbortMultipartUploadCommand({ Bucket: name, Key, UploadId });
      await this.#askedFor(() => this.#client.send(upload));
    }
    return old.length;
  }

  #encryption() {
    const { encryption, kmsKeyId } = this.#options;
    if (encryption === undefined) return {};
    return { ServerSideEncryption: encryption, ...(kmsKeyId !== undefined && { SSEKMSKeyId: kmsKeyId }) };
  }
}

/** A blob that was listed; undefined for objects that are none. */
export function listedBlob({ key, sizeBytes }: ListedObject): StoredBlob | undefined {
  const hash = /^blobs\/([0-9a-f]{64})$/.exec(key)?.[1];
  return hash === undefined ? undefined : { hash, sizeBytes };
}
