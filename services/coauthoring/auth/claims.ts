import { isDeepStrictEqual } from 'node:util';
import { comparisonKeyPattern } from '../../../client/protocol/comparison-key.ts';
import { type AuthRequest, DisconnectCode, maxStoreWithinS } from '../../../client/protocol/index.ts';
import type { Claims } from '../../../platform/secrets/tokens.ts';
import { isWopiPage, mergeWopiClaims, type WopiClaims } from './wopi-claims.ts';

/** What the claims of a verified token leave of an `auth` request, or why it is refused. */
export type MergeResult =
  | { ok: true; request: AuthRequest; purpose: 'open' | 'history'; wopi?: WopiClaims }
  | { ok: false; code: number; description: string };

/** A token that lacks what the request claims to be allowed; `lacks` says what. */
const incomplete = (lacks: string): MergeResult => ({
  ok: false,
  code: DisconnectCode.tokenError,
  description: `token:${lacks} is missing in it`,
});
/** A token that was made for something else, or that allows something else than the request says. */
const contradicting = (why: string): MergeResult => ({
  ok: false,
  code: DisconnectCode.accessDeny,
  description: `access deny: ${why}`,
});

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectOf = (value: unknown): Claims => (isObject(value) ? value : {});
/** Some languages write null for what is not there. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;

/**
 * Lets the claims of a verified token of an integrator, or of a WOPI page, win over what the browser sent
 * (co-authoring protocol, section 8.2; integration API, 12.3). The request keeps its own word only where it restricts
 * itself to viewing.
 */
export function mergeClaims(request: AuthRequest, claims: Claims): MergeResult {
  if (isWopiPage(claims)) return { ok: true, purpose: 'open', ...mergeWopiClaims(request, claims) };
  const config = objectOf(claims.editorConfig);
  if (isHistory(claims)) return mergeHistoryClaims(request, claims);
  if (isComparison(claims)) return mergeComparisonClaims(request, claims);
  const document = objectOf(claims.document);
  const lacks = missingIn(request, document, config);
  if (lacks !== null) return incomplete(lacks);
  const foreign = ['url', 'payload', 'key'].find((name) => isGiven(claims[name]));
  if (foreign) return contradicting(`the token has ${foreign}, so it was made for something else`);
  if (
    isGiven(document.permissions) &&
    !isDeepStrictEqual(permissionsOf(document), request.permissions ?? undefined)
  ) {
    return contradicting('document.permissions of the page are not those of the token');
  }
  return {
    ok: true,
    request: { ...request, ...documentClaims(request, document), ...configClaims(request, document, config) },
    purpose: 'open',
  };
}

/** A document that somebody may read by a token, who that is, and what they may do with it. */
export interface NamedDocument {
  key: unknown;
  permissions: unknown;
  /** Null where the token leaves it open. */
  userId: string | null;
}

/** Members by which tokens for something else than reading a document are known. */
const otherPurposes = ['c', 'version', 'payload', 'status', 'images', 'outputtype', 'outputType', 'async'];

/**
 * The document that a token of an integrator opens: that of a configuration, of a WOPI page, or of the data by which another document
 * refers to it (`setReferenceData`). Null for a token of any other purpose.
 */
export function namedDocument(claims: Claims): NamedDocument | null {
  if (isWopiPage(claims)) {
    return { key: claims.key, permissions: claims.document.permissions, userId: claims.user.id };
  }
  if (otherPurposes.some((name) => isGiven(claims[name]))) return null;
  if (isGiven(claims.document)) {
    const { key, permissions } = objectOf(claims.document);
    const user = objectOf(objectOf(claims.editorConfig).user);
    return { key, permissions, userId: textOf(user.id) ?? null };
  }
  if (![claims.url, claims.fileType].every((text) => textOf(text) !== undefined)) return null;
  return { key: claims.key, permissions: undefined, userId: null };
}

/** The claims that an integrator gives the frame with a version (integration API, 12.3). */
export const isHistory = ({ version, document }: Claims): boolean => isGiven(version) && !isGiven(document);

/**
 * The claims that an integrator gives the frame with a file to compare with (`setRequestedDocument`, `setRevisedFile`;
 * integration API, 12.4): where it is and of which type, and nothing by which tokens of other kinds are known.
 */
const isComparison = ({ c, url, fileType, ...others }: Claims): boolean =>
  (!isGiven(c) || c === 'compare') &&
  textOf(url) !== undefined &&
  textOf(fileType) !== undefined &&
  !['document', 'version', 'key', 'payload', 'status', 'images', 'outputtype', 'outputType'].some((name) =>
    isGiven(others[name]),
  );

/** Whether a token says what its user is called: then nobody else does. */
export const namesUser = (claims: Claims): boolean => hasName(objectOf(objectOf(claims.editorConfig).user));

const hasName = ({ name, firstname, lastname }: Claims): boolean =>
  Boolean(textOf(name) || textOf(firstname) || textOf(lastname));

/** The first member that a token lacks for what the page says; null where it has all. */
function missingIn(request: AuthRequest, document: Claims, config: Claims): string | null {
  if (textOf(document.key) === undefined) return 'document.key';
  if (textOf(document.url) === undefined) return 'document.url';
  if (request.permissions && !isObject(permissionsOf(document))) return 'document.permissions';
  if (request.documentCallbackUrl && textOf(config.callbackUrl) === undefined)
    return 'editorConfig.callbackUrl';
  const isForEditing = request.mode && request.mode !== 'view';
  return isForEditing && modeOf(config) === undefined ? 'editorConfig.mode' : null;
}

/** What a token says of the mode. Some applications sign `true`: what counts is whether it says `view`. */
const modeOf = ({ mode }: Claims): string | undefined => textOf(mode) ?? (mode ? 'edit' : undefined);

/** What somebody may who was given a version to look at. */
const readingOnly = {
  edit: false,
  review: false,
  comment: false,
  fillForms: false,
  chat: false,
  download: false,
  print: false,
};

/** PHP writes an object without members as an empty list, Java an absent one as null. */
function permissionsOf({ permissions }: Claims): unknown {
  if (permissions === null) return undefined;
  return Array.isArray(permissions) && permissions.length === 0 ? {} : permissions;
}

function documentClaims(request: AuthRequest, document: Claims): Partial<AuthRequest> {
  const key = textOf(document.key);
  // Some languages write every member, also an empty one: empty members count as absent.
  const title = textOf(document.title) || undefined;
  const fileType = textOf(document.fileType) || undefined;
  const url = textOf(document.url);
  const openCmd = request.openCmd && {
    ...request.openCmd,
    ...(key === undefined ? {} : { id: key }),
    ...(fileType === undefined ? {} : { format: fileType }),
    ...(title === undefined ? {} : { title }),
    ...(url === undefined ? {} : { url }),
  };
  return {
    ...(key === undefined ? {} : { docid: key }),
    ...(openCmd ? { openCmd } : {}),
    ...(isObject(permissionsOf(document)) ? { permissions: permissionsOf(document) as Claims } : {}),
    ...(typeof document.ds_encrypted === 'boolean' ? { encrypted: document.ds_encrypted } : {}),
  };
}

function configClaims(request: AuthRequest, document: Claims, config: Claims): Partial<AuthRequest> {
  const callbackUrl = textOf(config.callbackUrl);
  const lang = textOf(config.lang) || undefined;
  const mode = modeOf(config);
  const coEditingMode = coEditingOf(document, config);
  return {
    ...(callbackUrl === undefined ? {} : { documentCallbackUrl: callbackUrl }),
    ...(lang === undefined ? {} : { lang }),
    ...(mode === undefined || request.mode === 'view' ? {} : { mode }),
    ...(coEditingMode === undefined ? {} : { coEditingMode }),
    quireStoreWithinS: secondsOf(config.quireStoreWithinS),
    user: { ...request.user, ...userClaims(request, objectOf(config.user)) },
  };
}

/** What is no time at all says nothing. */
function secondsOf(value: unknown): number | undefined {
  const seconds = Number(textOf(value) || Number.NaN);
  return seconds >= 0 && seconds <= maxStoreWithinS ? seconds : undefined;
}

/** Formats that have no live co-editing, whatever the page asks for. */
const strictTypes = new Set(['pdf', 'djvu', 'xps', 'oxps']);

function coEditingOf(document: Claims, config: Claims): string | undefined {
  const coEditing = objectOf(config.coEditing);
  const mode = coEditing.change === true ? 'fast' : textOf(coEditing.mode);
  return strictTypes.has(textOf(document.fileType) ?? '') ? 'strict' : mode;
}

function userClaims(request: AuthRequest, user: Claims): NonNullable<AuthRequest['user']> {
  const id = textOf(user.id);
  const group = textOf(user.group);
  // The whole name is the token's: a first name from the browser would stand before it.
  const names = hasName(user)
    ? {
        username: textOf(user.name) ?? null,
        firstname: textOf(user.firstname) ?? null,
        lastname: textOf(user.lastname) ?? null,
      }
    : {};
  const username = names.username ?? request.user?.username;
  return {
    ...(id === undefined ? {} : { id }),
    ...(typeof user.index === 'number' ? { indexUser: user.index } : {}),
    ...names,
    ...(textOf(user.customerId) === undefined ? {} : { customerId: textOf(user.customerId) }),
    ...(group ? { username: `${group}\u00a0${username ?? ''}` } : {}),
  };
}

/**
 * A token of a version: it is for reading, under the key and from the address in the token, whatever the client says.
 * The same token opens the version before it (`previous`), to see what has changed. It names nobody, so its holder has
 * no name here, cannot chat and cannot download.
 */
function mergeHistoryClaims(request: AuthRequest, claims: Claims): MergeResult {
  const previous = objectOf(claims.previous);
  const wanted = textOf(previous.key) === request.docid ? previous : claims;
  const key = textOf(wanted.key);
  const url = textOf(wanted.url);
  if (key === undefined || url === undefined) return incomplete(key === undefined ? 'key' : 'url');
  const format = textOf(wanted.fileType) || undefined;
  return {
    ok: true,
    request: {
      ...request,
      docid: key,
      documentCallbackUrl: '',
      quireStoreWithinS: undefined,
      mode: 'view',
      coEditingMode: 'strict',
      permissions: readingOnly,
      user: { ...request.user, username: null, firstname: null, lastname: null },
      ...(request.openCmd
        ? { openCmd: { ...request.openCmd, id: key, url, ...(format && { format }) } }
        : {}),
    },
    purpose: 'history',
  };
}

/**
 * A token of a file to compare with: it is for reading, from the address in the token, under a key of its own kind. Of any
 * other document it says nothing.
 */
function mergeComparisonClaims(request: AuthRequest, claims: Claims): MergeResult {
  const key = request.docid;
  if (typeof key !== 'string' || !comparisonKeyPattern.test(key))
    return contradicting('the token is of a file to compare with');
  return mergeHistoryClaims(request, { url: claims.url, fileType: claims.fileType, key });
}
