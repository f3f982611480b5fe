import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

/** A server of the protocol without Socket.IO that lets people of a load in, or does with them what a test says. */
export class LoadDoor {
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #connections = new Set<Socket>();
  /** What the server got, by type, in the order in which it came. */
  readonly heard: string[] = [];
  /** Connections that are open. */
  readonly open = new Set<WebSocket>();
  /** Connections that were asked for. */
  asked = 0;
  /** Answers an upgrade in another way; returns whether it did. */
  onUpgrade: (request: IncomingMessage, socket: Duplex) => boolean = () => false;
  /** Answers a request for something else than the model; nothing is there unless a test says so. */
  onRequest: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    response.writeHead(404).end();
  /** Called with who has come, before the greeting; returns whether it is greeted. */
  onConnection: (socket: WebSocket) => boolean = () => true;
  /** Called when somebody asks for the model of a document; it is sent when this resolves. */
  beforeModel: () => Promise<void> = () => Promise.resolve();

  private constructor() {
    this.#http = createServer((request, response) => {
      if (request.url !== '/model') return this.onRequest(request, response);
      void this.beforeModel().then(() => response.setHeader('Content-Length', 5).end('model'));
    });
    this.#http.on('connection', (socket) => {
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
    this.#http.on('upgrade', (request, socket, head) => {
      this.asked += 1;
      if (this.onUpgrade(request, socket)) return;
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#welcome(opened));
    });
  }

  static async start(): Promise<LoadDoor> {
    const door = new LoadDoor();
    door.#http.listen(0, '127.0.0.1');
    await once(door.#http, 'listening');
    return door;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** Cuts every connection, as a server that dies. */
  cut(): void {
    for (const socket of this.open) socket.terminate();
  }

  async stop(): Promise<void> {
    for (const socket of this.#connections) socket.destroy();
    await once(this.#http.close(), 'close');
  }

  #welcome(socket: WebSocket): void {
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
    socket.on('message', (data) => this.#hear(socket, JSON.parse(String(data)) as { type: string }));
    if (this.onConnection(socket)) socket.send(JSON.stringify({ type: 'license' }));
  }

  #hear(socket: WebSocket, { type }: { type: string }): void {
    this.heard.push(type);
    const answers: Record<string, object[]> = {
      auth: [
        { type: 'auth', quireSyncIndex: 0 },
        { type: 'documentOpen', data: { status: 'ok', data: { 'Editor.bin': `${this.url}/model` } } },
      ],
      isSaveLock: [{ type: 'saveLock', saveLock: false }],
      saveChanges: [{ type: 'unSaveLock' }],
    };
    for (const answer of answers[type] ?? []) socket.send(JSON.stringify(answer));
  }
}
