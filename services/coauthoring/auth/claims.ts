import { isDeepStrictEqual } from 'node:util';
import { comparisonKeyPattern } from '../../../client/protocol/comparison-key.ts';
import { isLargeInteger } from '../../../client/protocol/exact-json.ts';
import { type AuthRequest, DisconnectCode, maxStoreWithinS } from '../../../client/protocol/index.ts';
import {
  flagIn,
  isAbsent,
  membersIn,
  modeIn,
  numberIn,
  objectIn,
  textIn,
} from '../../../client/protocol/plain-values.ts';
import type { Claims } from '../../../platform/secrets/tokens.ts';
import { isWopiPage, mergeWopiClaims, type WopiClaims } from './wopi-claims.ts';

/** What the claims of a verified token leave of an `auth` request, or why it is refused. */
export type MergeResult =
  | { ok: true; request: AuthRequest; purpose: 'open' | 'history'; wopi?: WopiClaims }
  | { ok: false; code: number; description: string };

/** A token that lacks what the request claims to be allowed, or has it in a form that says nothing. */
const incomplete = ({ name, value }: Lack): MergeResult => ({
  ok: false,
  code: DisconnectCode.tokenError,
  description: `token:${name} ${isGiven(value) ? 'cannot be read' : 'is missing'} in it`,
});
/** A token that was made for something else, or that allows something else than the request says. */
const contradicting = (why: string): MergeResult => ({
  ok: false,
  code: DisconnectCode.accessDeny,
  description: `access deny: ${why}`,
});

/** A member of a token that is not what it must be. */
interface Lack {
  name: string;
  value: unknown;
}

/** Some languages write null, an empty text or `false` for what is not there. */
const isGiven = (value: unknown): boolean => !isAbsent(value) && value !== '' && value !== false;

/**
 * Lets the claims of a verified token of an integrator, or of a WOPI page, win over what the browser sent
 * (co-authoring protocol, section 8.2; integration API, 12.3). The request keeps its own word only where it restricts
 * itself to viewing.
 */
export function mergeClaims(request: AuthRequest, claims: Claims): MergeResult {
  if (isWopiPage(claims)) return { ok: true, purpose: 'open', ...mergeWopiClaims(request, claims) };
  const config = objectIn(claims.editorConfig);
  if (isHistory(claims)) return mergeHistoryClaims(request, claims);
  if (isComparison(claims)) return mergeComparisonClaims(request, claims);
  const document = objectIn(claims.document);
  const lacks = missingIn(request, document, config);
  if (lacks !== null) return incomplete(lacks);
  const foreign = ['url', 'payload', 'key'].find((name) => Boolean(claims[name]));
  if (foreign) return contradicting(`the token has ${foreign}, so it was made for something else`);
  if (!isAbsent(document.permissions) && !isSame(permissionsOf(document), request.permissions ?? undefined)) {
    return contradicting('document.permissions of the page are not those of the token');
  }
  return {
    ok: true,
    request: { ...request, ...documentClaims(request, document), ...configClaims(request, document, config) },
    purpose: 'open',
  };
}

/** A page has rounded what its token has whole; what counts is what the token says. */
function isSame(signed: unknown, ofPage: unknown): boolean {
  return isDeepStrictEqual(signed, ofPage) || isDeepStrictEqual(rounded(signed), rounded(ofPage));
}

const rounded = (value: unknown): unknown =>
  value &&
  JSON.parse(JSON.stringify(value), (_name, inner) => (isLargeInteger(inner) ? Number(inner) : inner));

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
    const { key, permissions } = objectIn(claims.document);
    const user = objectIn(objectIn(claims.editorConfig).user);
    return { key: textIn(key), permissions, userId: textIn(user.id) ?? null };
  }
  if (![claims.url, claims.fileType].every((text) => textIn(text) !== undefined)) return null;
  return { key: textIn(claims.key), permissions: undefined, userId: null };
}

/** The claims that an integrator gives the frame with a version (integration API, 12.3). */
export const isHistory = ({ version, document }: Claims): boolean => isGiven(version) && !isGiven(document);

/**
 * The claims that an integrator gives the frame with a file to compare with (`setRequestedDocument`, `setRevisedFile`;
 * integration API, 12.4): where it is and of which type, and nothing by which tokens of other kinds are known.
 */
const isComparison = ({ c, url, fileType, ...others }: Claims): boolean =>
  (!isGiven(c) || c === 'compare') &&
  textIn(url) !== undefined &&
  textIn(fileType) !== undefined &&
  !['document', 'version', 'key', 'payload', 'status', 'images', 'outputtype', 'outputType'].some((name) =>
    isGiven(others[name]),
  );

/** Whether a token says what its user is called: then nobody else does. */
export const namesUser = (claims: Claims): boolean => hasName(objectIn(objectIn(claims.editorConfig).user));

const hasName = ({ name, firstname, lastname }: Claims): boolean =>
  Boolean(textIn(name) || textIn(firstname) || textIn(lastname));

/** The first member that a token lacks for what the page says, or that says nobody knows what; null where it has all. */
function missingIn(request: AuthRequest, document: Claims, { user, ...config }: Claims): Lack | null {
  const { id } = objectIn(user);
  const isForEditing = request.mode && request.mode !== 'view';
  // Who is not readable must not be whoever the page says.
  const checks: [name: string, value: unknown, isWrong: unknown][] = [
    ['document.key', document.key, !textIn(document.key)],
    ['document.url', document.url, !textIn(document.url)],
    ['document.permissions', document.permissions, request.permissions && !membersIn(document.permissions)],
    [
      'editorConfig.callbackUrl',
      config.callbackUrl,
      request.documentCallbackUrl && !textIn(config.callbackUrl),
    ],
    ['editorConfig.mode', config.mode, isForEditing && !modeIn(config.mode)],
    ['editorConfig.user', user, isGiven(user) && !membersIn(user)],
    ['editorConfig.user.id', id, isGiven(id) && textIn(id) === undefined],
  ];
  const [name, value] = checks.find(([, , isWrong]) => isWrong) ?? [];
  return name === undefined ? null : { name, value };
}

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
const permissionsOf = ({ permissions }: Claims): unknown =>
  isAbsent(permissions) ? undefined : (membersIn(permissions) ?? permissions);

function documentClaims(request: AuthRequest, document: Claims): Partial<AuthRequest> {
  const key = textIn(document.key);
  // Some languages write every member, also an empty one: empty members count as absent.
  const title = textIn(document.title) || undefined;
  const fileType = textIn(document.fileType) || undefined;
  const url = textIn(document.url);
  const permissions = membersIn(document.permissions);
  const encrypted = flagIn(document.ds_encrypted);
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
    ...(permissions ? { permissions } : {}),
    ...(encrypted === undefined ? {} : { encrypted }),
  };
}

function configClaims(request: AuthRequest, document: Claims, config: Claims): Partial<AuthRequest> {
  const callbackUrl = textIn(config.callbackUrl);
  const lang = textIn(config.lang) || undefined;
  const mode = modeIn(config.mode);
  const coEditingMode = coEditingOf(document, config);
  return {
    ...(callbackUrl === undefined ? {} : { documentCallbackUrl: callbackUrl }),
    ...(lang === undefined ? {} : { lang }),
    ...(mode === undefined || request.mode === 'view' ? {} : { mode }),
    ...(coEditingMode === undefined ? {} : { coEditingMode }),
    quireStoreWithinS: secondsOf(config.quireStoreWithinS),
    user: { ...request.user, ...userClaims(request, objectIn(config.user)) },
  };
}

/** What is no time at all says nothing. */
function secondsOf(value: unknown): number | undefined {
  const seconds = numberIn(value) ?? Number.NaN;
  return seconds >= 0 && seconds <= maxStoreWithinS ? seconds : undefined;
}

/** Formats that have no live co-editing, whatever the page asks for. */
const strictTypes = new Set(['pdf', 'djvu', 'xps', 'oxps']);

function coEditingOf(document: Claims, config: Claims): string | undefined {
  const coEditing = objectIn(config.coEditing);
  const mode = flagIn(coEditing.change) ? 'fast' : textIn(coEditing.mode);
  return strictTypes.has(textIn(document.fileType) ?? '') ? 'strict' : mode;
}

function userClaims(request: AuthRequest, user: Claims): NonNullable<AuthRequest['user']> {
  const id = textIn(user.id);
  const group = textIn(user.group);
  const index = numberIn(user.index);
  // The whole name is the token's: a first name from the browser would stand before it.
  const names = hasName(user)
    ? {
        username: textIn(user.name) ?? null,
        firstname: textIn(user.firstname) ?? null,
        lastname: textIn(user.lastname) ?? null,
      }
    : {};
  const username = names.username ?? request.user?.username;
  return {
    ...(id === undefined ? {} : { id }),
    ...(index === undefined ? {} : { indexUser: index }),
    ...names,
    ...(textIn(user.customerId) === undefined ? {} : { customerId: textIn(user.customerId) }),
    ...(group ? { username: `${group}\u00a0${username ?? ''}` } : {}),
  };
}

/**
 * A token of a version: it is for reading, under the key and from the address in the token, whatever the client says.
 * The same token opens the version before it (`previous`), to see what has changed. It names nobody, so its holder has
 * no name here, cannot chat and cannot download.
 */
function mergeHistoryClaims(request: AuthRequest, claims: Claims): MergeResult {
  const previous = objectIn(claims.previous);
  const wanted = textIn(previous.key) === request.docid ? previous : claims;
  const key = textIn(wanted.key);
  const url = textIn(wanted.url);
  if (!key) return incomplete({ name: 'key', value: wanted.key });
  if (!url) return incomplete({ name: 'url', value: wanted.url });
  const format = textIn(wanted.fileType) || undefined;
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
