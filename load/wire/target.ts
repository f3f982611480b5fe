import { isIP } from 'node:net';
import { QuireError, type QuireErrorOptions } from '../../platform/quire-error.ts';

/** Why a client does not get in. Who is told that the server is `busy` is to come again. */
export type ConnectFailure = 'unreachable' | 'busy' | 'refused' | 'ended' | 'not_opened';

export class ConnectError extends QuireError<ConnectFailure> {
  /** For how long the server asks to stay away, milliseconds; 0 where it does not say. */
  readonly retryAfterMs: number;

  constructor(
    code: ConnectFailure,
    message: string,
    { retryAfterMs = 0, ...options }: QuireErrorOptions & { retryAfterMs?: number } = {},
  ) {
    super(code, message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Clients of Socket.IO wait so long for a connection, milliseconds. */
export const connectWithinMs = 20_000;

/** How a connection is opened. */
export interface OpenOptions {
  /** The address that it comes from. */
  localAddress?: string | undefined;
  /** How long the server may take to answer, milliseconds. */
  withinMs?: number | undefined;
  /** Whoever wants to connect goes away. */
  signal?: AbortSignal | undefined;
}

/** The server that load is put on. */
export interface Target {
  /** With any path prefix, without a slash at its end. */
  readonly url: URL;
  /** Whether the server is on this machine and its connections may come from any address of 127.0.0.0/8. */
  readonly isLoopback: boolean;
}

const loopback = (host: string): boolean =>
  host === 'localhost' || (isIP(host) === 4 && host.startsWith('127.')) || host === '[::1]';

/** @throws TypeError when the text is no address of a server */
export function targetOf(text: string): Target {
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError('Neither http nor https');
  url.pathname = url.pathname.replace(/\/+$/, '');
  return { url, isLoopback: loopback(url.hostname) };
}

/** A server that listens on this machine. */
export const localTarget = (port: number): Target => targetOf(`http://127.0.0.1:${port}`);

/**
 * Addresses of 127.0.0.0/8 that connections take in turn. Linux gives an address 28,000 ports, and to find a free one among
 * some thousands in use took 1.7 ms of system time for each connection; with few connections to an address it is 0.05 ms.
 */
const loopbackAddresses = 8_192;

/** The address that a connection comes from. Undefined where the system is to choose. */
export function sourceAddress(target: Target, connection: number): string | undefined {
  if (!target.isLoopback || target.url.hostname === '[::1]' || process.platform !== 'linux') return undefined;
  const number = connection % loopbackAddresses;
  return `127.1.${number >> 7}.${(number & 0x7f) + 1}`;
}

/** The host as sockets want it. */
export const hostOf = ({ url }: Target): string =>
  url.hostname === 'localhost' ? '127.0.0.1' : url.hostname.replace(/^\[|\]$/g, '');

export const portOf = ({ url }: Target): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
