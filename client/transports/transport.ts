import type { ClientMessage } from '../protocol/index.ts';

/**
 * How a transport ended. `lost`: come back, after `retryAfterMs` at the earliest. `dismissed`: the server ended it on purpose, stay away.
 * `refused`: the server did not accept the handshake token.
 */
export type TransportEnd =
  | { kind: 'lost'; detail: string; retryAfterMs?: number }
  | { kind: 'dismissed' }
  | { kind: 'refused'; code: number | null; description: string };

/** What a transport tells its owner: `open` once, then messages, then `end` once and nothing after it. */
export interface TransportHandlers {
  open(): void;
  /** One message as parsed JSON, not yet checked. */
  message(value: unknown): void;
  end(end: TransportEnd): void;
}

export interface Transport {
  /** Sends in order; only between `open` and `end`. */
  send(message: ClientMessage): void;
  /** Ends it from this side; what was sent before still leaves. No handler is called afterwards. */
  close(): void;
}

/** The tokens of the handshake; `session` is used in preference once there is one. */
export interface Credentials {
  token?: string | undefined;
  session?: string | undefined;
}

/** What a client that has a session puts into the address of a connection: returning people are let in before others. */
export const returning = { quireReturning: '1' } as const;

/** Begins one connection. The handlers are first called after it has returned. */
export type Dial = (credentials: Credentials, handlers: TransportHandlers) => Transport;

/** Passes calls on until the transport has ended or was closed. */
export function endingOnce(handlers: TransportHandlers): TransportHandlers & { silence(): void } {
  let over = false;
  return {
    open: () => {
      if (!over) handlers.open();
    },
    message: (value) => {
      if (!over) handlers.message(value);
    },
    end: (end) => {
      if (over) return;
      over = true;
      handlers.end(end);
    },
    silence: () => {
      over = true;
    },
  };
}
