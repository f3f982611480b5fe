import { pipeline } from 'node:stream/promises';
import type { Request, Response, Router } from 'express';
import type { Logger } from 'pino';
import { textIn } from '../../client/protocol/plain-values.ts';
import type { DroppedUsers } from '../../db/dropped-users.ts';
import type { Config } from '../../platform/config.ts';
import type { HttpClient, OutgoingResponse } from '../../platform/outgoing/http-client.ts';
import { Deadline, SizeLimit } from '../../platform/outgoing/limits.ts';
import { asRequestError, RequestError } from '../../platform/outgoing/request-error.ts';
import { discard } from '../../platform/outgoing/response-body.ts';
import { type Claims, type Tokens, tokenBehind } from '../../platform/secrets/tokens.ts';
import { namedDocument } from '../coauthoring/auth/claims.ts';
import { mayDownload } from '../coauthoring/auth/identity.ts';
import { signedCredential } from '../coauthoring/auth/signed-credential.ts';
import { isWopiPage } from '../coauthoring/auth/wopi-claims.ts';
import { isDocumentKey } from '../coauthoring/gateway/document-path.ts';
import type { RequestBodies } from '../http/request-bodies.ts';
import { type Judge, Routes, refused } from '../http/routes.ts';
import type { HostedContent, HostStorage, SourcePlace } from '../lifecycle/host-storage.ts';

export interface DownloadFileDependencies {
  config: Config;
  bodies: RequestBodies;
  http: HttpClient;
  tokens: Tokens;
  droppedUsers: Pick<DroppedUsers, 'keepsOut'>;
  /** Null where WOPI is off. */
  hostStorage: Pick<HostStorage, 'contentOf'> | null;
  log: Logger;
}

const bearer = 'Bearer ';
const idleTimeoutMs = 60_000;

/** Types of sources that browsers look into themselves; all others are opened by this server. */
const readableTypes: ReadonlySet<unknown> = new Set(['pdf', 'xlsx']);

/** Headers of the storage that are passed on. Cookies and everything else stay behind. */
const passedHeaders = ['content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified'] as const;

/**
 * `POST|GET /downloadfile/{key}` with `{url, token}` (integration API, 11.4): a file of the storage for the editor's
 * page, which is of another origin than the storage. Only addresses that an integrator has signed are fetched: the
 * `changesUrl` of a history token, and the source of a config whose type browsers read, where it lets its holder download; and
 * the file of a WOPI document by the same rule
 * for the token of its page. 403 for any other, and always where tokens are off; 408 time, 413 size, the storage's
 * own status, or 400 when it cannot be reached.
 */
export function downloadFileRouter(dependencies: DownloadFileDependencies): Router {
  const { config, http, log } = dependencies;
  const fetchFirst = async (
    places: readonly SourcePlace[],
    range: string | undefined,
    signal: AbortSignal,
  ): Promise<OutgoingResponse> => {
    for (const [index, { url, headers, vouched }] of places.entries()) {
      const isLast = index === places.length - 1;
      const file = await http
        .send({
          ...{ url, method: 'GET' as const, fromVerifiedToken: vouched, idleTimeoutMs, signal },
          headers: { ...headers, ...(range !== undefined && { range }) },
        })
        .catch((error: unknown) => {
          if (isLast || signal.aborted || !(error instanceof RequestError)) throw error;
          return null;
        });
      if (file && (isLast || file.status < 300)) return file;
      if (file) discard(file);
    }
    throw new Error('A file is always somewhere');
  };
  const answer = async (request: Request, response: Response, claims: Claims): Promise<void> => {
    const content = await allowedContent(request, claims, dependencies);
    if (content === null) return void response.status(403).json({ error: 'not allowed' });
    if ('bytes' in content) return void response.set(byteHeaders).send(Buffer.from(content.bytes));
    const deadline = new Deadline(config.downloadTimeoutMs);
    response.once('close', () => deadline.release());
    try {
      const file = await fetchFirst(content.places, request.get('range'), deadline.signal);
      await pass(file, response, config.maxDownloadSizeBytes, deadline.signal);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const { message: reason, level } = error;
      log[level]({ documentKey: request.params.key, reason }, 'A file of the storage could not be passed on');
      if (!response.destroyed) response.status(statusOf(error)).json({ error: reason });
    } finally {
      deadline.release();
    }
  };
  const { bodies } = dependencies;
  const routes = new Routes({ bodies, judges: { 'document token': documentTokens(dependencies) } });
  return routes.on('GET /downloadfile/:key', answer).on('POST /downloadfile/:key', answer).router;
}

const bodyOf = ({ body }: Request): Claims =>
  (typeof body === 'object' && body !== null ? body : {}) as Claims;

/** Judges tokens of documents, for which their holder must not have been dropped from any of those that they name; finds the claims. */
function documentTokens({ config, tokens, droppedUsers }: DownloadFileDependencies): Judge<Claims> {
  return async (request) => {
    const { key } = request.params;
    const inHeader = tokenBehind(bearer, request.headers.authorization ?? '');
    const token = bodyOf(request).token || request.query.token || inHeader;
    const verified = await tokens.verifyInbox(token);
    if (verified.kind !== 'ok' || !isDocumentKey(key)) return notAllowed;
    const { claims } = verified;
    // The page's token is signed by this server, also where those of integrators are off.
    const isOfPage = isWopiPage(claims);
    if (isOfPage ? claims.key !== key : !config.jwtEnabled) return notAllowed;
    const userId = isOfPage ? claims.user.id : (namedDocument(claims)?.userId ?? '');
    // Which document is asked for is the page's word; whose file is given is the token's.
    for (const named of isOfPage ? [key] : documentsOf(claims, key)) {
      if (await droppedUsers.keepsOut(named, userId, signedCredential(token, claims))) return notAllowed;
    }
    return { found: claims };
  };
}

const notAllowed = refused(403, 'not allowed');

/** What the request is answered with, if the token vouches for it. */
async function allowedContent(
  request: Request,
  claims: Claims,
  { tokens, hostStorage }: DownloadFileDependencies,
): Promise<HostedContent | null> {
  if (isWopiPage(claims)) {
    const isAllowed = mayDownload(claims.document.permissions);
    return isAllowed
      ? ((await hostStorage?.contentOf(claims.key, claims.userAuth.userSessionId)) ?? null)
      : null;
  }
  const wanted = bodyOf(request).url ?? request.query.url;
  const url = addressesIn(claims).find((address) => wanted === undefined || address === wanted);
  if (url === undefined) return null;
  return { places: [{ url, headers: await tokens.downloadHeaders(url), vouched: true }] };
}

/** The document that is asked for, and those that the token names. */
function documentsOf(claims: Claims, key: string): Set<string> {
  const previous = claims.previous as { key?: unknown } | null | undefined;
  const named = [namedDocument(claims)?.key, textIn(claims.key), textIn(previous?.key)];
  return new Set([key, ...named.filter(isDocumentKey)]);
}

function addressesIn(claims: Claims): string[] {
  const document = (claims.document ?? claims) as {
    url?: unknown;
    fileType?: unknown;
    permissions?: unknown;
  };
  const addresses = [
    claims.version !== undefined && claims.changesUrl,
    readableTypes.has(document.fileType) && mayDownload(document.permissions) && document.url,
  ];
  return addresses.filter((address) => typeof address === 'string');
}

/** The bytes are for a script: no browser is to show or keep them. */
const byteHeaders = {
  'Content-Type': 'application/octet-stream',
  'Content-Disposition': 'attachment',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'no-store',
};

/** @throws RequestError when the file does not come whole; a response that has begun is cut off as well */
async function pass(
  file: OutgoingResponse,
  response: Response,
  maxSizeBytes: number,
  signal: AbortSignal,
): Promise<void> {
  const { status, headers, body, url } = file;
  try {
    if (status !== 200 && status !== 206) {
      return void response.status(Math.max(status, 400)).json({ error: 'the storage refused' });
    }
    if (Number(headers['content-length']) > maxSizeBytes) {
      return void response.status(413).json({ error: 'the file is too large' });
    }
    const parts: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
    // What is wrong with a file often shows at its beginning: then there is an answer that can say so.
    const first = await parts.next();
    for (const name of passedHeaders) {
      const value = headers[name];
      if (value !== undefined) response.set(name, value);
    }
    response.status(status).set(byteHeaders);
    await pipeline(wholeOf(first, parts), new SizeLimit(maxSizeBytes), response);
  } catch (error) {
    // A page that leaves in the middle of the file needs no answer.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE')
      throw asRequestError(error, url, signal);
  } finally {
    discard(file);
  }
}

async function* wholeOf(first: IteratorResult<Buffer>, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  for (let part = first; !part.done; part = await rest.next()) yield part.value;
}

function statusOf({ code }: RequestError): number {
  if (code === 'timeout') return 408;
  if (code === 'size') return 413;
  return code === 'refused' ? 403 : 400;
}
