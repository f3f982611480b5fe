import path from 'node:path';
import { GetObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { HttpsProxyAgent } from 'https-proxy-agent';
import type { Config } from '../../config.ts';
import { proxyOfEnvironment } from '../../outgoing/proxies.ts';
import type { DirectLinks } from '../../ports/blob-store.ts';
import { limitWaitForHead } from './head-deadline.ts';
import { S3BlobStore } from './s3-blob-store.ts';
import { blobKey, S3Bucket } from './s3-bucket.ts';

/** What is read of the settings. */
export type S3Settings = Pick<
  Config,
  | 'dataDir'
  | 's3Endpoint'
  | 's3Region'
  | 's3Bucket'
  | 's3Prefix'
  | 's3PathStyle'
  | 's3AccessKeyId'
  | 's3SecretAccessKey'
  | 's3Encryption'
  | 's3KmsKeyId'
  | 's3TimeoutMs'
  | 's3Attempts'
  | 's3Links'
  | 's3PublicEndpoint'
  | 's3LinkLifeS'
>;

const connectTimeoutMs = 5_000;
const mostConnections = 64;

/** The store in the bucket of the settings. Nothing is sent before the store is used. */
export function openS3BlobStore(settings: S3Settings): S3BlobStore {
  const { s3Endpoint, s3PublicEndpoint, s3Links, s3LinkLifeS } = settings;
  const prefix = settings.s3Prefix ?? '';
  const name = settings.s3Bucket;
  if (name === undefined) throw new Error('BLOB_STORE=s3 needs S3_BUCKET');
  const bucket = new S3Bucket(clientOf(settings, s3Endpoint), {
    ...{ name, prefix },
    at: s3Endpoint ?? `AWS (${settings.s3Region})`,
    timeoutMs: settings.s3TimeoutMs,
    attempts: settings.s3Attempts,
    encryption: settings.s3Encryption === 'none' ? undefined : settings.s3Encryption,
    kmsKeyId: settings.s3KmsKeyId,
  });
  const links =
    s3Links === 'direct'
      ? new S3DirectLinks(clientOf(settings, s3PublicEndpoint ?? s3Endpoint), bucket, s3LinkLifeS)
      : undefined;
  return new S3BlobStore(bucket, path.join(settings.dataDir, 'unsent-blobs'), links);
}

function clientOf(settings: S3Settings, endpoint: string | undefined): S3Client {
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey, s3TimeoutMs } = settings;
  const agent = { keepAlive: true, maxSockets: mostConnections };
  const config: S3ClientConfig = {
    region: settings.s3Region,
    forcePathStyle: settings.s3PathStyle ?? endpoint !== undefined,
    maxAttempts: settings.s3Attempts,
    // What is stored names its SHA-256; servers other than AWS do not all know the checksums that are the default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: Math.min(connectTimeoutMs, s3TimeoutMs),
      socketTimeout: s3TimeoutMs,
      httpAgent: agent,
      httpsAgent: tunnelTo(settings, endpoint) ?? agent,
    },
  };
  if (endpoint !== undefined) config.endpoint = endpoint;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    config.credentials = { accessKeyId, secretAccessKey };
  }
  const client = new S3Client(config);
  limitWaitForHead(client, s3TimeoutMs);
  return client;
}

/** Connections through the proxy of the environment; null where the bucket is reached directly. */
function tunnelTo({ s3Region }: S3Settings, endpoint: string | undefined): HttpsProxyAgent<string> | null {
  const url = new URL(endpoint ?? `https://s3.${s3Region}.amazonaws.com`);
  const proxy = url.protocol === 'https:' ? proxyOfEnvironment(url) : null;
  return proxy && new HttpsProxyAgent(proxy.href, { keepAlive: true, maxSockets: mostConnections });
}

/** Presigned addresses of blobs, on the host name that clients reach the bucket under. */
class S3DirectLinks implements DirectLinks {
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
