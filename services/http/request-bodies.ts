import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RequestHandler } from 'express';
import { exactJson } from '../../client/protocol/exact-json.ts';
import { addressGroup } from '../../platform/config/address-list.ts';
import { FairQuota, type QuotaSlot } from '../../platform/fair-quota.ts';
import { isParsedSoon } from './json-shape.ts';

/** The types of the bodies of forms. */
export const formTypes: readonly string[] = ['multipart/form-data', 'application/x-www-form-urlencoded'];
const isForm = ({ headers }: IncomingMessage): boolean =>
  formTypes.includes(headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '');

/** So many times its limit a body is received that is refused. */
const mostReadOff = 4;

/** Memory for bodies is given out in pieces of so many bytes. */
const pieceBytes = 65_536;

export interface BodyLimits {
  /** All bodies that have come in part may take so much memory, bytes. */
  memoryBytes: number;
  /** A body that comes more slowly than this, after a time, is given up; bytes a second. */
  leastBytesPerS: number;
  /** That time, and how often it is looked, milliseconds. */
  patienceMs: number;
  /** For so long a body is received that is refused, milliseconds. */
  readOffMs: number;
}

export const defaultBodyLimits: BodyLimits = {
  memoryBytes: 64 * 1024 ** 2,
  leastBytesPerS: 8_192,
  patienceMs: 10_000,
  readOffMs: 2_000,
};

/** A body is not read, or not to its end; `status` is that of the answer. */
export class BodyError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Bodies of requests. Nobody has shown who they are before a body is read, so it costs others nothing: it is not unpacked, its size is
 * known before it is taken, it has to come at a least rate, and so it has an end. All bodies that are under way share a bounded memory;
 * where that is used up, the address that has the most of it loses its oldest body.
 */
export class RequestBodies {
  readonly #limits: BodyLimits;
  readonly #memory: FairQuota;
  readonly #addressOf: (request: IncomingMessage) => string | undefined;

  /** `addressOf`: who made a request, as far as trusted proxies vouch for it. */
  constructor(
    addressOf: (request: IncomingMessage) => string | undefined,
    limits: BodyLimits = defaultBodyLimits,
  ) {
    this.#addressOf = addressOf;
    this.#limits = limits;
    this.#memory = new FairQuota(Math.ceil(limits.memoryBytes / pieceBytes));
  }

  /** Reads the body of a form of either kind as `request.body`: bytes, up to a size; undefined where there is none. */
  form(limit: number): RequestHandler {
    return this.#reader(limit, isForm, (bytes) => bytes);
  }

  /** Reads the body as text in UTF-8. */
  text(limit: number): RequestHandler {
    return this.#reader(limit, () => true, textOf);
  }

  /**
   * Reads the body as JSON in UTF-8, whatever its type says (integration API, 2.3): an empty one is an empty object. What is no JSON, or
   * has very many values, has status 400.
   */
  json(limit: number): RequestHandler {
    return this.#reader(limit, () => true, jsonOf);
  }

  /** Writes the body to a file, up to a size. @throws BodyError */
  async toFile(request: IncomingMessage, file: string, limit: number): Promise<void> {
    const kept = new PassThrough();
    const stopped = new AbortController();
    const watch = new BodyWatch(request, { ...this.#limits, limit }, (error) => stopped.abort(error));
    request.on('data', (chunk: Buffer) => watch.came(chunk.length));
    request.once('close', () => void (request.complete || kept.destroy()));
    try {
      await pipeline(request.pipe(kept), createWriteStream(file), { signal: stopped.signal });
    } catch (error) {
      if (!stopped.signal.aborted) throw error;
      request.removeAllListeners('data');
      await readOff(request, limit, this.#limits.readOffMs);
      throw stopped.signal.reason;
    } finally {
      watch.end();
    }
  }

  #reader(
    limit: number,
    isOf: (request: IncomingMessage) => boolean,
    readAs: (bytes: Buffer) => unknown,
  ): RequestHandler {
    return (request, _response, next) => {
      const { 'transfer-encoding': transfer, 'content-length': length } = request.headers;
      if ((transfer === undefined && length === undefined) || !isOf(request)) return next();
      this.#read(request, limit)
        .then((bytes) => {
          request.body = readAs(bytes);
          next();
        }, next)
        .catch(next);
    };
  }

  async #read(request: IncomingMessage, limit: number): Promise<Buffer> {
    const group = addressGroup(this.#addressOf(request));
    const pieces: QuotaSlot[] = [];
    const chunks: Buffer[] = [];
    let receivedBytes = 0;
    let watch: BodyWatch | undefined;
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        const crowded = () => reject(new BodyError(503, 'Too many requests are being received.'));
        const stop = new BodyWatch(request, { ...this.#limits, limit }, reject);
        watch = stop;
        request.on('data', (chunk: Buffer) => {
          stop.came(chunk.length);
          receivedBytes += chunk.length;
          chunks.push(chunk);
          while (pieces.length * pieceBytes < receivedBytes)
            pieces.push(this.#memory.acquire(group, crowded));
        });
        request.once('end', () => resolve(Buffer.concat(chunks)));
        request.once('close', () => reject(new BodyError(400, 'The request ended before its body did.')));
        request.once('error', reject);
      });
    } catch (error) {
      for (const piece of pieces.splice(0)) piece.release();
      request.removeAllListeners('data');
      await readOff(request, limit, this.#limits.readOffMs);
      throw error;
    } finally {
      watch?.end();
      for (const piece of pieces) piece.release();
    }
  }
}

/**
 * Most clients look at an answer once they have sent everything. So a body that is not much too large is received to its end, and not
 * kept, for a short time.
 */
async function readOff(request: IncomingMessage, limit: number, mostMs: number): Promise<void> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (request.complete || request.destroyed || length > mostReadOff * limit) return void request.pause();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, mostMs);
    request.once('close', resolve).once('end', resolve).resume();
    request.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
  });
  request.pause();
}

/** Looks after one body that is coming: that it is not packed, not larger than it may be, and not too slow. */
class BodyWatch {
  readonly #limits: BodyLimits & { limit: number };
  readonly #give: (error: BodyError) => void;
  readonly #startedAtMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #receivedBytes = 0;

  /** `giveUp`: the rest of the body is not to be read. */
  constructor(
    { headers }: IncomingMessage,
    limits: BodyLimits & { limit: number },
    giveUp: (error: BodyError) => void,
  ) {
    this.#limits = limits;
    this.#give = giveUp;
    this.#timer = setInterval(() => this.#look(), limits.patienceMs);
    this.#timer.unref();
    if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
      giveUp(new BodyError(415, 'Bodies that are compressed are not read: send it as it is.'));
    } else if (Number(headers['content-length'] ?? 0) > limits.limit) {
      giveUp(tooLarge());
    }
  }

  /** So many bytes more have come. */
  came(bytes: number): void {
    this.#receivedBytes += bytes;
    if (this.#receivedBytes > this.#limits.limit) this.#give(tooLarge());
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { leastBytesPerS, patienceMs } = this.#limits;
    const elapsedMs = performance.now() - this.#startedAtMs - patienceMs;
    if (this.#receivedBytes * 1_000 >= elapsedMs * leastBytesPerS) return;
    this.#give(new BodyError(408, 'The body of the request came too slowly.'));
  }
}

const tooLarge = (): BodyError => new BodyError(413, 'request entity too large');

/** A mark of the order of bytes, which some programs write, is no part of the text. */
const textOf = (bytes: Buffer): string => new TextDecoder().decode(bytes);

function jsonOf(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  if (!isParsedSoon(bytes)) throw new BodyError(400, 'The body has too many values.');
  try {
    return exactJson(textOf(bytes));
  } catch {
    throw new BodyError(400, 'The body is not JSON.');
  }
}
