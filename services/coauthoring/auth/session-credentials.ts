import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuthRequest } from '../../../client/protocol/index.ts';
import { permissionsIn } from '../../../client/protocol/permissions.ts';
import { objectIn } from '../../../client/protocol/plain-values.ts';
import type { Claims, Tokens } from '../../../platform/secrets/tokens.ts';
import type { Member } from '../document/member.ts';
import { isViewer } from './identity.ts';

/**
 * A session's secret id: a keyed hash of the document, the unique user id and the time the session began. A client that shows
 * it is the session's client; participants never see it, and any node can check it without having stored it.
 */
export function sessionIdOf(secret: string, key: string, uniqueId: string, connectedAtMs: number): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([key, uniqueId, connectedAtMs]))
    .digest('base64url');
}

/** Compares in constant time. */
export function isSessionId(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

const sessionModes = ['view', 'fillForms', 'edit'] as const;
type SessionMode = (typeof sessionModes)[number];

/** What a session token says: who somebody is in which document, and what they may do there. */
export interface SessionClaims {
  key: string;
  /** Those of the integrator; null where it gave none, which restricts nothing. */
  permissions: AuthRequest['permissions'];
  encrypted: boolean;
  userId: string;
  name: string;
  userIndex: number;
  nameIsFixed: boolean;
  mode: SessionMode;
  /** Of somebody who only looks. */
  coEditingMode: string | null;
  isCloseCoAuthoring: boolean;
  knowsPassword: boolean;
  connectedAtMs: number;
}

/**
 * A session token: with it a client comes back after a lost connection, and authorises its uploads and downloads. It
 * holds no session id; that is a secret of its own. Its holder can do only what it says: it names no address, and
 * begins no session.
 */
export function signSessionToken(
  tokens: Tokens,
  key: string,
  member: Member,
  permissions: object | null | undefined,
): Promise<string> {
  return tokens.signSession({
    document: {
      key,
      ...(permissions ? { permissions } : {}),
      ds_encrypted: member.encrypted === true,
    },
    editorConfig: {
      mode: modeOf(member),
      user: { id: member.author.userId, name: member.author.name, index: member.userIndex },
      ...(member.view ? { coEditing: { mode: member.live ? 'fast' : 'strict' } } : {}),
      ds_denyChangeName: member.nameIsFixed,
      ds_isEnterCorrectPassword: member.knowsPassword,
      ds_isCloseCoAuthoring: member.state === 'closed',
      ds_sessionTimeConnect: member.sessionTimeConnectMs,
    },
  });
}

/** What the claims of a verified session token say; null where they are something else. */
export function readSessionClaims(claims: Claims): SessionClaims | null {
  const document = objectIn(claims.document);
  const config = objectIn(claims.editorConfig);
  const user = objectIn(config.user);
  const { mode } = objectIn(config.coEditing);
  if (
    typeof document.key !== 'string' ||
    typeof config.ds_sessionTimeConnect !== 'number' ||
    typeof user.id !== 'string' ||
    typeof user.name !== 'string' ||
    typeof user.index !== 'number'
  ) {
    return null;
  }
  return {
    key: document.key,
    permissions: permissionsIn(document.permissions) ?? null,
    encrypted: document.ds_encrypted === true,
    userId: user.id,
    name: user.name,
    userIndex: user.index,
    nameIsFixed: config.ds_denyChangeName === true,
    // Tokens of earlier versions have no mode; whether somebody only views has always been said by the way of editing.
    mode:
      config.coEditing !== undefined ? 'view' : (sessionModes.find((one) => one === config.mode) ?? 'edit'),
    coEditingMode: typeof mode === 'string' ? mode : null,
    isCloseCoAuthoring: config.ds_isCloseCoAuthoring === true,
    knowsPassword: config.ds_isEnterCorrectPassword === true,
    connectedAtMs: config.ds_sessionTimeConnect,
  };
}

/** Whether the session of a token may change its document. */
export const isEditorSession = ({ mode, isCloseCoAuthoring, permissions }: SessionClaims): boolean =>
  !isCloseCoAuthoring && !isViewer({ mode, permissions });

/** An `auth` request as its session token allows it: the token says who asks, as what and for which document. */
export function continuedBy(session: SessionClaims, request: AuthRequest): AuthRequest {
  const { key, userId, name, userIndex, coEditingMode } = session;
  return {
    ...request,
    docid: key,
    documentCallbackUrl: '',
    mode: request.mode === 'view' ? 'view' : session.mode,
    permissions: session.permissions,
    encrypted: session.encrypted,
    isCloseCoAuthoring: session.isCloseCoAuthoring,
    ...(coEditingMode === null ? {} : { coEditingMode }),
    user: {
      ...request.user,
      id: userId,
      username: name,
      firstname: null,
      lastname: null,
      indexUser: userIndex,
    },
    ...(request.openCmd ? { openCmd: { ...request.openCmd, id: key, url: null } } : {}),
  };
}

/** The mode that gives nobody more than they have now; the permissions alone may say more. */
function modeOf({ view, author: { stamp } }: Member): SessionMode {
  if (view) return 'view';
  return stamp?.may?.every((act) => act === 'fill') ? 'fillForms' : 'edit';
}
