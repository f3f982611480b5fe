import type { Clock } from './clock.ts';
import type { ClientMessage } from './protocol/index.ts';
import { Backoff, type ReconnectOptions } from './reconnect.ts';
import type { Credentials, Dial, Transport, TransportEnd } from './transports/transport.ts';

/** A transport that has not opened by then is given up. */
const dialTimeoutMs = 20_000;
/** A server that asks for a longer pause is not believed, milliseconds. */
const longestAskedMs = 60_000;

export interface ConnectionHandlers {
  /** A transport is open; called again after every reconnect. */
  up(): void;
  message(value: unknown): void;
  /** The transport was lost and another will be tried. */
  down(detail: string): void;
  /** There will be no other transport. */
  end(end: TransportEnd): void;
}

export interface ConnectionOptions {
  dial: Dial;
  credentials: () => Credentials;
  reconnect: ReconnectOptions;
  clock: Clock;
}

/**
 * One transport after another. At most one is alive; nothing of an earlier one reaches the handlers.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #handlers: ConnectionHandlers;
  readonly #backoff: Backoff;
  #transport: Transport | null = null;
  #open = false;
  #cancelRetry: (() => void) | null = null;
  #cancelDialTimeout: (() => void) | null = null;
  #settledAt: number | null = null;
  #stopped = false;

  constructor(options: ConnectionOptions, handlers: ConnectionHandlers) {
    this.#options = options;
    this.#handlers = handlers;
    this.#backoff = new Backoff(options.reconnect, options.clock);
  }

  start(): void {
    let current: Transport | null = null;
    const isCurrent = () => current !== null && current === this.#transport;
    const transport = this.#options.dial(this.#options.credentials(), {
      open: () => {
        if (!isCurrent()) return;
        this.#open = true;
        this.#cancelDialTimeout?.();
        this.#handlers.up();
      },
      message: (value) => {
        if (isCurrent()) this.#handlers.message(value);
      },
      end: (end) => {
        if (!isCurrent()) return;
        if (end.kind === 'lost') this.#retry(end.detail, end.retryAfterMs);
        else this.#finish(end);
      },
    });
    current = transport;
    this.#transport = transport;
    this.#cancelDialTimeout = this.#options.clock.after(dialTimeoutMs, () =>
      this.restart('no connection in time'),
    );
  }

  /** False if there is no open transport; the message is then not kept. */
  send(message: ClientMessage): boolean {
    if (!this.#open || !this.#transport) return false;
    this.#transport.send(message);
    return true;
  }

  /** Gives the transport up and tries another, after the usual delay. */
  restart(detail: string): void {
    if (this.#stopped || this.#cancelRetry) return;
    this.#transport?.close();
    this.#retry(detail);
  }

  /** A session is established on this transport. */
  settled(): void {
    this.#backoff.succeeded();
    this.#settledAt = this.#options.clock.now();
  }

  /** The session got something done. */
  progressed(): void {
    this.#backoff.calm();
  }

  /** Closes for good, without calling a handler. */
  stop(): void {
    this.#stopped = true;
    this.#open = false;
    this.#cancelDialTimeout?.();
    this.#cancelRetry?.();
    this.#transport?.close();
    this.#transport = null;
  }

  /** `atLeastMs`: the server asks to come again no sooner. */
  #retry(detail: string, atLeastMs = 0): void {
    this.#cancelDialTimeout?.();
    this.#transport = null;
    this.#open = false;
    const { clock, reconnect } = this.#options;
    if (this.#settledAt !== null && clock.now() - this.#settledAt >= reconnect.maxDelayMs)
      this.#backoff.calm();
    this.#settledAt = null;
    const delayMs = this.#backoff.next();
    if (delayMs === null) {
      this.#finish({ kind: 'lost', detail });
      return;
    }
    const pauseMs = Math.max(delayMs, Math.min(atLeastMs, longestAskedMs));
    this.#cancelRetry = clock.after(pauseMs, () => {
      this.#cancelRetry = null;
      this.start();
    });
    this.#handlers.down(detail);
  }

  #finish(end: TransportEnd): void {
    this.stop();
    this.#handlers.end(end);
  }
}
