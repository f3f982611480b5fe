import type { KindName } from '../../model/kinds.ts';
import { type Claims, sessionTokenLifeS, type Tokens } from '../../platform/secrets/tokens.ts';
import type { WopiPageClaims } from '../coauthoring/auth/wopi-claims.ts';
import { extensionOf, type FileInfo, permissionsOf, publicInfo } from './file-info.ts';
import type { PageQuery } from './page-query.ts';

const dayS = 86_400;
/** Time enough to load the editor. */
const shortestLifeS = 60;

/** Somebody's page for a file, ready to be shown. */
export interface PageSession {
  id: string;
  key: string;
  kind: KindName;
  info: FileInfo;
  mode: 'edit' | 'view';
  /** Why somebody who wanted to edit may only look; null when that is not so. */
  viewNotice: string | null;
  query: PageQuery & { source: NonNullable<PageQuery['source']> };
  /** The integrator's id of the person, made up where the host gives none. */
  userId: string;
}

export const titleOf = ({ BreadcrumbDocName, BaseFileName }: FileInfo): string =>
  BreadcrumbDocName || BaseFileName;

/** What the page's token says. It never holds the access token. */
export function claimsOf(session: PageSession): WopiPageClaims {
  const { id, key, info, mode, viewNotice, query, userId } = session;
  return {
    key,
    fileInfo: publicInfo(info),
    userAuth: {
      wopiSrc: query.source.url,
      userSessionId: id,
      mode,
      forcedViewMode: viewNotice !== null,
      viewNotice,
    },
    lang: query.lang,
    document: {
      fileType: extensionOf(info),
      title: titleOf(info),
      permissions: sessionPermissions(session),
    },
    user: { id: userId, name: nameOf(info) },
  };
}

/** The page's token. It ends no later than the host's token; after a day where the host does not say when that ends. */
export function signPage(tokens: Tokens, session: PageSession): Promise<string> {
  const { expiresAt } = session.query;
  const lifeS = expiresAt === null ? dayS : Math.ceil((expiresAt.getTime() - Date.now()) / 1_000);
  const bounded = Math.min(sessionTokenLifeS, Math.max(shortestLifeS, lifeS));
  return tokens.signOpening(claimsOf(session) as unknown as Claims, bounded);
}

/** The configuration of the editor in the page (integration API, section 4), without the events. */
export function editorConfigOf(session: PageSession, token: string, base: string) {
  const { key, kind, info, mode, query, userId, id } = session;
  const hasClose = info.ClosePostMessage === true || info.CloseUrl !== undefined;
  const own = {
    type: query.type,
    documentType: kind,
    token,
    document: {
      title: titleOf(info),
      url: `${base}/downloadfile/${key}`,
      fileType: extensionOf(info),
      key,
      permissions: sessionPermissions(session),
      info: { folder: info.BreadcrumbFolderName ?? null },
    },
    editorConfig: {
      mode,
      lang: query.lang,
      ...(query.region === null ? {} : { region: query.region }),
      user: { id: userId, name: nameOf(info) },
      customization: {
        close: { visible: hasClose },
        ...(info.BreadcrumbFolderUrl ? { goback: { url: info.BreadcrumbFolderUrl } } : {}),
        customer: { name: info.BreadcrumbBrandName ?? null, www: info.BreadcrumbBrandUrl ?? null },
        forcesave: mode === 'edit',
        ...(query.theme === null ? {} : { uiTheme: query.theme }),
      },
      coEditing: { mode: mode === 'edit' ? 'fast' : 'strict', change: false },
      wopi: {
        FileNameMaxLength: info.FileNameMaxLength ?? 250,
        WOPISrc: query.source.url,
        UserSessionId: query.usid ?? id,
        Version: info.Version,
        LastModifiedTime: info.LastModifiedTime,
      },
    },
  };
  return merged(query.config, own);
}

const sessionPermissions = ({ info, query, mode }: PageSession): Record<string, boolean> => {
  const permissions = permissionsOf(info, query);
  return mode === 'edit'
    ? permissions
    : { ...permissions, edit: false, review: false, comment: false, fillForms: false };
};

const nameOf = ({ IsAnonymousUser, UserFriendlyName }: FileInfo): string =>
  IsAnonymousUser ? '' : (UserFriendlyName ?? '');

/** What a host adds to the configuration, with what we say on top. */
function merged(given: Record<string, unknown>, own: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = { ...given };
  for (const [name, value] of Object.entries(own)) {
    const other = Object.hasOwn(given, name) ? given[name] : undefined;
    result[name] = isObject(other) && isObject(value) ? merged(other, value) : value;
  }
  return result;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
