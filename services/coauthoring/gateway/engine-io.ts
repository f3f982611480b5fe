import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as EngineServer, type Socket as EngineSocket } from 'engine.io';
import {
  DisconnectCode,
  decodeSocketIo,
  encodeConnect,
  encodeConnectError,
  type SocketIoPacket,
} from '../../../client/protocol/index.ts';
import type { JsonText } from '../../../platform/json-in-turns/reading.ts';
import { answerComeAgain, comeAgain, comeElsewhere } from './come-again.ts';
import type { Connection, Handshake } from './connection.ts';
import { DeferredWebSocketServer } from './deferred-websockets.ts';
import { namesDocument } from './document-path.ts';
import { noPlace, type Place } from './door.ts';
import { EngineTransport, limitPayload } from './engine-transport.ts';
import { engineMessage } from './frame-bytes.ts';
import { FrameWriter } from './frame-writer.ts';
import { isLongText } from './long-texts.ts';
import { originOf, sidOf } from './session-origin.ts';
import {
  type GatewayHost,
  type UnauthenticatedConnection,
  type UnauthenticatedConnections,
  untrustedPayloadBytes,
} from './unauthenticated-connections.ts';
import { refuseUpgrade } from './upgrade-refusal.ts';

/** Heartbeat of the protocol, milliseconds: a dead peer is noticed after at most their sum. */
const pingIntervalMs = 25_000;
const pingTimeoutMs = 20_000;

/**
 * Socket.IO 5 over Engine.IO 4 at `/doc/{key}/c/`, on WebSocket and HTTP long-polling (co-authoring protocol, section
 * 2). The `engine.io` package does the transports; the handful of Socket.IO packets is ours, because a broadcast then
 * costs one encoding and one frame.
 *
 * The id of a session of Engine.IO is a secret between its client and this gateway: nobody else is told it, and others know a
 * connection by an id of its own. A request that names a session has to come by the address that began it as well.
 */
export class EngineIoGateway {
  readonly #engine: EngineServer;
  readonly #host: GatewayHost;
  readonly #unauthenticated: UnauthenticatedConnections;
  readonly #maxPayloadBytes: number;
  readonly #transports = new WeakMap<EngineSocket, EngineTransport>();
  readonly #writer = new FrameWriter();
  /** Those whose handshake takes a moment; `gone` hears of the end of their sockets. */
  readonly #upgrading = new WeakMap<Socket, { pending: UnauthenticatedConnection; gone: () => void }>();
  /** Of those who were let in, by the request that begins their session. */
  readonly #places = new WeakMap<IncomingMessage, Place>();

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
    const sid = sidOf(request);
    if (sid === null && this.#host.sendsAway()) {
      answerComeAgain(response, 1);
      return;
    }
    const session = sid === null ? null : this.#sessionOf(sid, request);
    if (session === undefined) {
      response.writeHead(400, jsonHeaders).end(unknownSession);
      return;
    }
    const handle = () =>
      this.#engine.handleRequest(request as Parameters<EngineServer['handleRequest']>[0], response);
    if (session && request.method === 'POST') session.whenReading(handle);
    else if (sid === null && request.method === 'GET')
      this.#knock(request, handle, (afterS) => answerComeAgain(response, afterS));
    else handle();
  }

  /** Lets a request begin a session when the door lets it in. */
  #knock(request: IncomingMessage, handle: () => void, refuse: (afterS: number) => void): void {
    const enter = (place: Place) => {
      this.#places.set(request, place);
      handle();
    };
    this.#host.door.knock(request, { enter, refuse });
  }

  /**
   * The session that a request names and goes on with. Undefined: there is none, or it is not this client's, or it has a
   * WebSocket, which nothing replaces.
   */
  #sessionOf(sid: string, request: IncomingMessage): EngineTransport | undefined {
    const { clients } = this.#engine as unknown as { clients: Readonly<Record<string, EngineSocket>> };
    const transport = Object.hasOwn(clients, sid) ? this.#transports.get(clients[sid]!) : undefined;
    return transport?.isContinuedBy(originOf(request)) ? transport : undefined;
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const sid = sidOf(request);
    if (sid === null && this.#host.sendsAway()) {
      refuseUpgrade(socket, comeElsewhere);
      return;
    }
    if (sid !== null && !this.#sessionOf(sid, request)) {
      refuseUpgrade(socket, noSuchSession);
      return;
    }
    // Refused later, it would be told by HTTP on what is a WebSocket by then.
    if (sid === null && !speaksVersion4.test(request.url ?? '')) {
      refuseUpgrade(socket, unsupportedVersion);
      return;
    }
    const handle = () =>
      this.#engine.handleUpgrade(request as Parameters<EngineServer['handleUpgrade']>[0], socket, head);
    if (sid === null) {
      this.#knock(request, handle, (afterS) => refuseUpgrade(socket, comeAgain(afterS)));
    } else handle();
  }

  get connections(): number {
    return (this.#engine as unknown as { clientsCount: number }).clientsCount;
  }

  close(): void {
    this.#engine.close();
  }

  #awaitUpgrade(request: IncomingMessage): void {
    const { socket } = request;
    const pending = this.#takeIn(request, () => socket.destroy());
    const gone = () => pending.leave();
    this.#upgrading.set(socket, { pending, gone });
    socket.on('close', gone);
  }

  /** The handshake of a request is over: from now on its session says when the socket ends. */
  #upgraded({ socket }: IncomingMessage): UnauthenticatedConnection | undefined {
    const upgrading = this.#upgrading.get(socket);
    if (!upgrading) return undefined;
    this.#upgrading.delete(socket);
    socket.off('close', upgrading.gone);
    return upgrading.pending;
  }

  #takeIn(request: IncomingMessage, end: () => void): UnauthenticatedConnection {
    const place = this.#places.get(request) ?? noPlace;
    return this.#unauthenticated.admit(this.#host.addressOf(request), place, end);
  }

  #accept(socket: EngineSocket): void {
    const { request } = socket;
    let { url = '' } = request;
    const handshake = this.#host.handshakeOf(request);
    const end = () => transport.end(false);
    const pending = this.#upgraded(request) ?? this.#takeIn(request, end);
    pending.end = end;
    const origin = socket.transport.name === 'polling' ? originOf(request) : null;
    const transport = new EngineTransport(socket, this.#writer, origin, (tookMs) => {
      pending.signedIn(tookMs);
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
      const text = textOf(data);
      if (connection) {
        const read = (shortened?: string) => {
          const packet = text === null ? null : decodeSocketIo(shortened ?? String(text));
          return packet?.kind === 'event' ? { value: packet.message } : answer(packet);
        };
        return connection.receive({ text: () => text, read }, data.length);
      }
      const packet = text === null ? null : decodeSocketIo(String(text));
      if (packet?.kind === 'connect' && !joining) {
        joining = true;
        this.#join(socket, transport, url, handshake, packet.auth).then(
          (joined) => {
            joining = false;
            connection = joined;
            if (!joined) return;
            url = '';
            pending.spoke();
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
    const connection = this.#host.connect(handshake, transport, result.known);
    transport.sendPacket(encodeConnect(connection.id));
    if (!namesDocument(url)) {
      connection.dismiss(DisconnectCode.accessDeny, 'access deny');
      return null;
    }
    if (this.#host.isRetired()) {
      connection.dismiss(DisconnectCode.serverShutdown, 'server shutdown');
      return null;
    }
    // The first request is large and no longer needed: long-polling looks only at the newest one.
    if (socket.transport.name === 'websocket') {
      (socket as unknown as { request: unknown }).request = null;
    }
    this.#host.greet(connection);
    return connection;
  }
}

/** The text of a packet of Engine.IO, or of its long text in bytes, which still has its type before it; null where it is none. */
function textOf(data: string | Buffer): JsonText | null {
  if (typeof data === 'string') return data;
  return isLongText(data) && data[0] === engineMessage.charCodeAt(0) ? data.subarray(1) : null;
}

const speaksVersion4 = /[?&]EIO=4(?:&|$)/;

const badRequest = (body: string): string =>
  `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const jsonHeaders = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
/** What Engine.IO answers to requests of a session that it does not know. */
const unknownSession = JSON.stringify({ code: 1, message: 'Session ID unknown' });
const noSuchSession = badRequest(unknownSession);
const unsupportedVersion = badRequest(JSON.stringify({ code: 5, message: 'Unsupported protocol version' }));
