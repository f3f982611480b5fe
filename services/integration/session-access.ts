import type { Request } from 'express';
import type { DroppedUsers } from '../../db/dropped-users.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import { isEditorSession, readSessionClaims } from '../coauthoring/auth/session-credentials.ts';
import { isDocumentKey } from '../coauthoring/gateway/document-path.ts';

const bearer = 'Bearer ';

/** The session token of a request: of the header, which has a fixed name here, else of the query (integration API, 11.3). */
export function sessionTokenOf({ headers, query }: Request): unknown {
  const header = headers.authorization ?? '';
  return header.startsWith(bearer) ? header.slice(bearer.length) : query.token;
}

export interface EditorAccess {
  tokens: Tokens;
  droppedUsers: Pick<DroppedUsers, 'keepsOut'>;
}

/** Whether a request carries the session token of an editor of the document that its address names. */
export async function isFromEditor(
  request: Request,
  { tokens, droppedUsers }: EditorAccess,
  token: unknown = sessionTokenOf(request),
): Promise<boolean> {
  const { key } = request.params;
  const verified = await tokens.verifySession(token);
  if (verified.kind !== 'ok' || !isDocumentKey(key)) return false;
  const session = readSessionClaims(verified.claims);
  if (session?.key !== key || !isEditorSession(session)) return false;
  const { userId, userIndex } = session;
  return !(await droppedUsers.keepsOut(key, userId, { userIndex }));
}
