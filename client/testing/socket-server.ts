import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as EngineServer } from 'engine.io';
import { WebSocketServer } from 'ws';
import {
  decodeSocketIo,
  disconnectPacket,
  encodeConnect,
  encodeConnectError,
  encodeEvent,
} from '../protocol/index.ts';
import type { Accept, ServerConnection } from './memory-link.ts';

export interface SocketServer {
  url: string;
  /** Handshake objects of the Socket.IO connections so far. */
  handshakes: unknown[];
  /** Breaks every connection. */
  breakAll(): void;
  close(): Promise<void>;
}

export interface SocketServerOptions {
  /** Refuse Socket.IO handshakes whose token is not this. */
  token?: string;
}

/** Puts a server of `Accept` on real sockets: Socket.IO at `/doc/{key}/c/` and plain WebSocket at `/ws/{key}`. */
export async function listen(accept: Accept, options: SocketServerOptions = {}): Promise<SocketServer> {
  const http = createServer();
  const engine = new EngineServer({ pingInterval: 25_000 });
  const plain = new WebSocketServer({ noServer: true });
  const breakers = new Set<() => void>();
  const handshakes: unknown[] = [];

  engine.on('connection', (socket) => {
    let connection: ServerConnection | null = null;
    const breakOff = () => socket.close(true);
    breakers.add(breakOff);
    socket.on('message', (data: unknown) => {
      const packet = decodeSocketIo(String(data));
      if (packet.kind === 'event') connection?.receive(packet.message);
      if (packet.kind !== 'connect') return;
      handshakes.push(packet.auth);
      const { token } = packet.auth as { token?: string };
      if (options.token !== undefined && token !== options.token) {
        socket.send(encodeConnectError(4006, 'token:jwt malformed'));
        return;
      }
      socket.send(encodeConnect('connection'));
      connection = accept({
        send: (message) => void socket.send(encodeEvent(JSON.stringify(message))),
        end: (kind) => {
          if (kind === 'dismissed') socket.send(disconnectPacket);
          socket.close();
        },
      });
    });
    socket.on('close', () => {
      breakers.delete(breakOff);
      connection?.lost();
    });
  });

  plain.on('connection', (socket) => {
    const breakOff = () => socket.terminate();
    breakers.add(breakOff);
    const connection = accept({
      send: (message) => socket.send(JSON.stringify(message)),
      end: () => socket.close(),
    });
    socket.on('message', (data) => connection.receive(JSON.parse(String(data))));
    socket.on('close', () => {
      breakers.delete(breakOff);
      connection.lost();
    });
  });

  const isDocument = (request: IncomingMessage) => request.url?.startsWith('/doc/');
  http.on('request', (request, response) => {
    if (isDocument(request)) engine.handleRequest(request as never, response);
    else response.writeHead(404).end();
  });
  http.on('upgrade', (request, socket, head) => {
    if (isDocument(request)) engine.handleUpgrade(request as never, socket, head);
    else
      plain.handleUpgrade(request, socket, head, (webSocket) => plain.emit('connection', webSocket, request));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));

  const breakAll = () => {
    for (const breakOff of [...breakers]) breakOff();
  };
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    handshakes,
    breakAll,
    close: async () => {
      breakAll();
      engine.close();
      plain.close();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}
