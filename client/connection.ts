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
 * One transport after another. At most one is heard; nothing of an earlier one reaches the handlers. Where the server lets its people
 * go, the next one is dialled while the one before goes on.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #handlers: ConnectionHandlers;
  readonly #backoff: Backoff;
  #transport: Transport | null = null;
  /** Dialled to take the place of the open one. */
  #next: Transport | null = null;
  /** Its place was taken. It is closed when the session goes on, so that others do not see this client leave. */
  #former: Transport | null = null;
  #cancelMove: (() => void) | null = null;
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
    this.#transport = this.#dial();
  }

  /** The server lets its people go: another transport takes the place of the open one, which is heard until that is open, too. */
  move(): void {
    if (this.#open && !this.#next && !this.#cancelMove) this.#moveIn(0);
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
    this.#leaveFormer();
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
    this.#cancelMove?.();
    this.#leaveFormer();
    this.#next?.close();
    this.#next = null;
    this.#transport?.close();
    this.#transport = null;
  }

  #dial(): Transport {
    let current: Transport | null = null;
    const isCurrent = () => current !== null && current === this.#transport;
    const isNext = () => current !== null && current === this.#next;
    const transport = this.#options.dial(this.#options.credentials(), {
      open: () => {
        if (isNext()) this.#takeOver();
        if (!isCurrent()) return;
        this.#open = true;
        this.#cancelDialTimeout?.();
        this.#handlers.up();
      },
      message: (value) => {
        if (isCurrent()) this.#handlers.message(value);
      },
      end: (end) => {
        if (isNext()) this.#nextEnded(end);
        else if (!isCurrent()) return;
        else if (end.kind === 'lost') this.#retry(end.detail, end.retryAfterMs);
        else this.#finish(end);
      },
    });
    current = transport;
    this.#cancelDialTimeout = this.#options.clock.after(dialTimeoutMs, () => {
      const detail = 'no connection in time';
      if (!isNext()) return this.restart(detail);
      transport.close();
      this.#nextEnded({ kind: 'lost', detail });
    });
    return transport;
  }

  #moveIn(atLeastMs: number): void {
    const { clock, reconnect } = this.#options;
    const pauseMs = Math.max(reconnect.initialDelayMs * clock.random(), atLeastMs);
    this.#cancelMove = clock.after(pauseMs, () => {
      this.#cancelMove = null;
      this.#next = this.#dial();
    });
  }

  #takeOver(): void {
    this.#leaveFormer();
    this.#former = this.#transport;
    this.#transport = this.#next;
    this.#next = null;
    this.#handlers.down('moved');
  }

  /** The attempt may have been led back to the server that lets its people go. Who is refused stays until that ends the connection. */
  #nextEnded(end: TransportEnd): void {
    this.#cancelDialTimeout?.();
    this.#next = null;
    if (end.kind === 'lost') this.#moveIn(Math.min(end.retryAfterMs ?? 0, longestAskedMs));
  }

  #leaveFormer(): void {
    this.#former?.close();
    this.#former = null;
  }

  /** `atLeastMs`: the server asks to come again no sooner. */
  #retry(detail: string, atLeastMs = 0): void {
    this.#leaveFormer();
    this.#cancelMove?.();
    this.#cancelMove = null;
    this.#transport = this.#next;
    this.#next = null;
    this.#open = false;
    // The next one is on its way.
    if (this.#transport) {
      this.#handlers.down(detail);
      return;
    }
    this.#cancelDialTimeout?.();
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
