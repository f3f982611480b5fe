import { randomUUID } from 'node:crypto';
import type { Router } from 'express';
import { exactJson } from '../../client/protocol/exact-json.ts';
import { textIn } from '../../client/protocol/plain-values.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import { isDocumentKey } from '../coauthoring/gateway/document-path.ts';
import type { RequestBodies } from '../http/request-bodies.ts';
import { Routes } from '../http/routes.ts';
import { ConversionFailure } from './conversion-reply.ts';
import { requestTokens } from './request-tokens.ts';

/**
 * `POST /docbuilder` (integration API, 10.1). No engine of this server runs scripts: everybody who may ask is answered with
 * the error for a document that could not be made, under the key that was given or a new one.
 */
export function docBuilderRouter(tokens: Tokens, bodies: RequestBodies): Router {
  const judge = requestTokens(tokens);
  const inScript: typeof judge = (request, rights) => {
    request.body = parametersIn(request.body);
    return judge(request, rights);
  };
  const routes = new Routes({ bodies, judges: { 'request token': inScript } });
  routes.on('POST /docbuilder', (_request, response, given) => {
    const isAllowed = given.kind === 'ok' || given.kind === 'malformed';
    const named = given.kind === 'ok' ? (given.claims.key ?? undefined) : undefined;
    const read = textIn(named);
    const key = isDocumentKey(read) ? read : `bld_${randomUUID()}`;
    const isBadKey = named !== undefined && read !== key;
    const error = isBadKey ? ConversionFailure.parameters : ConversionFailure.notMade;
    response.json({ key, error: isAllowed ? error : ConversionFailure.token });
  });
  return routes.router;
}

/** The body may be the script itself, which has no parameters. */
function parametersIn(body: unknown): unknown {
  try {
    return exactJson(String(body));
  } catch {
    return {};
  }
}
