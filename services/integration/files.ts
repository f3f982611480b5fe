import { pipeline } from 'node:stream/promises';
import type { Request, Response, Router } from 'express';
import type { BlobStore, DirectLinks } from '../../platform/ports/blob-store.ts';
import { type CheckedLink, type FileLinks, filesPath } from '../http/file-links.ts';
import { type Judge, Routes } from '../http/routes.ts';
import { type FoundFile, SmallFiles } from '../http/small-files.ts';

/**
 * Serves signed links. GET and HEAD, with ranges and conditions: 403 for a
 * signature that is missing or wrong, 410 for one that has expired, 404 for a blob that is gone and for every
 * other method.
 *
 * With `directLinks`, GET is answered with a redirect to the store itself, where the blob is served with the same type
 * and name.
 *
 * Files come from the authors of documents, so they are never shown as pages of this host: attachment, no
 * sniffing, and a sandbox should a browser display one all the same.
 */
export function filesRouter(
  links: FileLinks,
  blobs: BlobStore,
  directLinks?: DirectLinks,
  now: () => number = Date.now,
  smallFiles = new SmallFiles(blobs),
): Router {
  const routes = new Routes({ judges: { 'signed link': signedLinks(links) } });
  routes.on('ALL /cache/files', async (request, response, link) => {
    const found = await (directLinks ? sizeIn(blobs, link.hash) : smallFiles.find(link.hash));
    if (!found) return refuse(response, 404);
    const { sizeBytes, content } = found;

    const etag = `"${link.hash}"`;
    const remainingS = Math.max(0, link.expiresS - Math.floor(now() / 1000));
    response.set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Accept-Ranges, Content-Length, Content-Range, ETag',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': `private, max-age=${remainingS}, immutable`,
      ETag: etag,
    });
    if (matches(request.get('if-none-match'), etag)) return void response.status(304).end();
    response.set({
      'Accept-Ranges': 'bytes',
      'Content-Type': contentTypeOf(link.fileName),
      'Content-Disposition': contentDisposition(link.fileName),
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
    if (directLinks && request.method === 'GET') {
      return await redirect(response, directLinks, link.hash, remainingS);
    }
    return await send(request, response, blobs, {
      hash: link.hash,
      sizeBytes,
      content,
      bytes: bytesOf(request, etag, sizeBytes),
    });
  });
  return routes.router;
}

/** Judges links to files, which only GET and HEAD are for. */
const signedLinks =
  (links: FileLinks): Judge<CheckedLink> =>
  ({ method, path, query }) => {
    if (method !== 'GET' && method !== 'HEAD') return { refuse: (response) => refuse(response, 404) };
    const link = links.check(filesPath + path, query);
    if (link.kind === 'ok') return { found: link };
    return { refuse: (response) => refuse(response, link.kind === 'forged' ? 403 : 410) };
  };

/** Clients get the content from the store. */
async function sizeIn(blobs: BlobStore, hash: string): Promise<FoundFile | undefined> {
  const sizeBytes = await blobs.sizeOf(hash);
  return sizeBytes === undefined ? undefined : { sizeBytes, content: null };
}

/** The address leads to the file for a while only, so it is not to be kept as long as the file. */
async function redirect(
  response: Response,
  directLinks: DirectLinks,
  hash: string,
  remainingS: number,
): Promise<void> {
  const headers = {
    contentType: String(response.get('content-type')),
    contentDisposition: String(response.get('content-disposition')),
  };
  const address = await directLinks.linkTo(hash, headers, remainingS);
  for (const name of ['Content-Disposition', 'Content-Type', 'ETag', 'Accept-Ranges']) {
    response.removeHeader(name);
  }
  response.status(302).set({ 'Cache-Control': 'no-store', Location: address }).end();
}

interface Sending {
  hash: string;
  sizeBytes: number;
  /** Null: it is read from the store. */
  content: Buffer | null;
  bytes: RequestedBytes;
}

async function send(request: Request, response: Response, blobs: BlobStore, sending: Sending): Promise<void> {
  const { bytes, sizeBytes, content } = sending;
  if (bytes.kind === 'unsatisfiable') {
    response.removeHeader('Content-Disposition');
    return void response.status(416).set('Content-Range', `bytes */${sizeBytes}`).end();
  }
  if (bytes.kind === 'part') {
    response.status(206).set('Content-Range', `bytes ${bytes.start}-${bytes.end}/${sizeBytes}`);
  }
  const lengthBytes = bytes.kind === 'part' ? bytes.end - bytes.start + 1 : sizeBytes;
  response.set('Content-Length', String(lengthBytes));
  if (request.method === 'HEAD') return void response.end();
  if (content) {
    return void response.end(bytes.kind === 'part' ? content.subarray(bytes.start, bytes.end + 1) : content);
  }
  const stream = await blobs.open(sending.hash, bytes.kind === 'part' ? bytes : undefined);
  if (!stream) return refuse(response, 404);
  try {
    await pipeline(stream, response);
  } catch (err) {
    // A client that left in the middle needs no answer; the pipeline has closed the file.
    if ((err as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw err;
  }
}

/** A range counts only for the content it was meant for (RFC 9110 13.1.5). */
function bytesOf(request: Request, etag: string, sizeBytes: number): RequestedBytes {
  const condition = request.get('if-range');
  if (condition !== undefined && condition !== etag) return { kind: 'whole' };
  return requestedBytes(request.get('range'), sizeBytes);
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

/** RFC 6266 and 5987: an ASCII name for old clients, and the full one. Control characters are left out. */
function contentDisposition(fileName: string): string {
  const name = fileName.toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f]/g, '') || 'file';
  const ascii = name.replace(/[^ -~]/g, '_').replace(/["\\]/g, '_');
  const full = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${full}`;
}

function refuse(response: Response, status: 403 | 404 | 410): void {
  const text = { 403: 'Forbidden', 404: 'Not Found', 410: 'Gone' }[status];
  for (const name of response.getHeaderNames()) {
    if (/^(content-|etag|accept-ranges|cache-control)/.test(name)) response.removeHeader(name);
  }
  response.status(status).set('Cache-Control', 'no-store').type('text/plain').send(text);
}

/** Bytes to send: all, a part (`end` included), or none because the part lies outside. */
type RequestedBytes =
  | { kind: 'whole' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'unsatisfiable' };

/**
 * Reads a Range header (RFC 9110 14.1 and 14.2). Units other than bytes, several ranges and what is malformed
 * count as if the header were absent, as the RFC allows.
 */
export function requestedBytes(header: string | undefined, sizeBytes: number): RequestedBytes {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.replaceAll(' ', '') ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return { kind: 'whole' };
  const last = sizeBytes - 1;
  if (match[1] === '') {
    const length = Math.min(Number(match[2]), sizeBytes);
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', start: sizeBytes - length, end: last };
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? last : Number(match[2]);
  if (end < start && match[2] !== '') return { kind: 'whole' };
  if (start > last) return { kind: 'unsatisfiable' };
  return { kind: 'part', start, end: Math.min(end, last) };
}

/** Types that editors load by themselves, and those of results. None is one that a browser runs as a page. */
const types: Readonly<Record<string, string>> = {
  bmp: 'image/bmp',
  emf: 'image/emf',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  webp: 'image/webp',
  wmf: 'image/wmf',
  json: 'application/json',
  pdf: 'application/pdf',
  zip: 'application/zip',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
};

/** The media type to serve a file under, by its name; unknown ones are just bytes. */
export function contentTypeOf(fileName: string): string {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return (Object.hasOwn(types, extension) && types[extension]) || 'application/octet-stream';
}
