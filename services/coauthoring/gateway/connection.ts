import {
  type ClientMessage,
  DisconnectCode,
  parseClientMessage,
  type ServerMessage,
} from '../../../client/protocol/index.ts';
import type { Traffic } from '../../metrics/transport.ts';
import type { Routing } from '../../ports/routing.ts';
import { Frame } from '../document/frame.ts';
import type { Peer } from '../document/member.ts';

/** What a transport does for a connection. */
export interface Transport {
  write(frame: Frame): void;
  /** Bytes handed to `write` that have not left yet. */
  queuedBytes(): number;
  /** Calls back, once, when there is room for more. May never do so when the connection ends. */
  whenDrained(callback: () => void): void;
  /** Ends the connection: `finally` tells the client not to come back, otherwise it will reconnect. */
  end(finally_: boolean): void;
  /** The connection signed in: it may send larger messages from now on. */
  trust(): void;
}

export interface ConnectionLimits {
  /** A peer that lets more than this pile up is closed so that it reconnects. */
  outboundQueueBytes: number;
  /** Where it is counted what goes over this connection. */
  traffic: Traffic;
  /** Messages received and not handled yet may take this much, in characters. */
  inboundQueueCharacters: number;
}

/** What was asked for when the connection was made. */
export interface Handshake {
  /** Address under which this client reaches the server; links given to it begin with it. */
  baseUrl: string;
  /** What the client's address says for load balancers; null where it says nothing. */
  routing: Routing | null;
}

/** Who handles what connections say. `disconnected` comes last, after every message that was received. */
export interface ConnectionHandler {
  handle(connection: Connection, message: ClientMessage): Promise<void>;
  disconnected(connection: Connection): Promise<void>;
  failed(connection: Connection, error: unknown): void;
  /** Handles a message whose order among the others does not matter; returns false to put it in line. */
  handleAside(connection: Connection, message: ClientMessage): boolean;
}

interface Received {
  message: ClientMessage;
  characters: number;
  atMs: number;
}

/**
 * One client on any transport. Its messages are handled one after the other in the order in which they came, and all
 * that were received are handled, also when the socket is gone by then (I1). What it may make the server hold is
 * bounded in both directions (I9).
 */
export class Connection implements Peer {
  readonly id: string;
  readonly handshake: Handshake;
  handlingSinceMs = 0;
  readonly #transport: Transport;
  readonly #handler: ConnectionHandler;
  readonly #limits: ConnectionLimits;
  #received: Received[] = [];
  #receivedCharacters = 0;
  #handling = false;
  #ended = false;
  #gone = false;
  #drainCallbacks: (() => void)[] = [];

  constructor(
    id: string,
    handshake: Handshake,
    transport: Transport,
    handler: ConnectionHandler,
    limits: ConnectionLimits,
  ) {
    this.id = id;
    this.handshake = handshake;
    this.#transport = transport;
    this.#handler = handler;
    this.#limits = limits;
  }

  send(frame: Frame): void {
    if (this.#ended) return;
    const { traffic, outboundQueueBytes } = this.#limits;
    this.#transport.write(frame);
    traffic.sentBytes += frame.json.length;
    const queuedBytes = this.#transport.queuedBytes();
    if (queuedBytes > traffic.highWaterBytes) traffic.highWaterBytes = queuedBytes;
    if (queuedBytes > outboundQueueBytes) {
      traffic.slowPeers += 1;
      this.interrupt('too slow: the outbound queue is full');
    }
  }

  whenDrained(callback: () => void): void {
    if (this.#ended) {
      callback();
      return;
    }
    this.#drainCallbacks.push(callback);
    if (this.#drainCallbacks.length === 1) this.#transport.whenDrained(() => this.#drained());
  }

  dismiss(code: number, description: string): void {
    if (this.#ended) return;
    this.#transport.write(Frame.of({ type: 'disconnectReason', code, description }));
    this.#end(true);
  }

  interrupt(reason: string, cause?: unknown): void {
    if (this.#ended) return;
    if (cause !== undefined) this.#handler.failed(this, new Error(reason, { cause }));
    this.#end(false);
  }

  trust(): void {
    this.#transport.trust();
  }

  say(message: ServerMessage): void {
    this.send(Frame.of(message));
  }

  /** A message arrived as a JSON value. `characters` is its size on the wire. */
  receive(value: unknown, characters: number): void {
    if (this.#ended) return;
    this.#limits.traffic.receivedBytes += characters;
    const parsed = parseClientMessage(value);
    if (!parsed.ok) {
      if (parsed.reason === 'unknown-type') this.say({ type: 'warning', message: 'unknown message type' });
      else this.dismiss(DisconnectCode.accessDeny, `invalid message: ${parsed.detail}`);
      return;
    }
    if (this.#handler.handleAside(this, parsed.message)) return;
    this.#received.push({ message: parsed.message, characters, atMs: performance.now() });
    this.#receivedCharacters += characters;
    if (this.#receivedCharacters > this.#limits.inboundQueueCharacters) {
      this.interrupt('too fast: the inbound queue is full');
    }
    void this.#handleReceived();
  }

  /** The transport is gone. */
  gone(): void {
    this.#ended = true;
    this.#gone = true;
    this.#drained();
    void this.#handleReceived();
  }

  async #handleReceived(): Promise<void> {
    if (this.#handling) return;
    this.#handling = true;
    for (let next = this.#received.shift(); next; next = this.#received.shift()) {
      this.#receivedCharacters -= next.characters;
      this.handlingSinceMs = next.atMs;
      try {
        await this.#handler.handle(this, next.message);
      } catch (error) {
        this.interrupt('a message could not be handled', error);
      }
    }
    this.#handling = false;
    if (!this.#gone) return;
    this.#gone = false;
    try {
      await this.#handler.disconnected(this);
    } catch (error) {
      this.#handler.failed(this, error);
    }
  }

  #drained(): void {
    const callbacks = this.#drainCallbacks;
    this.#drainCallbacks = [];
    for (const callback of callbacks) callback();
  }

  #end(finally_: boolean): void {
    this.#ended = true;
    this.#drained();
    this.#transport.end(finally_);
  }
}
