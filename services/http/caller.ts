import type { RequestHandler } from 'express';
import { type AddressList, parseAddressList } from '../../platform/config/address-list.ts';
import type { Config } from '../../platform/config.ts';
import type { BaseUrlRequest } from './base-url.ts';
import { forwardedElements, forwardingHeadersOf } from './forwarded.ts';
import { type Judge, refused, refusedInText } from './routes.ts';

const loopback = parseAddressList('loopback');
const isLoopback = (address: string | undefined): boolean =>
  'value' in loopback && loopback.value.includes(address);

/**
 * Who made a request: the last address in the chain of `X-Forwarded-For`, or of `Forwarded` (RFC 7239), that a trusted proxy vouches
 * for. It may be any text that this proxy wrote.
 */
export function callerAddress(
  { headers, socket }: BaseUrlRequest,
  { trustProxy }: Pick<Config, 'trustProxy'>,
): string | undefined {
  const older = headers['x-forwarded-for'];
  const chain =
    older === undefined
      ? forwardedElements(headers).map((element) => element.for ?? '')
      : [older].flat().join(',').split(',');
  let address = socket.remoteAddress;
  for (const next of chain.reverse().map((one) => one.trim())) {
    if (next === '' || !trustProxy.includes(address)) break;
    address = withoutPort(next);
  }
  return address;
}

/**
 * Whether a request was made on this machine and by no proxy's client. Not by the trusted proxies alone, which may be a
 * whole network: what is local must not depend on what one of them writes.
 */
export function isLocalCaller({ headers, socket }: BaseUrlRequest): boolean {
  if (!isLoopback(socket.remoteAddress)) return false;
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined) return forwardingHeadersOf(headers).length === 0;
  return [forwarded]
    .flat()
    .every((list) => list.split(',').every((one) => isLoopback(withoutPort(one.trim()))));
}

/** Judges callers that have to be on this machine. */
export const ofThisMachine: Judge<undefined> = (request) =>
  isLocalCaller(request) ? { found: undefined } : refused(403, 'local callers only');

/** Judges callers whose address has to be in a list. Others are told the reason. */
export const onlyListed =
  (list: AddressList, config: Pick<Config, 'trustProxy'>, reason: string): Judge<undefined> =>
  (request) =>
    list.includes(callerAddress(request, config)) ? { found: undefined } : refusedInText(403, reason);

/** Refuses callers whom the IP filter does not allow with 403 (integration API, 15.2). */
export function onlyAllowedCallers(config: Pick<Config, 'ipFilter' | 'trustProxy'>): RequestHandler {
  return (request, response, next) => {
    if (config.ipFilter.allows(callerAddress(request, config) ?? '')) return next();
    response.status(403).json({ error: 'this address may not use the API' });
  };
}

/** Some proxies write the port behind the address. */
function withoutPort(text: string): string {
  const match = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? /^\[(.+)\](?::\d+)?$/.exec(text);
  return match?.[1] ?? text;
}
