import { type ServerMessage, stringifyServerMessage } from '../../client/protocol/index.ts';

/** A message on its way out: turned into JSON once, however many connections it goes to. */
export class Frame {
  readonly json: string;
  /** The bytes of each transport, kept by the gateway so that a broadcast is framed once too. */
  encoded: unknown = null;

  constructor(json: string) {
    this.json = json;
  }

  static of(message: ServerMessage): Frame {
    return new Frame(stringifyServerMessage(message));
  }
}

/** The way to one client, whatever its transport. Sending never waits: the gateway deals with slow peers. */
export interface Peer {
  /** Connection id: what other participants see as `connectionId`. */
  readonly id: string;
  /** When the message came that is being handled, in the time of `performance.now()`. */
  readonly handlingSinceMs: number;
  send(frame: Frame): void;
  /** Sends what the client can do without, unless much waits for it. */
  offer(frame: Frame): void;
  /** Calls back, once, when nothing that was sent before waits here any more: it was sent, or the connection has ended. */
  whenDrained(callback: () => void): void;
  /** Tells the client why and that it must not come back, then closes. */
  dismiss(code: number, description: string): void;
  /** Closes so that the client reconnects and restores its session. */
  interrupt(reason: string, cause?: unknown): void;
}
