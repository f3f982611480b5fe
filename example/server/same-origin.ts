import type { Request, RequestHandler } from 'express';
import { personHeader } from '../api.ts';
import type { Address } from './document-server.ts';
import { personOf } from './people.ts';
import { Refusal } from './refusal.ts';

/**
 * Lets requests that change something pass only from our own pages: browsers say where a request comes from, and the
 * header with the account cannot be sent by a foreign page without being asked first, which is refused.
 */
export function onlyOwnPages(own: Address): RequestHandler {
  return (request, _response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    if (!isOwn(request, own)) {
      throw new Refusal('other-site', 'Changes are accepted from the pages of this application only.');
    }
    if (!personOf(request.get(personHeader))) {
      throw new Refusal('not-allowed', 'The request does not say which account it is for.');
    }
    next();
  };
}

function isOwn(request: Request, own: Address): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = request.get('origin');
  return origin === undefined || origin === new URL(own.forBrowsers(request)).origin;
}
