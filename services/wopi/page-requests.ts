import type { Request, Response, Router } from 'express';
import type { WopiSessionRow, WopiSessions } from '../../db/wopi-sessions.ts';
import type { Config } from '../../platform/config.ts';
import { cleanText } from '../../platform/foreign-text.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import { type FileLinks, filesPath } from '../http/file-links.ts';
import type { RequestBodies } from '../http/request-bodies.ts';
import { Routes } from '../http/routes.ts';
import { type HostStorage, hostAddress } from '../lifecycle/host-storage.ts';
import { mayWriteRelative, readFileInfo } from './file-info.ts';
import { accessOf } from './host-client.ts';
import { pageTokens } from './page-tokens.ts';
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

const longestName = 1_000;
const versionPrefix = /^.*?(?=\/cache\/files\/)/;

/**
 * What the script of a page asks for in the person's name, with the page's token: `POST /hosting/wopi/rename` and
 * `/hosting/wopi/save-as`. The answer is JSON with `error`, in words, where it is not done.
 */
export function pageRequestsRouter(dependencies: PageRequestDependencies): Router {
  const judge = pageTokens(dependencies, (request) => bodyOf(request).token, { error: 'not allowed' });
  const routes = new Routes({ bodies: dependencies.bodies, judges: { 'WOPI page token': judge } });
  const handle =
    (act: typeof rename | typeof saveAs) =>
    async (request: Request, response: Response, session: WopiSessionRow): Promise<void> => {
      const result = await act(dependencies, session, bodyOf(request));
      response.status('error' in result ? 409 : 200).json(result);
    };
  routes.on('POST /hosting/wopi/rename', handle(rename));
  routes.on('POST /hosting/wopi/save-as', handle(saveAs));
  return routes.router;
}

const bodyOf = ({ body }: Request): Record<string, unknown> => (body ?? {}) as Record<string, unknown>;

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
