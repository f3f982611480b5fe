import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { DisconnectCode } from '../../../client/protocol/index.ts';
import { comeAgain, comeElsewhere } from './come-again.ts';
import type { Handshake } from './connection.ts';
import { jsonFrameOf, prepareJsonFrame, whenSocketDrained } from './frame-bytes.ts';
import { FrameWriter, type WritableWebSocket } from './frame-writer.ts';
import type { Transport } from './transport.ts';
import {
  type GatewayHost,
  type UnauthenticatedConnection,
  type UnauthenticatedConnections,
  untrustedPayloadBytes,
} from './unauthenticated-connections.ts';
import { refuseUpgrade } from './upgrade-refusal.ts';

const pingIntervalMs = 25_000;

/** The parts of a `ws` socket that are not in its types. */
type WebSocketParts = WritableWebSocket & {
  _receiver: { _maxPayload: number };
  _socket: Socket;
};

/** WebSocket close codes (RFC 6455, section 7.4.1). */
const closeCode = { normal: 1000, policyViolation: 1008, tryAgainLater: 1013 } as const;

/** Plain WebSocket at `/ws/{key}`: the protocol's JSON messages, one per text frame, without Socket.IO around them. */
export class PlainWebSocketGateway {
  readonly #server: WebSocketServer;
  readonly #writer = new FrameWriter();
  readonly #host: GatewayHost;
  readonly #unauthenticated: UnauthenticatedConnections;
  readonly #maxPayloadBytes: number;

  constructor(host: GatewayHost, unauthenticated: UnauthenticatedConnections, maxPayloadBytes: number) {
    this.#host = host;
    this.#unauthenticated = unauthenticated;
    this.#maxPayloadBytes = maxPayloadBytes;
    this.#server = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      maxPayload: untrustedPayloadBytes,
      clientTracking: true,
    });
  }

  get connections(): number {
    return this.#server.clients.size;
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.#host.sendsAway()) {
      refuseUpgrade(socket, comeElsewhere);
      return;
    }
    this.#host.door.knock(request, {
      enter: (place) => {
        const handshake = this.#host.handshakeOf(request);
        const end = () => socket.destroy();
        const pending = this.#unauthenticated.admit(this.#host.addressOf(request), place, end);
        socket.once('close', () => pending.leave());
        this.#server.handleUpgrade(request, socket, head, (webSocket) =>
          this.#accept(webSocket, handshake, pending),
        );
      },
      refuse: (afterS) => refuseUpgrade(socket, comeAgain(afterS)),
    });
  }

  close(): void {
    for (const webSocket of this.#server.clients) webSocket.terminate();
    this.#server.close();
  }

  #accept(webSocket: WebSocket, handshake: Handshake, pending: UnauthenticatedConnection): void {
    const parts = webSocket as unknown as WebSocketParts;
    pending.end = () => {
      webSocket.close(closeCode.policyViolation, 'not signed in');
      // A peer that does not answer the closing handshake is not waited for.
      webSocket.terminate();
    };
    const transport: Transport = {
      write: (frame) => this.#writer.write(parts, jsonFrameOf(frame)),
      prepare: prepareJsonFrame,
      queuedBytes: () => this.#writer.queuedBytes(parts),
      whenDrained: (callback) => {
        this.#writer.flush(parts);
        whenSocketDrained(parts._socket, callback);
      },
      end: (finally_) => {
        this.#writer.flush(parts);
        if (finally_) webSocket.close(closeCode.normal);
        else if (webSocket.bufferedAmount > 0) webSocket.terminate();
        else webSocket.close(closeCode.tryAgainLater);
      },
      trust: (tookMs) => {
        pending.signedIn(tookMs);
        parts._receiver._maxPayload = this.#maxPayloadBytes;
      },
      pause: () => webSocket.pause(),
      resume: () => webSocket.resume(),
    };
    const connection = this.#host.connect(handshake, transport);
    if (this.#host.isRetired()) {
      connection.dismiss(DisconnectCode.serverShutdown, 'server shutdown');
      return;
    }
    webSocket.on('message', (data: Buffer, isBinary: boolean) => {
      pending.spoke();
      const read = (shortened?: string) => ({
        value: parseJson(shortened ?? (isBinary ? null : data.toString('utf8'))),
      });
      connection.receive({ text: () => (isBinary ? null : data), read }, data.length);
    });
    const stopBeating = heartbeat(webSocket);
    // The close that follows says all there is to say.
    webSocket.on('error', () => undefined);
    webSocket.once('close', () => {
      stopBeating();
      connection.gone();
    });
    this.#host.greet(connection);
  }
}

/** Pings a peer again and again, and ends the connection of one that has not answered. Returns how to stop. */
function heartbeat(webSocket: WebSocket): () => void {
  let isSilent = false;
  webSocket.on('pong', () => {
    isSilent = false;
  });
  const beat = setInterval(() => {
    if (isSilent) webSocket.terminate();
    isSilent = true;
    webSocket.ping();
  }, pingIntervalMs);
  beat.unref();
  return () => clearInterval(beat);
}

/** The JSON value of a text, undefined when there is none. */
function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
