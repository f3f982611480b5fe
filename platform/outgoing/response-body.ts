import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { exactJson } from '../../client/protocol/exact-json.ts';
import { asRequestError, RequestError, safeAddress } from './request-error.ts';

/** A body and where it comes from. */
interface Body {
  body: Readable;
  url: URL;
}

/** What undoes an encoding; `first` are the first bytes of the body. */
type Decoder = (first: Buffer) => Duplex;

const gunzip: Decoder = () => createGunzip();

/** The name means the format of zlib (RFC 9110), and some servers send what is within that alone; browsers read both. */
const inflate: Decoder = (first) => ((first[0]! & 0x0f) === 8 ? createInflate() : createInflateRaw());

const decoders = new Map<string, Decoder>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', () => createBrotliDecompress()],
]);

/** Encodings that there are, and that nothing here undoes. */
const unreadable = new Set(['compress', 'x-compress', 'zstd', 'dcb', 'dcz', 'exi', 'pack200-gzip']);

/** Nobody has a reason for more. */
const mostEncodings = 5;

/**
 * The body and the headers of an answer as they are without the encodings it was sent in, of which the last is undone first. We ask
 * for none; some servers send their stored, compressed files nevertheless. What is the name of no encoding (`none`, `UTF-8`,
 * `aws-chunked` of an upload) says nothing about the body, as in browsers. A body in an encoding that cannot be undone is an error
 * when it is read.
 */
export function decoded(answer: IncomingMessage, url: URL): { body: Readable; headers: IncomingHttpHeaders } {
  const { 'content-encoding': encoding, 'content-length': _encodedBytes, ...headers } = answer.headers;
  const names = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase());
  const known = names.filter((name) => decoders.has(name) || unreadable.has(name)).reverse();
  if (known.length === 0) return { body: answer, headers: answer.headers };
  if (known.length > mostEncodings)
    return { body: failing(answer, url, 'too many content encodings'), headers };
  const unknown = known.find((name) => unreadable.has(name));
  if (unknown) return { body: failing(answer, url, `an unknown content encoding (${unknown})`), headers };
  const stages = known.map((name) => undone(decoders.get(name)!));
  // Its types know no generators in a list.
  const parts = [answer, ...stages] as unknown as NodeJS.ReadWriteStream[];
  const body = pipeline(parts, () => {}) as unknown as Readable;
  // Whoever lets go of the body does not wait for its sender.
  body.once('close', () => answer.destroy());
  return { body, headers };
}

/** Undoes an encoding; nothing stays nothing. */
function undone(decoder: Decoder): (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (source) {
    const chunks = source[Symbol.asyncIterator]();
    const first = await chunks.next();
    if (first.done) return;
    async function* all(): AsyncGenerator<Buffer> {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => chunks };
    }
    yield* pipeline(all, decoder(first.value), () => {}) as AsyncIterable<Buffer>;
  };
}

function failing(answer: IncomingMessage, url: URL, what: string): Readable {
  const body = new Readable({
    read: () => body.destroy(new RequestError('encoding', `${safeAddress(url)} uses ${what}`)),
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
  try {
    return await collected(body, maxSizeBytes, () => tooLarge(url, maxSizeBytes));
  } catch (err) {
    throw asRequestError(err, url, signal);
  } finally {
    body.destroy();
  }
}

/**
 * The bytes of a body, whose error is thrown also where it came before. To read one by its iterator costs several times as much, and
 * most answers are a few bytes.
 */
function collected(body: Readable, maxSizeBytes: number, tooMuch: () => Error): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const closed = () => reject(body.errored ?? new Error('The body was closed before its end'));
    if (body.destroyed) return closed();
    body.once('error', reject);
    body.once('close', closed);
    body.once('end', () => {
      // An error costs more than all of this, and each body is closed.
      body.off('close', closed);
      resolve(Buffer.concat(chunks));
    });
    body.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > maxSizeBytes) reject(tooMuch());
      else chunks.push(chunk);
    });
  });
}

/**
 * Reads a body that should be JSON, as {@link exactJson} does; undefined when it is not, or longer than allowed.
 * @throws RequestError when it does not come whole
 */
export async function readJson(from: Body, maxSizeBytes: number, signal: AbortSignal): Promise<unknown> {
  try {
    const text = (await readBody(from, maxSizeBytes, signal)).toString('utf8');
    // A byte order mark, which some servers begin their answers with, is no JSON.
    return exactJson(text.replace(/^\uFEFF/, ''));
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
