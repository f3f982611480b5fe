import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { framedAnswers, type WireAnswer } from './wire-answers.ts';

/** How a request is answered, and what it is about. */
export interface WireServed {
  answer: WireAnswer;
  body: Buffer;
}

/** Decides about the answer to a request. */
export type WireChoice = (request: IncomingMessage, body: Buffer) => WireServed;

const asItShould = framedAnswers[0]!;

/**
 * A server of a stranger, which answers as it likes: requests are read as HTTP, answers are written byte by byte. An
 * address below `/good/` is answered as it should be.
 */
export class WireServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(choose: WireChoice) {
    this.#server = createServer((request) => {
      this.#answer(request, choose).catch((error: unknown) => request.socket.destroy(error as Error));
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(choose: WireChoice): Promise<WireServer> {
    const server = new WireServer(choose);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, choose: WireChoice): Promise<void> {
    const sent = await buffer(request);
    const { socket, url = '/' } = request;
    const { answer, body } = choose(request, sent);
    const isGood = url.startsWith('/good/');
    const address = this.address + url;
    const goodAddress = `${this.address}/good${url}`;
    await (isGood ? asItShould : answer).write({ socket, body, address, goodAddress });
  }
}
