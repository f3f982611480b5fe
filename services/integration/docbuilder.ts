import { randomUUID } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import { isDocumentKey } from '../coauthoring/gateway/document-path.ts';
import type { RequestBodies } from '../http/request-bodies.ts';
import { ConversionFailure } from './conversion-reply.ts';
import { signedParameters } from './request-tokens.ts';

/** Largest script that is read, bytes. */
const bodyBytes = 1_048_576;

/**
 * `POST /docbuilder` (integration API, 10.1). No engine of this server runs scripts: everybody who may ask is answered with
 * the error for a document that could not be made, under the key that was given or a new one.
 */
export function docBuilderRouter(tokens: Tokens, bodies: RequestBodies): Router {
  const answer = async (request: Request, response: Response): Promise<void> => {
    request.body = parametersIn(request.body);
    const given = await signedParameters(request, tokens);
    const isAllowed = given.kind === 'ok' || given.kind === 'malformed';
    const named = given.kind === 'ok' ? given.claims.key : undefined;
    const key = isDocumentKey(named) ? named : `bld_${randomUUID()}`;
    const isBadKey = named !== undefined && named !== null && named !== key;
    const error = isBadKey ? ConversionFailure.parameters : ConversionFailure.notMade;
    response.json({ key, error: isAllowed ? error : ConversionFailure.token });
  };
  const router = Router();
  router.post('/docbuilder', bodies.text(bodyBytes), answer);
  return router;
}

/** The body may be the script itself, which has no parameters. */
function parametersIn(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return {};
  }
}
