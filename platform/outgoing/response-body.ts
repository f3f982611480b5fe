import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { asRequestError, RequestError, safeAddress } from './request-error.ts';

/** A body and where it comes from. */
interface Body {
  body: Readable;
  url: URL;
}

const decoders = new Map<string, () => Duplex>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

/**
 * The body and the headers of an answer as they are without the encoding it was sent in. We ask for none; some servers send
 * their stored, compressed files nevertheless. A body in an encoding that is not known is an error when it is read.
 */
export function decoded(answer: IncomingMessage, url: URL): { body: Readable; headers: IncomingHttpHeaders } {
  const { 'content-encoding': encoding, 'content-length': _encodedBytes, ...headers } = answer.headers;
  const name = (encoding ?? '').toLowerCase();
  if (name === '' || name === 'identity') return { body: answer, headers: answer.headers };
  const decoder = decoders.get(name);
  return { body: decoder ? pipeline(answer, decoder(), () => {}) : unreadable(answer, url), headers };
}

function unreadable(answer: IncomingMessage, url: URL): Readable {
  const body = new Readable({
    read: () =>
      body.destroy(new RequestError('encoding', `${safeAddress(url)} uses an unknown content encoding`)),
    destroy: (error, done) => {
      answer.destroy();
      done(error);
    },
  });
  return body;
}

/**
 * Reads a body into memory.
 * @throws RequestError; its code is `size` when there are more bytes than allowed
 */
export async function readBody(
  { body, url }: Body,
  maxSizeBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > maxSizeBytes) throw tooLarge(url, maxSizeBytes);
      chunks.push(chunk);
    }
  } catch (err) {
    throw asRequestError(err, url, signal);
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks);
}

/**
 * Reads a body that should be JSON; undefined when it is not, or longer than allowed.
 * @throws RequestError when it does not come whole
 */
export async function readJson(from: Body, maxSizeBytes: number, signal: AbortSignal): Promise<unknown> {
  try {
    const text = (await readBody(from, maxSizeBytes, signal)).toString('utf8');
    // A byte order mark, which some servers begin their answers with, is no JSON.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (err) {
    if (err instanceof SyntaxError || (err instanceof RequestError && err.code === 'size')) return undefined;
    throw err;
  }
}

/** Lets go of a body that nobody reads. */
export function discard({ body }: Pick<Body, 'body'>): void {
  body.on('error', () => {});
  body.destroy();
}

/** The error of a body that is larger than allowed. */
export function tooLarge(url: URL, maxSizeBytes: number): RequestError {
  return new RequestError('size', `${safeAddress(url)} is larger than ${maxSizeBytes} bytes`);
}
