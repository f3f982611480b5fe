import type { Agent } from 'node:http';
import { isIPv4 } from 'node:net';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';
import { agentFor, endingWhatIsSentUnasked, unusedConnectionMs } from './guarded-agent.ts';
import { RequestError } from './request-error.ts';

/** By which proxy an address is asked for; null where it is asked for directly. */
export type ProxyOf = (url: URL) => URL | null;

/**
 * The proxy that the environment names for an address: `HTTP_PROXY`, `HTTPS_PROXY` and `ALL_PROXY`, but for hosts in `NO_PROXY`,
 * in capitals or not, as most programs read them. This machine itself is always asked directly.
 *
 * @throws RequestError where the variable holds no address
 */
export function proxyOfEnvironment(url: URL): URL | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost') || isLoopback(host)) return null;
  const proxy = getProxyForUrl(url.href);
  if (proxy === '') return null;
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol))
    throw new RequestError('address', 'HTTP_PROXY or HTTPS_PROXY is not the address of an HTTP proxy');
  return new URL(proxy);
}

const isLoopback = (host: string): boolean => (host.startsWith('127.') ? isIPv4(host) : host === '::1');

/** What a request needs that goes by a proxy. */
export interface ProxyRoute {
  /** To where the connection leads: the proxy, or through it to the host of the address. */
  agent: Agent;
  /** The proxy, where the whole address is asked of it; null where there is a tunnel through it. */
  relay: URL | null;
  /** Headers for the proxy alone. */
  headers: Readonly<Record<string, string>>;
}

/** Connections by proxies: to HTTP addresses by asking the proxy for them, to HTTPS addresses by tunnels through it. */
export class ProxyConnections {
  readonly #agents = new Map<string, Agent>();

  route(url: URL, proxy: URL, keepAlive: boolean): ProxyRoute {
    const isTunnel = url.protocol === 'https:';
    const name = `${isTunnel} ${keepAlive} ${proxy.href}`;
    const agent = this.#agents.get(name) ?? newAgent(proxy, isTunnel, keepAlive);
    this.#agents.set(name, agent);
    return { agent, relay: isTunnel ? null : proxy, headers: isTunnel ? {} : credentialsOf(proxy) };
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }
}

function newAgent(proxy: URL, isTunnel: boolean, keepAlive: boolean): Agent {
  if (!isTunnel) return agentFor(proxy.protocol as 'http:' | 'https:', { keepAlive });
  return endingWhatIsSentUnasked(new HttpsProxyAgent(proxy, { keepAlive, timeout: unusedConnectionMs }));
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` };
}
