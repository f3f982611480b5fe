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
import { eventFrameOf, eventOf, whenSocketDrained } from './frame-bytes.ts';
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
  socket?: {
    _receiver?: { _maxPayload: number };
    _socket: Socket;
    bufferedAmount: number;
    pause(): void;
    resume(): void;
    terminate(): void;
  };
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
    if (isNew(request) && this.#host.isLeaving()) {
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
    if (isNew(request) && this.#host.isLeaving()) {
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
    const transport = new EngineTransport(socket, () => {
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
      if (packet?.kind === 'connect' && connection) socket.send(encodeConnect(connection.id));
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
      socket.send(encodeConnectError(result.code, result.description));
      return null;
    }
    const { id } = socket as unknown as { id: string };
    socket.send(encodeConnect(id));
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
  readonly #onTrust: () => void;
  isTrusted = false;
  /** Bytes that wait in Engine.IO for the transport to become free. */
  #waitingBytes = 0;
  #drainCallback: (() => void) | null = null;
  #isPaused = false;
  /** Requests with messages that have come meanwhile. */
  #held: (() => void)[] = [];

  constructor(socket: EngineSocket, onTrust: () => void) {
    this.#socket = socket;
    this.#onTrust = onTrust;
  }

  write(frame: Frame): void {
    if (this.#socket.transport.name !== 'websocket') {
      const event = eventOf(frame);
      this.#waitingBytes += event.length;
      this.#socket.send(event);
      return;
    }
    const wsPreEncodedFrame = eventFrameOf(frame);
    this.#waitingBytes += frame.json.length;
    // A transport that is a WebSocket stays one: it takes the frame, and nobody needs the text.
    this.#socket.send('', { wsPreEncodedFrame } as Parameters<EngineSocket['send']>[1]);
  }

  queuedBytes(): number {
    const { socket } = this.#socket.transport as unknown as LimitedTransport;
    return this.#waitingBytes + (socket?.bufferedAmount ?? 0);
  }

  /** Everything that waited was handed to the transport. */
  flushed(): void {
    this.#waitingBytes = 0;
    const callback = this.#drainCallback;
    this.#drainCallback = null;
    if (callback) this.whenDrained(callback);
  }

  whenDrained(callback: () => void): void {
    const { socket } = this.#socket.transport as unknown as LimitedTransport;
    if (this.#waitingBytes > 0) this.#drainCallback = callback;
    else if (socket) whenSocketDrained(socket._socket, callback);
    else callback();
  }

  end(finally_: boolean): void {
    if (finally_) {
      this.#socket.send(disconnectPacket);
      this.#socket.close();
      return;
    }
    // A closing handshake would keep what is queued in memory for as long as the peer does not read.
    const { socket } = this.#socket.transport as unknown as LimitedTransport;
    if (socket) socket.terminate();
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
    super.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.pause();
      const handOn = () => {
        accept(webSocket, request);
        // Engine.IO listens some microtasks later. What a client has sent meanwhile must not come before that.
        setImmediate(() => webSocket.resume());
      };
      if (!isHasty(request)) return handOn();
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
