import type { Request } from 'express';
import type { WopiSessionRow, WopiSessions } from '../../db/wopi-sessions.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import { isWopiPage } from '../coauthoring/auth/wopi-claims.ts';
import type { Judge } from '../http/routes.ts';

interface PageTokenNeeds {
  tokens: Pick<Tokens, 'verifyInbox'>;
  sessions: Pick<WopiSessions, 'find'>;
}

/**
 * Judges tokens of pages, and finds the session whose page signed one.
 *
 * @param tokenOf where a request has it
 * @param otherwise what everybody else is answered, with 403
 */
export const pageTokens =
  (
    { tokens, sessions }: PageTokenNeeds,
    tokenOf: (request: Request) => unknown,
    otherwise: object,
  ): Judge<WopiSessionRow> =>
  async (request) => {
    const verified = await tokens.verifyInbox(await tokenOf(request));
    const claims = verified.kind === 'ok' && isWopiPage(verified.claims) ? verified.claims : null;
    const session = claims && (await sessions.find(claims.userAuth.userSessionId));
    return session ? { found: session } : { refuse: (response) => void response.status(403).json(otherwise) };
  };
