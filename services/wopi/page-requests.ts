import { type Request, type Response, Router } from 'express';
import type { WopiSessionRow, WopiSessions } from '../../db/wopi-sessions.ts';
import type { Config } from '../../platform/config.ts';
import { cleanText } from '../../platform/foreign-text.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import { isWopiPage } from '../coauthoring/auth/wopi-claims.ts';
import { type FileLinks, filesPath } from '../http/file-links.ts';
import type { RequestBodies } from '../http/request-bodies.ts';
import { type HostStorage, hostAddress } from '../lifecycle/host-storage.ts';
import { mayWriteRelative, readFileInfo } from './file-info.ts';
import { accessOf } from './host-client.ts';
import type { WopiHost } from './wopi-host.ts';

export interface PageRequestDependencies {
  config: Config;
  bodies: RequestBodies;
  tokens: Tokens;
  sessions: WopiSessions;
  storage: HostStorage;
  host: WopiHost;
  blobs: BlobStore;
  links: FileLinks;
}

const bodyBytes = 65_536;
const longestName = 1_000;
const versionPrefix = /^.*?(?=\/cache\/files\/)/;

/**
 * What the script of a page asks for in the person's name, with the page's token: `POST /hosting/wopi/rename` and
 * `/hosting/wopi/save-as`. The answer is JSON with `error`, in words, where it is not done.
 */
export function pageRequestsRouter(dependencies: PageRequestDependencies): Router {
  const router = Router();
  const json = dependencies.bodies.json(bodyBytes);
  const handle =
    (act: (session: WopiSessionRow, body: Record<string, unknown>) => Promise<object>) =>
    async (request: Request, response: Response): Promise<void> => {
      const body = (request.body ?? {}) as Record<string, unknown>;
      const session = await sessionOf(dependencies, body.token);
      if (!session) return void response.status(403).json({ error: 'not allowed' });
      const result = await act(session, body);
      response.status('error' in result ? 409 : 200).json(result);
    };
  router.post(
    '/hosting/wopi/rename',
    json,
    handle((session, body) => rename(dependencies, session, body)),
  );
  router.post(
    '/hosting/wopi/save-as',
    json,
    handle((session, body) => saveAs(dependencies, session, body)),
  );
  return router;
}

/** The session whose page signed the token; null when there is none. */
export async function sessionOf(
  { tokens, sessions }: Pick<PageRequestDependencies, 'tokens' | 'sessions'>,
  token: unknown,
): Promise<WopiSessionRow | null> {
  const verified = await tokens.verifyInbox(token);
  if (verified.kind !== 'ok' || !isWopiPage(verified.claims)) return null;
  return sessions.find(verified.claims.userAuth.userSessionId);
}

async function rename(
  { storage }: PageRequestDependencies,
  session: WopiSessionRow,
  { name }: Record<string, unknown>,
): Promise<object> {
  if (typeof name !== 'string' || name.length > longestName) return { error: 'a name is missing' };
  const renamed = await storage.rename(hostAddress(session.id), name);
  return renamed.ok ? { name: renamed.name } : { error: renamed.reason };
}

/** Puts a file that this server has made, named by its link, beside the document at the host. */
async function saveAs(
  { host, blobs, links, config }: PageRequestDependencies,
  session: WopiSessionRow,
  { url, title }: Record<string, unknown>,
): Promise<object> {
  const target = typeof title === 'string' && title.length <= longestName ? cleanText(title).trim() : '';
  if (target === '') return { error: 'a name is missing' };
  const info = readFileInfo(session.fileInfo);
  if (!info || !mayWriteRelative(info)) {
    return { error: 'the storage does not let you make files there' };
  }
  const hash = typeof url === 'string' && URL.canParse(url) ? hashIn(links, new URL(url)) : null;
  if (hash === null) return { error: 'there is no such file' };
  const put = await host.putRelative(accessOf(session), await blobs.read(hash), {
    target,
    isConversion: false,
    timeoutMs: config.callbackTimeoutMs,
  });
  if (!put.ok) return { error: put.reason };
  const { name, editUrl, viewUrl } = put.file;
  return { name, url: editUrl ?? viewUrl };
}

function hashIn(links: FileLinks, { pathname, searchParams }: URL): string | null {
  const path = pathname.replace(versionPrefix, '');
  if (!path.startsWith(`${filesPath}/`)) return null;
  const checked = links.check(path, Object.fromEntries(searchParams));
  return checked.kind === 'ok' ? checked.hash : null;
}
