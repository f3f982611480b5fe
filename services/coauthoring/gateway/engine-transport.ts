import type { Socket } from 'node:net';
import type { Socket as EngineSocket } from 'engine.io';
import { disconnectPacket } from '../../../client/protocol/index.ts';
import type { Turn } from '../../../platform/json-in-turns/turn.ts';
import type { Frame } from '../../../platform/ports/peer.ts';
import {
  engineMessage,
  eventFrameOf,
  eventOf,
  prepareEventFrame,
  websocketFrame,
  whenSocketDrained,
} from './frame-bytes.ts';
import type { FrameWriter, WritableWebSocket } from './frame-writer.ts';
import type { Transport } from './transport.ts';

/** The parts of an Engine.IO transport that carry its size limit; the package does not publish them as types. */
interface LimitedTransport {
  maxHttpBufferSize?: number;
  socket?: WritableWebSocket & {
    _receiver?: { _maxPayload: number };
    _socket: Socket;
    pause(): void;
    resume(): void;
    terminate(): void;
  };
}

/** What Engine.IO holds back until its transport is free. */
interface WaitingPackets {
  writeBuffer: readonly unknown[];
}

/** A session of Engine.IO as the transport of a connection. */
export class EngineTransport implements Transport {
  readonly #socket: EngineSocket;
  readonly #writer: FrameWriter;
  readonly #onTrust: (tookMs: number) => void;
  isTrusted = false;
  /** By what the requests of the session are known; null once it has a WebSocket, which needs no more of them. */
  #origin: string | null;
  /** Bytes that wait in Engine.IO for the transport to become free. */
  #waitingBytes = 0;
  #drainCallback: (() => void) | null = null;
  #isPaused = false;
  /** Requests with messages that have come meanwhile. */
  #held: (() => void)[] = [];

  /**
   * `origin`: of the request that began the session, see `originOf`; null where that was a WebSocket. `onTrust`: the connection signed
   * in, which took so long.
   */
  constructor(
    socket: EngineSocket,
    writer: FrameWriter,
    origin: string | null,
    onTrust: (tookMs: number) => void,
  ) {
    this.#socket = socket;
    this.#origin = origin;
    this.#writer = writer;
    this.#onTrust = onTrust;
  }

  /** Whether a request of that origin belongs to the session, which lives on requests still. */
  isContinuedBy(origin: string): boolean {
    return this.#origin === origin;
  }

  write(frame: Frame): void {
    const webSocket = this.#freeWebSocket();
    if (webSocket) this.#writer.write(webSocket, eventFrameOf(frame));
    else this.#sendByEngine(eventOf(frame));
  }

  async prepare(frame: Frame, turn: Turn): Promise<void> {
    if (this.#freeWebSocket()) await prepareEventFrame(frame, turn);
  }

  /** Sends a packet of Socket.IO, in order with the messages. */
  sendPacket(packet: string): void {
    const webSocket = this.#freeWebSocket();
    if (webSocket) this.#writer.write(webSocket, websocketFrame(engineMessage + packet));
    else this.#sendByEngine(packet);
  }

  queuedBytes(): number {
    const webSocket = this.#webSocket;
    return this.#waitingBytes + (webSocket ? this.#writer.queuedBytes(webSocket) : 0);
  }

  /**
   * The WebSocket, where nothing waits in Engine.IO that has to go before what is written now. Engine.IO takes one packet at a
   * time, each with callbacks and events of its own.
   */
  #freeWebSocket(): WritableWebSocket | undefined {
    const { readyState, writeBuffer } = this.#socket as unknown as WaitingPackets & { readyState: string };
    return readyState === 'open' && writeBuffer.length === 0 ? this.#webSocket : undefined;
  }

  get #webSocket() {
    const { transport } = this.#socket;
    return transport.name === 'websocket' ? (transport as unknown as LimitedTransport).socket : undefined;
  }

  #sendByEngine(packet: string): void {
    // What was written before goes before it, however soon the transport is free.
    const webSocket = this.#webSocket;
    if (webSocket) this.#writer.flush(webSocket);
    this.#waitingBytes += packet.length;
    this.#socket.send(packet);
  }

  /** Everything that waited was handed to the transport. */
  flushed(): void {
    this.#waitingBytes = 0;
    const callback = this.#drainCallback;
    this.#drainCallback = null;
    if (callback) this.whenDrained(callback);
  }

  whenDrained(callback: () => void): void {
    const webSocket = this.#webSocket;
    if (webSocket) this.#writer.flush(webSocket);
    if (this.#waitingBytes > 0) this.#drainCallback = callback;
    else if (webSocket) whenSocketDrained(webSocket._socket, callback);
    else callback();
  }

  end(finally_: boolean): void {
    const webSocket = this.#webSocket;
    if (webSocket) this.#writer.flush(webSocket);
    if (finally_) {
      this.#socket.send(disconnectPacket);
      this.#socket.close();
      return;
    }
    // A closing handshake would keep what is queued in memory for as long as the peer does not read.
    if (webSocket) webSocket.terminate();
    else this.#socket.close(true);
  }

  trust(tookMs: number): void {
    this.isTrusted = true;
    this.#onTrust(tookMs);
  }

  pause(): void {
    this.#isPaused = true;
    (this.#socket.transport as unknown as LimitedTransport).socket?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    (this.#socket.transport as unknown as LimitedTransport).socket?.resume();
    for (const handle of this.#held.splice(0)) handle();
  }

  /** Handles a request with messages once messages are read. */
  whenReading(handle: () => void): void {
    if (this.#isPaused) this.#held.push(handle);
    else handle();
  }

  /** There is another transport. */
  upgraded(): void {
    this.#origin = null;
    if (this.#isPaused) this.pause();
  }
}

/** Bounds the next messages of a session, bytes. */
export function limitPayload(socket: EngineSocket, bytes: number): void {
  const transport = socket.transport as unknown as LimitedTransport;
  transport.maxHttpBufferSize = bytes;
  const receiver = transport.socket?._receiver;
  if (receiver) receiver._maxPayload = bytes;
}
