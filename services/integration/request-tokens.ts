import type { Request } from 'express';
import type { DroppedUsers } from '../../db/dropped-users.ts';
import { type Claims, type TokenResult, type Tokens, tokenBehind } from '../../platform/secrets/tokens.ts';
import {
  isEditorSession,
  readSessionClaims,
  type SessionClaims,
} from '../coauthoring/auth/session-credentials.ts';
import { isDocumentKey } from '../coauthoring/gateway/document-path.ts';

const bearer = 'Bearer ';

/** The session token of a request: of the header, which has a fixed name here, else of the query (integration API, 11.3). */
export function sessionTokenOf({ headers, query }: Request): unknown {
  return tokenBehind(bearer, headers.authorization ?? '') ?? query.token;
}

export interface EditorAccess {
  tokens: Tokens;
  droppedUsers: Pick<DroppedUsers, 'keepsOut'>;
}

/** The session of an editor of the document that a request's address names, whose token it carries; null where it carries none. */
export async function editorOf(
  request: Request,
  { tokens, droppedUsers }: EditorAccess,
  token: unknown = sessionTokenOf(request),
): Promise<SessionClaims | null> {
  const { key } = request.params;
  const verified = await tokens.verifySession(token);
  if (verified.kind !== 'ok' || !isDocumentKey(key)) return null;
  const session = readSessionClaims(verified.claims);
  if (session?.key !== key || !isEditorSession(session)) return null;
  const { userId, userIndex } = session;
  return (await droppedUsers.keepsOut(key, userId, { userIndex })) ? null : session;
}

/** What a request asks for, or why it is not listened to. */
type SignedParameters = TokenResult | { kind: 'malformed' };

/**
 * The parameters of a request: of its query for GET, else of its body. Where tokens are demanded they are the claims of
 * its token, and anything that is not signed is ignored (integration API, 12.2).
 */
export async function signedParameters(request: Request, tokens: Tokens): Promise<SignedParameters> {
  const given = (request.method === 'GET' ? request.query : request.body) as unknown;
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  if (tokens.areDemanded) return tokens.readInboxToken(isObject ? (given as Claims) : {}, request.headers);
  return isObject ? { kind: 'ok', claims: given as Claims } : { kind: 'malformed' };
}
