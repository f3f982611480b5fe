import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as EngineServer, type Socket as EngineSocket } from 'engine.io';
import { WebSocket, WebSocketServer } from 'ws';
import {
  DisconnectCode,
  decodeSocketIo,
  disconnectPacket,
  encodeConnect,
  encodeConnectError,
  type ServerMessage,
  type SocketIoPacket,
} from '../../../client/protocol/index.ts';
import { Frame } from '../../../platform/ports/peer.ts';
import type { Connection, Handshake, Transport } from './connection.ts';
import { namesDocument } from './document-path.ts';
import { eventFrameOf, eventOf, websocketFrame, whenSocketDrained } from './frame-bytes.ts';
import { FrameWriter, type WritableWebSocket } from './frame-writer.ts';
import {
  comeElsewhere,
  type GatewayHost,
  type UnauthenticatedConnection,
  type UnauthenticatedConnections,
  untrustedPayloadBytes,
} from './unauthenticated-connections.ts';

/** Heartbeat of the protocol, milliseconds: a dead peer is noticed after at most their sum. */
const pingIntervalMs = 25_000;
const pingTimeoutMs = 20_000;

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

/**
 * Socket.IO 5 over Engine.IO 4 at `/doc/{key}/c/`, on WebSocket and HTTP long-polling (co-authoring protocol, section
 * 2). The `engine.io` package does the transports; the handful of Socket.IO packets is ours, because a broadcast then
 * costs one encoding and one frame.
 */
export class EngineIoGateway {
  readonly #engine: EngineServer;
  readonly #host: GatewayHost;
  readonly #unauthenticated: UnauthenticatedConnections;
  readonly #maxPayloadBytes: number;
  readonly #transports = new WeakMap<EngineSocket, EngineTransport>();
  readonly #writer = new FrameWriter();
  /** Those whose handshake takes a moment. */
  readonly #upgrading = new WeakMap<Socket, UnauthenticatedConnection>();

  /** `sidPrefix`: beginning of the ids of sessions, by which the worker that gets their requests knows to which one they belong. */
  constructor(
    host: GatewayHost,
    unauthenticated: UnauthenticatedConnections,
    maxPayloadBytes: number,
    sidPrefix = '',
  ) {
    this.#host = host;
    this.#unauthenticated = unauthenticated;
    this.#maxPayloadBytes = maxPayloadBytes;
    this.#engine = new EngineServer({
      pingInterval: pingIntervalMs,
      pingTimeout: pingTimeoutMs,
      maxHttpBufferSize: maxPayloadBytes,
      perMessageDeflate: false,
      httpCompression: false,
      transports: ['polling', 'websocket'],
      wsEngine: DeferredWebSocketServer,
      cors: { origin: '*' },
      allowRequest: (request, decide) => {
        if (request.headers.upgrade) this.#awaitUpgrade(request);
        decide(null, true);
      },
    });
    if (sidPrefix !== '') this.#engine.generateId = () => sidPrefix + randomBytes(15).toString('base64url');
    this.#engine.on('connection', (socket: EngineSocket) => this.#accept(socket));
    this.#engine.on('flush', (socket: EngineSocket) => this.#transports.get(socket)?.flushed());
  }

  handleRequest(request: IncomingMessage, response: ServerResponse): void {
    if (isNew(request) && this.#host.sendsAway()) {
      response.writeHead(503, { 'retry-after': '1', 'access-control-allow-origin': '*' }).end();
      return;
    }
    const handle = () =>
      this.#engine.handleRequest(request as Parameters<EngineServer['handleRequest']>[0], response);
    const session = request.method === 'POST' ? this.#sessionOf(request) : undefined;
    if (session) session.whenReading(handle);
    else handle();
  }

  #sessionOf({ url = '' }: IncomingMessage): EngineTransport | undefined {
    const sid = sidPattern.exec(url)?.[1] ?? '';
    const { clients } = this.#engine as unknown as { clients: Readonly<Record<string, EngineSocket>> };
    return Object.hasOwn(clients, sid) ? this.#transports.get(clients[sid]!) : undefined;
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (isNew(request) && this.#host.sendsAway()) {
      socket.end(comeElsewhere);
      return;
    }
    this.#engine.handleUpgrade(request as Parameters<EngineServer['handleUpgrade']>[0], socket, head);
  }

  get connections(): number {
    return (this.#engine as unknown as { clientsCount: number }).clientsCount;
  }

  close(): void {
    this.#engine.close();
  }

  #awaitUpgrade(request: IncomingMessage): void {
    const { socket } = request;
    const pending = this.#unauthenticated.admit(this.#host.addressOf(request), () => socket.destroy());
    this.#upgrading.set(socket, pending);
    socket.once('close', () => pending.leave());
  }

  #accept(socket: EngineSocket): void {
    const { request } = socket;
    const { url = '' } = request;
    const handshake = this.#host.handshakeOf(request);
    const end = () => transport.end(false);
    const pending =
      this.#upgrading.get(request.socket) ?? this.#unauthenticated.admit(this.#host.addressOf(request), end);
    pending.end = end;
    const transport = new EngineTransport(socket, this.#writer, () => {
      pending.leave();
      limitPayload(socket, this.#maxPayloadBytes);
    });
    this.#transports.set(socket, transport);
    limitPayload(socket, untrustedPayloadBytes);
    socket.on('upgrade', () => {
      limitPayload(socket, transport.isTrusted ? this.#maxPayloadBytes : untrustedPayloadBytes);
      transport.upgraded();
    });
    let connection: Connection | null = null;
    let joining = false;
    const answer = (packet: SocketIoPacket | null) => {
      if (packet?.kind === 'connect' && connection) transport.sendPacket(encodeConnect(connection.id));
      else socket.close();
      return null;
    };
    socket.on('data', (data: string | Buffer) => {
      if (connection) {
        const read = () => {
          const packet = typeof data === 'string' ? decodeSocketIo(data) : null;
          return packet?.kind === 'event' ? { value: packet.message } : answer(packet);
        };
        return connection.receive(read, data.length);
      }
      const packet = typeof data === 'string' ? decodeSocketIo(data) : null;
      if (packet?.kind === 'connect' && !joining) {
        joining = true;
        this.#join(socket, transport, url, handshake, packet.auth).then(
          (joined) => {
            joining = false;
            connection = joined;
            if (joined) pending.spoke();
          },
          () => socket.close(),
        );
      } else {
        socket.close();
      }
    });
    socket.once('close', () => {
      pending.leave();
      transport.resume();
      connection?.gone();
    });
  }

  async #join(
    socket: EngineSocket,
    transport: EngineTransport,
    url: string,
    handshake: Handshake,
    auth: unknown,
  ): Promise<Connection | null> {
    const result = await this.#host.verifyHandshake(auth ?? {});
    if (!result.ok) {
      transport.sendPacket(encodeConnectError(result.code, result.description));
      return null;
    }
    const { id } = socket as unknown as { id: string };
    transport.sendPacket(encodeConnect(id));
    const refusal = namesDocument(url)
      ? this.#host.isRetired() && refusalOf(DisconnectCode.serverShutdown, 'server shutdown')
      : refusalOf(DisconnectCode.accessDeny, 'access deny');
    if (refusal) {
      transport.write(Frame.of(refusal));
      transport.end(true);
      return null;
    }
    const connection = this.#host.connect(id, handshake, transport);
    // The first request is large and no longer needed: long-polling looks only at the newest one.
    if (socket.transport.name === 'websocket') {
      (socket as unknown as { request: unknown }).request = null;
    }
    this.#host.greet(connection);
    return connection;
  }
}

const sidPattern = /[?&]sid=([^&]*)/;

/** Whether a request begins a session; those of a session that is here name it. */
const isNew = ({ url = '' }: IncomingMessage): boolean => !sidPattern.test(url);

const refusalOf = (code: number, description: string): ServerMessage => ({
  type: 'disconnectReason',
  code,
  description,
});

function limitPayload(socket: EngineSocket, bytes: number): void {
  const transport = socket.transport as unknown as LimitedTransport;
  transport.maxHttpBufferSize = bytes;
  const receiver = transport.socket?._receiver;
  if (receiver) receiver._maxPayload = bytes;
}

class EngineTransport implements Transport {
  readonly #socket: EngineSocket;
  readonly #writer: FrameWriter;
  readonly #onTrust: () => void;
  isTrusted = false;
  /** Bytes that wait in Engine.IO for the transport to become free. */
  #waitingBytes = 0;
  #drainCallback: (() => void) | null = null;
  #isPaused = false;
  /** Requests with messages that have come meanwhile. */
  #held: (() => void)[] = [];

  constructor(socket: EngineSocket, writer: FrameWriter, onTrust: () => void) {
    this.#socket = socket;
    this.#writer = writer;
    this.#onTrust = onTrust;
  }

  write(frame: Frame): void {
    const webSocket = this.#freeWebSocket();
    if (webSocket) this.#writer.write(webSocket, eventFrameOf(frame));
    else this.#sendByEngine(eventOf(frame));
  }

  /** Sends a packet of Socket.IO, in order with the messages. */
  sendPacket(packet: string): void {
    const webSocket = this.#freeWebSocket();
    // '4' is Engine.IO's packet type `message`.
    if (webSocket) this.#writer.write(webSocket, websocketFrame(`4${packet}`));
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

  trust(): void {
    this.isTrusted = true;
    this.#onTrust();
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
    if (this.#isPaused) this.pause();
  }
}

/**
 * k6 (1.8) reads before its script knows that the connection is open, and drops what has come by then. Of a thousand
 * such clients that start at once, about one never gets a greeting that comes with the handshake's answer. All others
 * are greeted at once.
 */
const isHasty = ({ headers }: IncomingMessage): boolean => /\bk6\//.test(headers['user-agent'] ?? '');

/** How long such a client's greeting waits after the handshake's answer, milliseconds. */
const greetingDelayMs = 10;

/**
 * A WebSocket server that passes a connection on as soon as its client can receive messages. What comes before that is
 * not lost.
 */
export class DeferredWebSocketServer extends WebSocketServer {
  override handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    accept: (client: WebSocket, request: IncomingMessage) => void,
  ): void {
    const isPatient = !isHasty(request);
    // The answer to the handshake leaves with the greeting.
    if (isPatient) {
      socket.cork();
      setImmediate(() => socket.uncork());
    }
    super.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.pause();
      const handOn = () => {
        accept(webSocket, request);
        // Engine.IO listens some microtasks later. What a client has sent meanwhile must not come before that.
        setImmediate(() => webSocket.resume());
      };
      if (isPatient) return handOn();
      // An error while nobody listens would end the process; the close that follows it says enough.
      const ignore = () => undefined;
      webSocket.on('error', ignore);
      setTimeout(() => {
        webSocket.off('error', ignore);
        if (webSocket.readyState === WebSocket.OPEN) handOn();
      }, greetingDelayMs);
    });
  }
}
