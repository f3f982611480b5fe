import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { versionPrefixPattern } from '../../version-prefix.ts';
import type { Connection, Handshake, Transport } from './connection.ts';

/** Largest message of a connection that has not signed in, bytes: an `auth` with long tokens fits. */
export const untrustedPayloadBytes = 1_000_000;

export type HandshakeResult = { ok: true } | { ok: false; code: number; description: string };

/** What the gateways need to know from the rest of the server. */
export interface GatewayHost {
  handshakeOf(request: IncomingMessage): Handshake;
  /** Checks the token shown when a connection is made. */
  verifyHandshake(auth: unknown): Promise<HandshakeResult>;
  /** Makes the connection of a new client. */
  connect(id: string, handshake: Handshake, transport: Transport): Connection;
  /** The connection is set up: greets the client. */
  greet(connection: Connection): void;
  /** Whether the server is out of service: whoever comes is sent away for good. */
  isRetired(): boolean;
  /** Whether the server is about to stop, or drained: whoever comes is asked to come to another one, or later. */
  isLeaving(): boolean;
}

/** Proxies take it for a reason to ask another server; clients come again by themselves. */
export const comeElsewhere =
  'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\r\n';

/**
 * Bounds what strangers can make the server hold: how many connections may be open that have not signed in, and for
 * how long.
 */
export class Gatekeeper {
  readonly #maxStrangers: number;
  readonly #authTimeoutMs: number;
  readonly #arriving = new Set<Duplex>();
  #strangers = 0;

  constructor(maxStrangers: number, authTimeoutMs: number) {
    this.#maxStrangers = maxStrangers;
    this.#authTimeoutMs = authTimeoutMs;
  }

  get isFull(): boolean {
    return this.#strangers + this.#arriving.size >= this.#maxStrangers;
  }

  /** Whether a connection whose handshake takes a moment may come in. It counts until it has arrived or is gone. */
  admit(socket: Duplex): boolean {
    if (this.isFull) return false;
    this.#arriving.add(socket);
    socket.once('close', () => this.#arriving.delete(socket));
    return true;
  }

  /** An admitted connection is set up; from here on it is watched. */
  arrived(socket: Duplex): void {
    this.#arriving.delete(socket);
  }

  get strangers(): number {
    return this.#strangers;
  }

  /** Counts a stranger. The function returned is to be called when it signed in or went away; `expire` runs if neither. */
  watch(expire: () => void): () => void {
    this.#strangers += 1;
    let watching = true;
    const stop = () => {
      if (!watching) return;
      watching = false;
      this.#strangers -= 1;
      clearTimeout(timer);
    };
    const timer = setTimeout(() => {
      stop();
      expire();
    }, this.#authTimeoutMs);
    return stop;
  }
}

/** The document part of `/doc/{key}/c/…` and `/ws/{key}`, behind an optional version prefix. */
const versionPrefix = `(?:${versionPrefixPattern})?`;
const engineIoPath = new RegExp(`^${versionPrefix}/doc/`, 'i');
const documentPath = new RegExp(`^${versionPrefix}/doc/[0-9A-Za-z\\-._=]*/c.`, 'i');
const plainPath = new RegExp(`^${versionPrefix}/ws/([0-9A-Za-z\\-._=]{1,240})/?(?:\\?|$)`, 'i');

export const isEngineIoPath = (url: string): boolean => engineIoPath.test(url);
/** Whether the address names a document as clients do (co-authoring protocol, section 2.1). */
export const namesDocument = (url: string): boolean => documentPath.test(url);
export const isPlainPath = (url: string): boolean => plainPath.test(url);
