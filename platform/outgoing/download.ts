import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../client/protocol/index.ts';
import { QuireError } from '../quire-error.ts';
import type { HttpClient, OutgoingResponse } from './http-client.ts';
import { Deadline } from './limits.ts';
import { asRequestError, RequestError, type RequestFailure, safeAddress } from './request-error.ts';
import { discard, tooLarge } from './response-body.ts';

/** What to fetch, where to put it, and how much of what it may cost. */
export interface DownloadRequest {
  url: string;
  /** The file to create; it must not exist. Its directory is made where there is none. */
  file: string;
  /** A body of up to this size stays in memory and no file is made, bytes; 0 unless given. */
  inMemoryBytes?: number;
  /** Sent to the origin of `url` only. */
  headers?: Readonly<Record<string, string>>;
  fromVerifiedToken: boolean;
  maxSizeBytes: number;
  /** Longest the whole download may take, all attempts together, milliseconds. */
  timeoutMs: number;
  /** Longest pause without a byte, milliseconds; 60 s unless given. */
  idleTimeoutMs?: number;
  /** Pause before another attempt, milliseconds; 1 s unless given. */
  retryDelayMs?: number;
  signal?: AbortSignal;
}

/** A complete download. */
interface Downloaded {
  hash: string;
  sizeBytes: number;
  /** The body where it stayed in memory; null where it is in the file. */
  content: Buffer | null;
  /** As the sender named it, without parameters; empty when it did not. */
  contentType: string;
  /** How the sender names this version of the file. */
  version: ReturnType<typeof sourceVersionOf>;
}

/** A download failed. `serviceError` is the number for editors, `message` is safe to show. */
export class DownloadError extends QuireError<RequestFailure> {
  readonly serviceError: ServiceError;

  constructor(err: RequestError) {
    super(err.code, err.message, { cause: err, retryable: err.retryable });
    this.serviceError = err.code === 'size' ? ServiceError.convertLimits : ServiceError.convertDownload;
  }
}

const maxRetries = 3;

/**
 * Downloads into a file. Up to three further attempts follow a broken connection or a status that passes;
 * none follows a time or size limit, a refused address, or an answer that would stay the same.
 * A failed download leaves no file.
 * @throws DownloadError; errors of the file system as they are
 */
export async function download(client: HttpClient, wanted: DownloadRequest): Promise<Downloaded> {
  const deadline = new Deadline(wanted.timeoutMs, wanted.signal);
  try {
    return await attemptRepeatedly(client, wanted, deadline.signal);
  } catch (err) {
    throw err instanceof RequestError ? new DownloadError(err) : err;
  } finally {
    deadline.release();
  }
}

async function attemptRepeatedly(
  client: HttpClient,
  wanted: DownloadRequest,
  signal: AbortSignal,
): Promise<Downloaded> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt(client, wanted, signal);
    } catch (err) {
      if (!(err instanceof RequestError) || retries === maxRetries || !err.retryable) throw err;
    }
    await sleep(wanted.retryDelayMs ?? 1_000, undefined, { signal }).catch((err: unknown) => {
      throw asRequestError(err, new URL(wanted.url), signal);
    });
  }
}

async function attempt(
  client: HttpClient,
  wanted: DownloadRequest,
  signal: AbortSignal,
): Promise<Downloaded> {
  const response = await client.send({
    url: wanted.url,
    method: 'GET',
    headers: wanted.headers,
    fromVerifiedToken: wanted.fromVerifiedToken,
    idleTimeoutMs: wanted.idleTimeoutMs ?? 60_000,
    signal,
  });
  try {
    checkAnswer(response, wanted.maxSizeBytes);
    return await store(response, wanted, signal);
  } finally {
    discard(response);
  }
}

function checkAnswer(response: OutgoingResponse, maxSizeBytes: number): void {
  const { status, headers, url } = response;
  // 206 and other 2xx are not the whole file.
  if (status !== 200) {
    throw new RequestError('status', `${safeAddress(url)} answered with status ${status}`, { status });
  }
  if (Number(headers['content-length']) > maxSizeBytes) throw tooLarge(url, maxSizeBytes);
}

async function store(
  response: OutgoingResponse,
  wanted: DownloadRequest,
  signal: AbortSignal,
): Promise<Downloaded> {
  const hash = createHash('sha256');
  const { inMemoryBytes = 0 } = wanted;
  let held: Buffer[] = [];
  let sizeBytes = 0;
  let handle: FileHandle | null = null;
  try {
    for await (const chunk of chunksOf(response, signal)) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > wanted.maxSizeBytes) throw tooLarge(response.url, wanted.maxSizeBytes);
      hash.update(chunk);
      held.push(chunk);
      if (sizeBytes <= inMemoryBytes) continue;
      handle ??= await openNew(wanted.file);
      for (const part of held) await handle.writeFile(part);
      held = [];
    }
    // An empty file is a file.
    if (inMemoryBytes === 0) handle ??= await openNew(wanted.file);
  } catch (err) {
    if (handle) await rm(wanted.file, { force: true });
    throw err;
  } finally {
    await handle?.close();
  }
  const contentType = String(response.headers['content-type'] ?? '')
    .split(';')[0]!
    .trim()
    .toLowerCase();
  const content = handle ? null : Buffer.concat(held);
  const version = sourceVersionOf(response.headers);
  return { hash: hash.digest('hex'), sizeBytes, content, contentType, version };
}

/** Opens a new file for writing, in a directory that is made where there is none. */
export async function openNew(file: string): Promise<FileHandle> {
  await mkdir(path.dirname(file), { recursive: true });
  return open(file, 'wx', 0o600);
}

/** The body, with errors of the connection and the decoder, but not of the consumer, as RequestErrors. */
async function* chunksOf(response: OutgoingResponse, signal: AbortSignal): AsyncGenerator<Buffer> {
  const source = response.body[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await source.next().catch((err: unknown) => {
        throw asRequestError(err, response.url, signal);
      });
      if (next.done) return;
      yield next.value as Buffer;
    }
  } finally {
    await source.return?.();
  }
}

/** Names of versions are short; what is longer is not kept. */
const maxCharacters = 1_000;

/** How the sender of a file names its version: `ETag` and `Last-Modified`, null where it does not. */
export const sourceVersionOf = (headers: OutgoingResponse['headers']) => ({
  etag: named(headers.etag),
  modified: named(headers['last-modified']),
});

const named = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' && value !== '' && value.length <= maxCharacters ? value : null;
