import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { addressGroup } from '../../platform/config/address-list.ts';
import type { Config } from '../../platform/config.ts';
import type { Descriptors } from '../../platform/descriptors.ts';
import type { TransportMetrics, TransportName } from '../../platform/metrics/transport.ts';
import { openConnections } from '../../platform/open-connections.ts';
import type { Coauthoring } from '../coauthoring/coauthoring.ts';
import { Connection, type ConnectionLimits } from '../coauthoring/gateway/connection.ts';
import { isEngineIoPath, isPlainPath } from '../coauthoring/gateway/document-path.ts';
import type { Door } from '../coauthoring/gateway/door.ts';
import { EngineIoGateway } from '../coauthoring/gateway/engine-io.ts';
import { FairScheduler } from '../coauthoring/gateway/fair-scheduler.ts';
import { IdleSockets } from '../coauthoring/gateway/idle-sockets.ts';
import { PersonBudgets } from '../coauthoring/gateway/person-budgets.ts';
import { PlainWebSocketGateway } from '../coauthoring/gateway/plain-ws.ts';
import {
  type GatewayHost,
  UnauthenticatedConnections,
} from '../coauthoring/gateway/unauthenticated-connections.ts';
import { refuseUpgrade } from '../coauthoring/gateway/upgrade-refusal.ts';
import { baseUrl } from '../http/base-url.ts';
import { callerAddress } from '../http/caller.ts';
import { routingOf } from '../http/routing.ts';
import { withSingleSlashes } from '../http/single-slashes.ts';
import type { SessionForwarding } from '../workers/session-forwarding.ts';

/** Time for the head of a request, and how often to check it, milliseconds. */
const headersTimeoutMs = 10_000;
const checkEveryMs = 2_000;

/** How much is still read of a request that is answered already, bytes, and for how long, milliseconds. */
const lingerBytes = 1_048_576;
const lingerMs = 3_000;

/** A connection that has asked for too much for this long is ended, milliseconds. */
const greedyForMs = 60_000;

/** The transports of clients, and their limits before sign-in. */
export interface Gateways {
  unauthenticated: UnauthenticatedConnections;
  waiting: IdleSockets;
  /** Closes a connection for which there is no descriptor. */
  turnAway: (socket: Socket) => void;
  engineIo: EngineIoGateway;
  plainWs: PlainWebSocketGateway;
}

/** The close that follows an error says enough. */
const nothing = (): void => undefined;

/** What bounds the connections of each transport. */
function connectionLimits(
  config: Config,
  { traffic }: TransportMetrics,
): Readonly<Record<TransportName, ConnectionLimits>> {
  const limits = {
    outboundQueueBytes: config.outboundQueueBytes,
    inboundQueueCharacters: 2 * config.wsMaxPayloadBytes,
    workMsPerSecond: config.connectionWorkMsPerSecond,
    patienceMs: greedyForMs,
    requests: config.connectionRequests,
    scheduler: new FairScheduler(),
    people: new PersonBudgets(),
  };
  return {
    engine_io: { ...limits, traffic: traffic.engine_io },
    websocket: { ...limits, traffic: traffic.websocket },
  };
}

/**
 * `isRetired`: see {@link GatewayHost}. `isLeaving`: the server stops, or is drained. `sidPrefix`: beginning of the ids of
 * long-polling sessions. `door`: where handshakes wait to be let in.
 */
export function openGateways(
  config: Config,
  coauthoring: Coauthoring,
  metrics: TransportMetrics,
  {
    isRetired,
    isLeaving,
    door,
    descriptors,
  }: {
    isRetired: () => boolean;
    isLeaving: () => boolean;
    door: Pick<Door, 'knock'>;
    descriptors: Descriptors;
  },
  sidPrefix = '',
): Gateways {
  const limitsOf = connectionLimits(config, metrics);
  const hostOf = (transportName: TransportName): GatewayHost => ({
    handshakeOf: (request) => ({
      baseUrl: baseUrl(request as Parameters<typeof baseUrl>[0], config),
      routing: routingOf(request.url ?? ''),
      network: addressGroup(callerAddress(request, config)),
    }),
    addressOf: (request) => callerAddress(request, config),
    verifyHandshake: (auth) => coauthoring.verifyHandshake(auth),
    connect: (handshake, transport, known = null) => {
      const limits = limitsOf[transportName];
      const connection = new Connection(randomUUID(), handshake, transport, coauthoring, limits);
      connection.knownToken = known;
      return connection;
    },
    greet: (connection) => coauthoring.greet(connection),
    isRetired,
    sendsAway: isLeaving,
    door,
  });
  const { maxUnauthenticatedSockets, handshakeTimeoutMs, authTimeoutMs } = config;
  // Strangers leave half of the descriptors to those who have signed in.
  const maxConnections = Math.min(maxUnauthenticatedSockets, Math.ceil(descriptors.mostConnections / 4));
  const limits = { maxConnections, handshakeTimeoutMs, authTimeoutMs };
  const unauthenticated = new UnauthenticatedConnections(limits, (why) =>
    metrics.countUnauthenticatedEnded(why),
  );
  return {
    unauthenticated,
    waiting: new IdleSockets(maxConnections, () => metrics.countUnauthenticatedEnded('crowded')),
    turnAway: (socket) => {
      metrics.countUnauthenticatedEnded('no_descriptor');
      socket.destroy();
    },
    engineIo: new EngineIoGateway(hostOf('engine_io'), unauthenticated, config.wsMaxPayloadBytes, sidPrefix),
    plainWs: new PlainWebSocketGateway(hostOf('websocket'), unauthenticated, config.wsMaxPayloadBytes),
  };
}

/**
 * The HTTP server of the port: requests go to the application, connections to their gateways. With `forwarding`, requests of
 * another worker's sessions are passed on to that worker. Connections for which `descriptors` are short are closed.
 */
export function httpServer(
  app: Express,
  { engineIo, plainWs, waiting, turnAway }: Gateways,
  forwarding: SessionForwarding | null,
  descriptors: Descriptors,
): Server {
  const server = createServer({ connectionsCheckingInterval: checkEveryMs }, (request, response) => {
    request.url = withSingleSlashes(request.url ?? '');
    waiting.requested(request, response);
    response.once('finish', () => {
      if (!request.complete) endReading(request);
    });
    if (!isEngineIoPath(request.url)) return app(request, response);
    const here = () => engineIo.handleRequest(request, response);
    if (!forwarding?.passOn(request, response, here)) here();
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    request.url = withSingleSlashes(request.url ?? '');
    socket.on('error', nothing);
    waiting.leave(socket as Socket);
    if (forwarding?.passOnUpgrade(request, socket, head)) return;
    if (isEngineIoPath(request.url)) engineIo.handleUpgrade(request, socket, head);
    else if (isPlainPath(request.url)) plainWs.handleUpgrade(request, socket, head);
    else refuseUpgrade(socket, 'HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
  });
  // A peer that opens a connection and sends nothing is not kept for long.
  server.headersTimeout = headersTimeoutMs;
  descriptors.watch(() => openConnections(server));
  server.on('connection', (socket: Socket) => {
    if (descriptors.areShort) return turnAway(socket);
    socket.setNoDelay(true);
    waiting.opened(socket);
  });
  return server;
}

/**
 * For a request that was answered before all of it was received, for example because it is too large. A long rest is not read.
 * The connection stays only until its client has seen the answer, or until a short rest has been received.
 */
function endReading(request: IncomingMessage): void {
  const { socket, headers } = request;
  if (!(Number(headers['content-length']) <= lingerBytes)) {
    // Node has just begun to read the rest. A closed connection makes the client send its next request over another one.
    setImmediate(() => socket.pause().end());
  }
  setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, lingerMs).unref();
}
