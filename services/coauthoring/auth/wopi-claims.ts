import type { AuthRequest } from '../../../client/protocol/index.ts';
import type { Claims } from '../../../platform/secrets/tokens.ts';
import { hostAddress } from '../../lifecycle/host-storage.ts';

/** What the token of a WOPI page says of its session. */
export interface WopiClaims {
  sessionId: string;
  /** Why somebody who wanted to edit may only look; null when that is not so. */
  viewNotice: string | null;
}

/** The claims of a WOPI page, as this server signs them (co-authoring protocol, 8.2). */
export interface WopiPageClaims {
  key: string;
  fileInfo: Record<string, unknown>;
  userAuth: {
    wopiSrc: string;
    userSessionId: string;
    mode: 'edit' | 'view';
    forcedViewMode: boolean;
    viewNotice: string | null;
  };
  lang: string;
  document: { fileType: string; title: string; permissions: Record<string, boolean> };
  user: { id: string; name: string };
}

/** Whether the claims of a verified token are those of a WOPI page. */
export function isWopiPage(claims: Claims): claims is Claims & WopiPageClaims {
  const { key, fileInfo, userAuth, document, user } = claims as Partial<Record<string, unknown>>;
  const isObject = (value: unknown) => typeof value === 'object' && value !== null;
  return (
    typeof key === 'string' &&
    [fileInfo, userAuth, document, user].every(isObject) &&
    typeof (userAuth as { userSessionId?: unknown }).userSessionId === 'string'
  );
}

/** Everything that matters comes from the page's token; the browser may only restrict itself to viewing. */
export function mergeWopiClaims(
  request: AuthRequest,
  page: WopiPageClaims,
): { request: AuthRequest; wopi: WopiClaims } {
  const { key, userAuth, document, user, lang } = page;
  const url = hostAddress(userAuth.userSessionId);
  const mode = request.mode === 'view' ? 'view' : userAuth.mode;
  const openCmd = request.openCmd && {
    ...request.openCmd,
    id: key,
    format: document.fileType,
    title: document.title,
    url,
  };
  return {
    request: {
      ...request,
      docid: key,
      documentCallbackUrl: mode === 'edit' ? url : '',
      mode,
      lang,
      permissions: document.permissions,
      user: { ...request.user, id: user.id, username: user.name, firstname: null, lastname: null },
      ...(openCmd ? { openCmd } : {}),
      ...(userAuth.mode === 'view' ? { coEditingMode: 'strict' as const } : {}),
    },
    wopi: { sessionId: userAuth.userSessionId, viewNotice: userAuth.viewNotice },
  };
}
