import type { Request } from 'express';
import type { Claims, TokenResult, Tokens } from '../../platform/secrets/tokens.ts';
import type { Judge } from '../http/routes.ts';

/** What a request asks for, or why it is not listened to. */
export type SignedParameters = TokenResult | { kind: 'malformed' };

/**
 * The parameters of a request: of its query for GET, else of its body. Where tokens are demanded they are the claims of
 * its token, and anything that is not signed is ignored (integration API, 12.2).
 */
async function signedParameters(request: Request, tokens: Tokens): Promise<SignedParameters> {
  const given = (request.method === 'GET' ? request.query : request.body) as unknown;
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  if (tokens.areDemanded) return tokens.readInboxToken(isObject ? (given as Claims) : {}, request.headers);
  return isObject ? { kind: 'ok', claims: given as Claims } : { kind: 'malformed' };
}

/** Judges request tokens. Each interface has a form of its own for refusals, so its handler tells them. */
export const requestTokens =
  (tokens: Tokens): Judge<SignedParameters> =>
  async (request) => ({ found: await signedParameters(request, tokens) });
