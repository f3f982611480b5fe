import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import type { Coauthoring } from '../coauthoring/coauthoring.ts';
import { Connection } from '../coauthoring/gateway/connection.ts';
import { EngineIoGateway } from '../coauthoring/gateway/engine-io.ts';
import {
  Gatekeeper,
  type GatewayHost,
  isEngineIoPath,
  isPlainPath,
} from '../coauthoring/gateway/gatekeeper.ts';
import { PlainWebSocketGateway } from '../coauthoring/gateway/plain-ws.ts';
import type { Config } from '../config.ts';
import { baseUrl } from '../integration/base-url.ts';
import type { TransportMetrics, TransportName } from '../metrics/transport.ts';
import { routingOf } from '../routing.ts';
import type { SessionDoors } from '../workers/session-doors.ts';

/** The ways in which clients connect. */
export interface Gateways {
  gatekeeper: Gatekeeper;
  engineIo: EngineIoGateway;
  plainWs: PlainWebSocketGateway;
}

/** `isRetired`, `isLeaving`: as the gateways ask. `sidPrefix`: beginning of the ids of long-polling sessions. */
export function openGateways(
  config: Config,
  coauthoring: Coauthoring,
  traffic: TransportMetrics['traffic'],
  { isRetired, isLeaving }: Pick<GatewayHost, 'isRetired' | 'isLeaving'>,
  sidPrefix = '',
): Gateways {
  const hostOf = (transportName: TransportName): GatewayHost => ({
    handshakeOf: (request) => ({
      baseUrl: baseUrl(request as Parameters<typeof baseUrl>[0], config),
      routing: routingOf(request.url ?? ''),
    }),
    verifyHandshake: (auth) => coauthoring.verifyHandshake(auth),
    connect: (id, handshake, transport) =>
      new Connection(id, handshake, transport, coauthoring, {
        outboundQueueBytes: config.outboundQueueBytes,
        traffic: traffic[transportName],
        inboundQueueCharacters: 2 * config.wsMaxPayloadBytes,
      }),
    greet: (connection) => coauthoring.greet(connection),
    isRetired,
    isLeaving,
  });
  const gatekeeper = new Gatekeeper(config.maxUnauthenticatedSockets, config.authTimeoutMs);
  return {
    gatekeeper,
    engineIo: new EngineIoGateway(hostOf('engine_io'), gatekeeper, config.wsMaxPayloadBytes, sidPrefix),
    plainWs: new PlainWebSocketGateway(hostOf('websocket'), gatekeeper, config.wsMaxPayloadBytes),
  };
}

/**
 * The server of the port: requests go to the application, connections to their gateways. With `doors`, those of sessions of
 * another worker are passed on to it.
 */
export function httpServer(
  app: Express,
  { engineIo, plainWs }: Gateways,
  doors: SessionDoors | null,
): Server {
  const server = createServer((request, response) => {
    if (!isEngineIoPath(request.url ?? '')) return app(request, response);
    const here = () => engineIo.handleRequest(request, response);
    if (!doors?.passOn(request, response, here)) here();
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined);
    if (isEngineIoPath(request.url ?? '') && doors?.passOnUpgrade(request, socket, head)) return;
    if (isEngineIoPath(request.url ?? '')) engineIo.handleUpgrade(request, socket, head);
    else if (isPlainPath(request.url ?? '')) plainWs.handleUpgrade(request, socket, head);
    else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
  });
  // A peer that opens a connection and says nothing is not kept for long.
  server.headersTimeout = 20_000;
  server.on('connection', (socket: Socket) => socket.setNoDelay(true));
  return server;
}

/** Resolves with the port once it is open. */
export async function listen(server: Server, { port, host }: Config): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: 2_048 }, resolve);
  });
  return (server.address() as AddressInfo).port;
}
