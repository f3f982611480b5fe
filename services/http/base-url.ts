import { domainToASCII } from 'node:url';
import type { Config } from '../../platform/config.ts';
import { forwardedElements, otherSchemeHeaders } from './forwarded.ts';

/** What of a request says under which address it was made: of Express, of `http` and of a handshake alike. */
export interface BaseUrlRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  socket: { remoteAddress?: string | undefined; encrypted?: boolean };
}

const hostPattern = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;
const prefixPattern = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/;

/** Schemes of links, by what proxies say; some name the one of a WebSocket while they open it. */
const schemes: ReadonlyMap<string, string> = new Map([
  ['http', 'http'],
  ['https', 'https'],
  ['ws', 'http'],
  ['wss', 'https'],
]);

/** The configured beginning of links: `PUBLIC_URL`, without a slash at its end; undefined where it is not set. */
export function publicBase({ publicUrl }: Pick<Config, 'publicUrl'>): string | undefined {
  return publicUrl?.replace(/[?#].*$/, '').replace(/\/+$/, '');
}

/**
 * The address that links to this server begin with, without a slash at its end (docs-api 2.2): `PUBLIC_URL`,
 * else what the request says. The forwarding headers count only when a trusted proxy made the connection: a
 * browser that could set them would send integrators to a host of its choice. `X-Forwarded-Host` may have a path
 * behind the host, as published proxy files of servers of this kind set it. `Forwarded` (RFC 7239) counts where
 * there is none of the others. Values that are no host or path
 * are passed over, so that nothing else can enter a link.
 */
export function baseUrl(request: BaseUrlRequest, config: Pick<Config, 'publicUrl' | 'trustProxy'>): string {
  const settled = publicBase(config);
  if (settled !== undefined) return settled;
  const { headers, socket } = request;
  const isTrusted = config.trustProxy.includes(socket.remoteAddress);
  const forwarded = (name: string): string => (isTrusted ? first(headers[name]) : '');
  const [outermost = {}] = isTrusted ? forwardedElements(headers) : [];
  const scheme = [
    forwarded('cloudfront-forwarded-proto'),
    forwarded('x-forwarded-proto'),
    schemeOfSwitch(forwarded('x-forwarded-ssl')),
    outermost.proto ?? '',
    ...otherSchemeHeaders.map((name) => schemeOfSwitch(forwarded(name))),
  ]
    .map((value) => schemes.get(value.toLowerCase()))
    .find((value) => value !== undefined);
  const place = placeIn(forwarded('x-forwarded-host') || (outermost.host ?? ''));
  const host = place?.host ?? readHost(first(headers.host)) ?? 'localhost';
  const port = portBehind(host, forwarded('x-forwarded-port'));
  const origin = `${scheme ?? (socket.encrypted ? 'https' : 'http')}://${host}${port}`;
  const [path, prefix] = [place?.path ?? '', readPrefix(forwarded('x-forwarded-prefix'))];
  // Some proxies say the same path twice.
  return path === prefix ? origin + path : origin + path + prefix;
}

/** A scheme, where a proxy says `on` in place of `https`. */
const schemeOfSwitch = (value: string): string => (value.toLowerCase() === 'on' ? 'https' : value);

/** The port that `X-Forwarded-Port` adds to a host without one. The usual ones stand in no address, whichever scheme it has. */
function portBehind(host: string, port: string): string {
  const hasPort = /:\d+$/.test(host.replace(/^\[.*\]/, ''));
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  const isUsual = number === 80 || number === 443;
  return hasPort || isUsual || number < 1 || number > 65_535 ? '' : `:${number}`;
}

/** The host and the path in `X-Forwarded-Host`, which some proxies give with the path under which they have this server. */
function placeIn(text: string): { host: string; path: string } | null {
  const end = text.includes('/') ? text.indexOf('/') : text.length;
  const [host, rest] = [readHost(text.slice(0, end)), text.slice(end).replace(/\/+$/, '')];
  if (host === null || (rest !== '' && !prefixPattern.test(rest))) return null;
  return { host, path: rest };
}

/** A host as it stands in an address, an international name in its ASCII form; null where the text is none. */
function readHost(text: string): string | null {
  if (hostPattern.test(text)) return text;
  const [, name = '', port = ''] = /^(.*?)(:\d{1,5})?$/s.exec(Buffer.from(text, 'latin1').toString()) ?? [];
  if (!/^[A-Za-z0-9._\u0080-\uffff-]+$/.test(name)) return null;
  const host = domainToASCII(name) + port;
  return hostPattern.test(host) ? host : null;
}

/** A path prefix, also one that was written without its slash; empty where the text is none. */
function readPrefix(text: string): string {
  const path = text.replace(/\/+$/, '');
  const prefix = path.startsWith('/') || path === '' ? path : `/${path}`;
  return prefixPattern.test(prefix) ? prefix : '';
}

/** A host as it is written in an address: IPv6 in brackets. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The address of a port. `local` is the name of this machine, for ports that are open at all of its addresses. */
export function portAddress(host: string | undefined, port: number, local: string): string {
  const isEverywhere = host === undefined || host === '' || host === '0.0.0.0' || host === '::';
  return `http://${isEverywhere ? local : hostInUrl(host)}:${port}`;
}

/** The first value of a header that proxies append to. */
function first(value: string | string[] | undefined): string {
  const text = Array.isArray(value) ? value[0] : value;
  return text?.split(',')[0]?.trim() ?? '';
}

/**
 * The prefix `/{x.y.z}-{tag}` that every address of the server may have (integration API, 2.1). Each version has another
 * prefix, so that browsers can cache what is below it for a year. The tag is any text without a slash; a hash is common. It has
 * no percent sign either: a proxy that decodes it would see other segments than this server.
 */
export const versionPrefixPattern = String.raw`/\d+\.\d+\.\d+-[^/?#%]+`;

const atStart = new RegExp(`^${versionPrefixPattern}(?=/)`);

/** An address without its version prefix, and whether it had one. */
export function withoutVersionPrefix(url: string): { url: string; hadPrefix: boolean } {
  const rest = url.replace(atStart, '');
  return { url: rest, hadPrefix: rest.length < url.length };
}
