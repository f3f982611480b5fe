import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../platform/config.ts';
import { isBlobHash } from '../../platform/ports/blob-store.ts';
import type { Routing } from '../../platform/ports/document-lifecycle.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { publicBase } from './base-url.ts';

/** A file to link to: a blob under the name it has in a document. */
export interface LinkedFile {
  docKey: string;
  hash: string;
  /** Path within the document, `media/image1.png`. */
  path: string;
  /** Name under which a browser saves the file; the last part of `path` unless given. */
  downloadName?: string;
  /** Forgotten files have addresses of their own, so that integrators recognise them. */
  area?: 'forgotten';
}

/** Where a link leads from, and what a load balancer needs to find the same node again. */
interface LinkBase {
  /** As of {@link baseUrl}: no slash at the end. */
  baseUrl: string;
  /** Goes into the query as it came; outside the signature. */
  routing?: Routing | undefined;
}

/** What a link of this server leads to. */
export interface CheckedLink {
  kind: 'ok';
  hash: string;
  fileName: string;
  expiresS: number;
}

/** Outcome of checking a link. */
type LinkCheck = CheckedLink | { kind: 'forged' } | { kind: 'expired' };

/** Path of the files router; the signature covers it too. */
export const filesPath = '/cache/files';
/** Session links live at least this long and at most twice as long, seconds. */
export const sessionLinkLifeS = 30 * 86_400;

const signatureBytes = 16;
/** Where area and hash stand among the segments of a path, the empty one before the first slash included. */
const areaSegment = 3;
const hashSegment = 5;

/**
 * Signed links to blobs (docs-api 11.1):
 * `/cache/files/data/{docKey}/{hash}/{path}/{downloadName}?md5=M&expires=E&filename=N`, and
 * `/cache/files/forgotten/{docKey}/{path}/{downloadName}?md5=M&expires=E&blob={hash}&filename=N`.
 * A link is all that is needed to read the blob it names, for a client and for a node: no session, no database.
 *
 * `md5` keeps the name that clients and proxies know; it is HMAC-SHA256, cut to 128 bits, in unpadded
 * base64url, over expiry, path in its one encoded spelling, file name and the blob of the query, a line each.
 */
export class FileLinks {
  readonly #secret: string;
  readonly #temporaryLifeS: number;
  readonly #publicBase: string | undefined;
  readonly #now: () => number;

  /** `now` is the time in milliseconds since 1970. */
  constructor(
    secrets: Pick<Secrets, 'link'>,
    config: Pick<Config, 'temporaryLinkLifeS' | 'publicUrl'>,
    now: () => number = Date.now,
  ) {
    this.#secret = secrets.link;
    this.#temporaryLifeS = config.temporaryLinkLifeS;
    // Also for addresses that were recorded before it was set.
    this.#publicBase = publicBase(config);
    this.#now = now;
  }

  /** A link for one transfer: of a callback, of a conversion. */
  temporary(file: LinkedFile, base: LinkBase): string {
    return this.#link(file, base, this.#nowS() + this.#temporaryLifeS);
  }

  /**
   * A link for as long as an editor may be open. Its expiry is rounded, counted from `sinceMs` (when the
   * document was created), so that for 30 days everybody gets the same address and caches work.
   */
  session(file: LinkedFile, base: LinkBase, sinceMs: number): string {
    const sinceS = Math.floor(sinceMs / 1000);
    const periods = Math.max(1, Math.floor((this.#nowS() - sinceS) / sessionLinkLifeS) + 2);
    return this.#link(file, base, sinceS + periods * sessionLinkLifeS);
  }

  /**
   * Checks a request for a file. `path` is as it came, still encoded and beginning with {@link filesPath};
   * a path prefix or version prefix has been taken off.
   */
  check(path: string, query: Readonly<Record<string, unknown>>): LinkCheck {
    const { md5, expires, filename } = query;
    if (typeof md5 !== 'string' || typeof expires !== 'string' || !/^\d{1,12}$/.test(expires)) {
      return { kind: 'forged' };
    }
    const fileName = typeof filename === 'string' ? filename : '';
    const blob = typeof query.blob === 'string' ? query.blob : '';
    const segments = decodedSegments(path);
    if (!segments || !isEqual(md5, this.#signature(expires, encodedPath(segments), fileName, blob))) {
      return { kind: 'forged' };
    }
    const hash = segments[areaSegment] === 'forgotten' ? blob : (segments[hashSegment] ?? '');
    if (!isBlobHash(hash)) return { kind: 'forged' };
    if (Number(expires) < this.#nowS()) return { kind: 'expired' };
    return { kind: 'ok', hash, fileName, expiresS: Number(expires) };
  }

  #link(file: LinkedFile, base: LinkBase, expiresS: number): string {
    const name = (file.downloadName ?? file.path.split('/').at(-1) ?? '').toWellFormed();
    const place = file.area ? [file.area, file.docKey] : ['data', file.docKey, file.hash];
    const segments = ['', 'cache', 'files', ...place, ...file.path.split('/'), name];
    const path = encodedPath(segments.map(portableSegment));
    const expires = String(expiresS);
    const blob = file.area ? file.hash : '';
    const query = new URLSearchParams({ md5: this.#signature(expires, path, name, blob), expires });
    if (blob) query.set('blob', blob);
    for (const [name, value] of Object.entries(base.routing ?? {})) query.set(name, value);
    query.set('filename', name);
    return `${this.#publicBase ?? base.baseUrl}${path}?${query}`;
  }

  #signature(expires: string, path: string, fileName: string, blob: string): string {
    const signed = [expires, path, fileName, ...(blob ? [blob] : [])].join('\n');
    const digest = createHmac('sha256', this.#secret).update(signed).digest();
    return digest.subarray(0, signatureBytes).toString('base64url');
  }

  #nowS(): number {
    return Math.floor(this.#now() / 1000);
  }
}

/** Replaces `.` and `..`, which clients remove from addresses, and lone surrogates, which cannot be encoded. */
function portableSegment(segment: string): string {
  return /^\.{1,2}$/.test(segment) ? '_' : segment.toWellFormed();
}

/** The one spelling of a path for its signature; clients and proxies encode different characters. */
function encodedPath(segments: readonly string[]): string {
  return segments.map(encodeURIComponent).join('/');
}

function decodedSegments(path: string): string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function isEqual(given: string, expected: string): boolean {
  const bytes = Buffer.from(given);
  return bytes.byteLength === expected.length && timingSafeEqual(bytes, Buffer.from(expected));
}
