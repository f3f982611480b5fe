import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { DirectLinks } from '../../ports/blob-store.ts';
import { blobKey, type S3Bucket } from './s3-bucket.ts';

/** Presigned addresses of blobs, on the host name that clients reach the bucket under. */
export class S3DirectLinks implements DirectLinks {
  readonly #client: S3Client;
  readonly #bucket: S3Bucket;
  readonly #longestLifeS: number;

  /** `client` has the address that clients use. */
  constructor(client: S3Client, bucket: S3Bucket, longestLifeS: number) {
    this.#client = client;
    this.#bucket = bucket;
    this.#longestLifeS = longestLifeS;
  }

  async linkTo(
    hash: string,
    { contentType, contentDisposition }: { contentType: string; contentDisposition: string },
    lifeS: number,
  ): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#bucket.named(blobKey(hash)),
      ResponseContentType: contentType,
      ResponseContentDisposition: contentDisposition,
      ResponseCacheControl: `private, max-age=${lifeS}, immutable`,
    });
    const expiresIn = Math.max(1, Math.min(lifeS, this.#longestLifeS));
    return this.#bucket.asked(() => getSignedUrl(this.#client, command, { expiresIn }));
  }
}
