import { isIP } from 'node:net';
import { QuireError } from '../../platform/quire-error.ts';

/** Why a client does not get in. */
export type ConnectFailure = 'unreachable' | 'refused' | 'ended' | 'not_opened';

export class ConnectError extends QuireError<ConnectFailure> {}

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

/** Connections of one source address to one port: Linux gives 28,000 ports to programs, and some are in other use. */
const connectionsPerAddress = 10_000;

/**
 * The address that a connection comes from, so that ports do not run out: another one of 127.0.0.0/8 for every 10,000.
 * Undefined where the system is to choose.
 */
export function sourceAddress(target: Target, connection: number): string | undefined {
  if (!target.isLoopback || target.url.hostname === '[::1]' || process.platform !== 'linux') return undefined;
  const number = Math.floor(connection / connectionsPerAddress) + 2;
  return `127.${(number >> 16) & 0xff}.${(number >> 8) & 0xff}.${number & 0xff}`;
}

/** The host as sockets want it. */
export const hostOf = ({ url }: Target): string =>
  url.hostname === 'localhost' ? '127.0.0.1' : url.hostname.replace(/^\[|\]$/g, '');

export const portOf = ({ url }: Target): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
