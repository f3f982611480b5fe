import type { IncomingMessage } from 'node:http';
import { addressGroup } from '../../../platform/config/address-list.ts';
import type { UnauthenticatedEnd } from '../../../platform/metrics/transport.ts';
import type { Connection, Handshake, Transport } from './connection.ts';
import { FairQuota } from './fair-quota.ts';

/** Largest message of a connection that has not signed in, bytes: an `auth` with long tokens fits. */
export const untrustedPayloadBytes = 1_000_000;

export type HandshakeResult = { ok: true } | { ok: false; code: number; description: string };

/** What the gateways need to know from the rest of the server. */
export interface GatewayHost {
  handshakeOf(request: IncomingMessage): Handshake;
  /** Who made a request, as far as trusted proxies vouch for it. */
  addressOf(request: IncomingMessage): string | undefined;
  /** Checks the token shown when a connection is made. */
  verifyHandshake(auth: unknown): Promise<HandshakeResult>;
  /** Makes the connection of a new client. */
  connect(id: string, handshake: Handshake, transport: Transport): Connection;
  /** The connection is set up: greets the client. */
  greet(connection: Connection): void;
  /** Whether the server is out of service: new connections are refused for good. */
  isRetired(): boolean;
  /** Whether the server is about to stop, or drained: new connections are asked to go to another one, or to come later. */
  isLeaving(): boolean;
}

/** A proxy then asks another server; clients try again by themselves. */
export const comeElsewhere =
  'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\r\n';

export interface UnauthenticatedLimits {
  /** Most connections that have not signed in. */
  maxConnections: number;
  /** How long one may say nothing, milliseconds. */
  handshakeTimeoutMs: number;
  /** How long one may take to sign in, milliseconds. */
  authTimeoutMs: number;
}

/** A connection that has not signed in. */
export interface UnauthenticatedConnection {
  /** Ends the connection; called at most once. */
  end: () => void;
  /** It has said what clients say first. */
  spoke(): void;
  /** It signed in or is gone. */
  leave(): void;
}

/**
 * Bounds how many connections that have not signed in may be open, and for how long. Nobody is refused: when there are
 * too many, one of the address that has the most is ended.
 */
export class UnauthenticatedConnections {
  readonly #limits: UnauthenticatedLimits;
  readonly #onEnded: (why: UnauthenticatedEnd) => void;
  readonly #quota: FairQuota;

  constructor(limits: UnauthenticatedLimits, onEnded: (why: UnauthenticatedEnd) => void) {
    this.#limits = limits;
    this.#onEnded = onEnded;
    this.#quota = new FairQuota(limits.maxConnections);
  }

  get count(): number {
    return this.#quota.taken;
  }

  /** Takes a connection in. `end` is called when it has not signed in in time, or when another one needs its place. */
  admit(address: string | undefined, end: () => void): UnauthenticatedConnection {
    const { handshakeTimeoutMs, authTimeoutMs } = this.#limits;
    const expire = (why: UnauthenticatedEnd) => {
      pending.leave();
      this.#onEnded(why);
      pending.end();
    };
    const cameAtMs = performance.now();
    const silentMs = Math.min(handshakeTimeoutMs, authTimeoutMs);
    let timer: NodeJS.Timeout | null = setTimeout(() => expire('silent'), silentMs);
    const slot = this.#quota.acquire(addressGroup(address), () => expire('crowded'));
    const pending: UnauthenticatedConnection = {
      end,
      spoke: () => {
        if (!timer) return;
        slot.heard();
        clearTimeout(timer);
        timer = setTimeout(() => expire('late'), cameAtMs + authTimeoutMs - performance.now());
      },
      leave: () => {
        if (timer) clearTimeout(timer);
        timer = null;
        slot.release();
      },
    };
    return pending;
  }
}
