import type { Request } from 'express';
import { isViewer } from '../coauthoring/auth/identity.ts';
import { isDocumentKey } from '../coauthoring/document-key.ts';
import type { Claims, Tokens } from '../secrets/tokens.ts';

const bearer = 'Bearer ';

/** The session token of a request: of the header, which has a fixed name here, else of the query (integration API, 11.3). */
export function sessionTokenOf({ headers, query }: Request): unknown {
  const header = headers.authorization ?? '';
  return header.startsWith(bearer) ? header.slice(bearer.length) : query.token;
}

/** Whether a request carries the session token of an editor of the document that its address names. */
export async function isFromEditor(
  request: Request,
  tokens: Tokens,
  token: unknown = sessionTokenOf(request),
): Promise<boolean> {
  const { key } = request.params;
  const verified = await tokens.verifySession(token);
  if (verified.kind !== 'ok' || !isDocumentKey(key)) return false;
  const { document, editorConfig } = verified.claims as { document?: Claims; editorConfig?: Claims };
  const permissions = document?.permissions as Record<string, unknown> | undefined;
  return (
    document?.key === key &&
    typeof editorConfig?.ds_sessionTimeConnect === 'number' &&
    editorConfig.ds_isCloseCoAuthoring !== true &&
    editorConfig.coEditing === undefined &&
    !isViewer({ mode: 'edit', permissions })
  );
}
