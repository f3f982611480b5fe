import type { IncomingMessage } from 'node:http';
import { addressGroup } from '../../../platform/config/address-list.ts';
import { FairQuota, type QuotaSlot } from '../../../platform/fair-quota.ts';
import type { UnauthenticatedEnd } from '../../../platform/metrics/transport.ts';
import type { KnownToken } from '../../../platform/secrets/tokens.ts';
import type { Connection, Handshake } from './connection.ts';
import { type Door, noPlace, type Place } from './door.ts';
import type { Transport } from './transport.ts';

/** Largest message of a connection that has not signed in, bytes: an `auth` with long tokens fits. */
export const untrustedPayloadBytes = 1_000_000;

/** Whether a handshake is right; `known`: the token that it showed. */
export type HandshakeResult =
  | { ok: true; known: KnownToken | null }
  | { ok: false; code: number; description: string };

/** What the gateways need to know from the rest of the server. */
export interface GatewayHost {
  handshakeOf(request: IncomingMessage): Handshake;
  /** Who made a request, as far as trusted proxies vouch for it. */
  addressOf(request: IncomingMessage): string | undefined;
  /** Checks the token shown when a connection is made. */
  verifyHandshake(auth: unknown): Promise<HandshakeResult>;
  /** Makes the connection of a new client, with an id that everybody may know; `known`: the token that it has shown. */
  connect(handshake: Handshake, transport: Transport, known?: KnownToken | null): Connection;
  /** The connection is set up: greets the client. */
  greet(connection: Connection): void;
  /** Whether the server is out of service: new connections are refused for good. */
  isRetired(): boolean;
  /** Whether a new connection is asked to go to another server: this one is about to stop, or is drained. */
  sendsAway(): boolean;
  /** Where handshakes wait to be let in. */
  door: Pick<Door, 'knock'>;
}

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
  /** It signed in, which took so long, milliseconds, without what the client took. */
  signedIn(latencyMs: number): void;
  /** It is gone. */
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

  /**
   * Takes a connection in, which gives its place at the door back when it has signed in or is gone. `end` is called when it has not
   * signed in in time, or when another one needs its place.
   */
  admit(address: string | undefined, place: Place, end: () => void): UnauthenticatedConnection {
    return new Unauthenticated(this.#limits, this.#quota, addressGroup(address), place, end, this.#onEnded);
  }
}

const nothing = (): void => undefined;

/** It is kept for as long as its connection, and holds nothing of it once that has signed in. */
class Unauthenticated implements UnauthenticatedConnection {
  end: () => void;
  #place: Place;
  #slot: QuotaSlot | null;
  /** When it has to have signed in, in the time of `performance.now()`. */
  readonly #dueMs: number;
  readonly #onEnded: (why: UnauthenticatedEnd) => void;
  #timer: NodeJS.Timeout | null;

  constructor(
    { handshakeTimeoutMs, authTimeoutMs }: UnauthenticatedLimits,
    quota: FairQuota,
    group: string,
    place: Place,
    end: () => void,
    onEnded: (why: UnauthenticatedEnd) => void,
  ) {
    this.end = end;
    this.#place = place;
    this.#onEnded = onEnded;
    this.#dueMs = performance.now() + authTimeoutMs;
    this.#timer = setTimeout(() => this.#expire('silent'), Math.min(handshakeTimeoutMs, authTimeoutMs));
    this.#slot = quota.acquire(group, () => this.#expire('crowded'));
  }

  spoke(): void {
    if (!this.#timer) return;
    this.#slot?.heard();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#expire('late'), this.#dueMs - performance.now());
  }

  signedIn(latencyMs: number): void {
    this.#place.served(latencyMs);
    this.leave();
  }

  leave(): void {
    this.#place.leave();
    this.#place = noPlace;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#slot?.release();
    this.#slot = null;
    this.end = nothing;
  }

  #expire(why: UnauthenticatedEnd): void {
    const { end } = this;
    this.leave();
    this.#onEnded(why);
    end();
  }
}
