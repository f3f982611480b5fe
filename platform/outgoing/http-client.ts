import type { Agent, IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { type AddressRules, checkHost } from './address-rules.ts';
import { exchange, UsedConnectionError } from './exchange.ts';
import { checkName, guardedAgent, type Resolve } from './guarded-agent.ts';
import { ProxyConnections, type ProxyOf, type ProxyRoute, proxyOfEnvironment } from './proxies.ts';
import { asRequestError, RequestError, safeAddress } from './request-error.ts';
import { requestTarget } from './request-target.ts';
import { decoded, discard } from './response-body.ts';

/** One request of ours. */
export interface OutgoingRequest {
  url: string;
  method: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Whether a verified token vouches for the address, which may then be a private one (docs-api 15.1). */
  fromVerifiedToken: boolean;
  /** Whether redirects are followed; where not, they are answers like others. True unless set. */
  followsRedirects?: boolean;
  /**
   * Whether it does no harm twice: a server may have ended the connection that it is sent on, and then it is sent again on
   * another one. True for GET and false for others unless set.
   */
  isRepeatable?: boolean;
  /** Longest pause within the answer, milliseconds. */
  idleTimeoutMs: number;
  /** Ends the request at any time, also while its body is read. */
  signal: AbortSignal;
}

/** The answer at the end of any redirects, with its body as it was before any compression. It must be read or discarded. */
export interface OutgoingResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
  /** Where it came from. */
  url: URL;
}

const maxRedirects = 5;
const connectTimeoutMs = 30_000;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

type Protocol = 'http:' | 'https:';

type Agents = Readonly<Record<Protocol, Agent>>;

/** Where requests may go, and what makes connections under these rules: such as are kept, and such as are used once. */
interface Access {
  readonly rules: AddressRules;
  readonly kept: Agents;
  readonly fresh: Agents;
}

function accessBy(rules: AddressRules, resolve?: Resolve): Access {
  const agents = (keepAlive: boolean): Agents => ({
    'http:': guardedAgent('http:', { rules, keepAlive, resolve }),
    'https:': guardedAgent('https:', { rules, keepAlive, resolve }),
  });
  return { rules, kept: agents(true), fresh: agents(false) };
}

/**
 * HTTP to addresses that others chose. Which hosts may be contacted is decided for every connection and every
 * redirect, on the address that is connected to.
 */
export class HttpClient {
  readonly #vouched: Access;
  readonly #unvouched: Access;
  readonly #proxyOf: ProxyOf;
  readonly #proxies = new ProxyConnections();
  readonly #resolve: Resolve | undefined;
  #isClosed = false;

  /** A client for addresses that the operator of this program has chosen: they may lead anywhere. */
  static forOperator(): HttpClient {
    return new HttpClient({ allowPrivateIpAddress: true, allowMetaIpAddress: true });
  }

  /** `resolve` replaces the system's resolver, and `proxyOf` what the environment says of proxies. */
  constructor(
    config: Pick<Config, 'allowPrivateIpAddress' | 'allowMetaIpAddress'> & Partial<Pick<Config, 'ipFilter'>>,
    resolve?: Resolve,
    proxyOf: ProxyOf = proxyOfEnvironment,
  ) {
    this.#proxyOf = proxyOf;
    this.#resolve = resolve;
    const { allowMetaIpAddress: allowMetadata, ipFilter: filter } = config;
    this.#vouched = accessBy({ allowPrivate: true, allowMetadata, filter }, resolve);
    this.#unvouched = accessBy(
      { allowPrivate: config.allowPrivateIpAddress, allowMetadata, filter },
      resolve,
    );
  }

  /**
   * Sends a request and follows up to five redirects. Headers go no further than the origin they are meant
   * for, and a token vouches only for the host in the address it signed.
   * @throws RequestError
   */
  async send(outgoing: OutgoingRequest): Promise<OutgoingResponse> {
    let url = parseAddress(outgoing.url);
    let path = requestTarget(outgoing.url, url);
    let headers = outgoing.headers ?? {};
    let vouched = outgoing.fromVerifiedToken;
    let from: URL | null = null;
    for (let redirects = 0; ; redirects += 1) {
      const response = await this.#sendOnce(outgoing, { url, path, headers }, vouched).catch(
        (error: unknown) => {
          throw from === null ? error : ofRedirect(error, from);
        },
      );
      const location = response.headers.location;
      const isRedirect = redirectStatuses.has(response.status) && typeof location === 'string';
      if (!isRedirect || outgoing.followsRedirects === false) return response;
      // A POST stays one: sent as a GET it would lose its body and might still be answered with success.
      if (response.status === 303 && outgoing.method !== 'GET') return response;
      discard(response);
      if (redirects === maxRedirects) {
        throw new RequestError('redirects', `${safeAddress(outgoing.url)} redirects too often`);
      }
      const place = bytesWritten(location);
      const next = parseRedirect(place, url);
      if (next.origin !== url.origin) headers = withoutCredentials(headers);
      vouched &&= isSameHost(url, next);
      from = url;
      url = next;
      path = requestTarget(place, url);
    }
  }

  /** Ends all connections, and with them the requests under way; none can be sent any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { kept, fresh } of [this.#vouched, this.#unvouched]) {
      for (const agent of [...Object.values(kept), ...Object.values(fresh)]) agent.destroy();
    }
    this.#proxies.close();
  }

  async #sendOnce(
    outgoing: OutgoingRequest,
    { url, path, headers }: { url: URL; path: string; headers: Readonly<Record<string, string>> },
    isVouched: boolean,
  ): Promise<OutgoingResponse> {
    if (this.#isClosed) throw new RequestError('cancelled', 'No requests are sent any more');
    const access = isVouched ? this.#vouched : this.#unvouched;
    const ask = (proxy: URL | null, keepAlive: boolean) => {
      const route = this.#routeOf(url, proxy, access, keepAlive);
      return exchange(url, {
        path,
        method: outgoing.method,
        headers: { 'user-agent': 'Quire', 'accept-encoding': 'identity', ...headers, ...route.headers },
        body: outgoing.body,
        agent: route.agent,
        relay: route.relay,
        connectTimeoutMs,
        idleTimeoutMs: outgoing.idleTimeoutMs,
        signal: outgoing.signal,
      });
    };
    const proxy = this.#proxyOf(url);
    try {
      checkHost(url.hostname, access.rules);
      if (proxy) await checkName(url.hostname, access.rules, this.#resolve);
      const answer = await ask(proxy, true).catch((err: unknown) => {
        if (!(err instanceof UsedConnectionError && isRepeatable(outgoing))) throw err;
        return ask(proxy, false);
      });
      return { status: answer.statusCode!, url, ...decoded(answer, url) };
    } catch (err) {
      const error = asRequestError(err, url, outgoing.signal);
      if (proxy === null || error.code !== 'network') throw error;
      throw new RequestError('network', `${error.message}, by the proxy ${proxy.origin}`, { cause: err });
    }
  }

  #routeOf(url: URL, proxy: URL | null, { kept, fresh }: Access, keepAlive: boolean): ProxyRoute {
    if (proxy) return this.#proxies.route(url, proxy, keepAlive);
    const agent = (keepAlive ? kept : fresh)[url.protocol as Protocol];
    return { agent, relay: null, headers: {} };
  }
}

const isRepeatable = ({ method, isRepeatable }: OutgoingRequest): boolean => isRepeatable ?? method === 'GET';

/** Credentials in an address would be sent to wherever it leads, so such addresses are not used at all. */
function parseAddress(address: string): URL {
  return usable(address, undefined, 'The address');
}

/** The bytes of `Location` as they come; some servers send letters of UTF-8, and Node reads each byte as a character. */
const bytesWritten = (location: string): string =>
  location.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);

/** `from` names itself in an error: the address that it redirects to may be nobody's. */
function parseRedirect(location: string, from: URL): URL {
  return usable(location, from, `${safeAddress(from)} redirects to an address that`);
}

/** What became of a redirect; where it may not be followed, why, and what changes that. */
function ofRedirect(error: unknown, from: URL): unknown {
  if (!(error instanceof RequestError) || error.code !== 'refused') return error;
  const why = `${safeAddress(from)} redirects there, and a token vouches for its own host alone`;
  return new RequestError('refused', `${error.message}: ${why} (ALLOW_PRIVATE_IP_ADDRESS)`, { cause: error });
}

function usable(address: string, base: URL | undefined, subject: string): URL {
  if (!URL.canParse(address, base?.href)) throw new RequestError('address', `${subject} is malformed`);
  const url = new URL(address, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new RequestError('address', `${subject} is neither http nor https`);
  }
  if (url.username || url.password)
    throw new RequestError(
      'address',
      `${subject} holds a name and a password, which are sent nowhere: give it without them`,
    );
  url.hash = '';
  return url;
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = ([name]: [string, string]) =>
    /^(accept|content-type|range|if-none-match|if-modified-since)$/i.test(name);
  return Object.fromEntries(Object.entries(headers).filter(kept));
}

/** The same name, at the same or the scheme's own port: http to https counts, another port on the host does not. */
function isSameHost(from: URL, to: URL): boolean {
  return from.hostname === to.hostname && (from.port === to.port || to.port === '');
}
