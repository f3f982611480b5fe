import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** What a reverse proxy does to requests. */
export interface ReverseProxyOptions {
  /** The path under which the server is published, without a slash at its end; it is taken off. */
  prefix: string;
  /** Headers that are set besides `X-Forwarded-For`; `X-Forwarded-Host` and `-Prefix` unless given. */
  headers?: Readonly<Record<string, string>>;
}

/** An HTTP reverse proxy in front of a server, as operators put one there: with a path of its own, and WebSockets. */
export class ReverseProxy {
  readonly #server: Server;
  readonly #target: URL;
  readonly #options: ReverseProxyOptions;
  /** Paths that were asked for, as they came to the proxy. */
  readonly paths: string[] = [];
  readonly #sockets = new Set<Duplex>();

  private constructor(target: URL, options: ReverseProxyOptions) {
    this.#target = target;
    this.#options = options;
    this.#server = createServer((incoming, outgoing) => {
      const passed = this.#pass(incoming);
      if (!passed) return void outgoing.writeHead(404).end();
      incoming.pipe(passed);
      passed.on('response', (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
    });
    this.#server.on('upgrade', (incoming, socket, head) => {
      const passed = this.#pass(incoming);
      if (!passed) return void socket.destroy();
      passed.end();
      passed.on('error', () => socket.destroy());
      passed.on('upgrade', (answer, far, farHead) => {
        const headers = Object.entries(answer.headers).map(
          ([name, value]) => `${name}: ${String(value)}\r\n`,
        );
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers.join('')}\r\n`);
        socket.write(farHead);
        far.write(head);
        for (const [one, other] of [
          [socket, far],
          [far, socket],
        ] as const) {
          one.on('error', () => other.destroy());
          this.#sockets.add(one);
          one.once('close', () => {
            this.#sockets.delete(one);
            other.destroy();
          });
          one.pipe(other);
        }
      });
    });
  }

  static async to(address: string, options: ReverseProxyOptions): Promise<ReverseProxy> {
    const proxy = new ReverseProxy(new URL(address), options);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** Where the proxy is, without the path. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The address under which it publishes the server. */
  get address(): string {
    return `http://${this.host}${this.#options.prefix}`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** The request to the server; null for paths that the proxy does not publish. */
  #pass(incoming: IncomingMessage) {
    const { prefix, headers } = this.#options;
    const url = incoming.url ?? '/';
    this.paths.push(url);
    if (!url.startsWith(`${prefix}/`)) return null;
    return request({
      host: this.#target.hostname,
      port: this.#target.port,
      method: incoming.method,
      path: url.slice(prefix.length),
      headers: {
        ...incoming.headers,
        host: this.#target.host,
        'x-forwarded-for': incoming.socket.remoteAddress ?? '',
        ...(headers ?? { 'x-forwarded-host': this.host, 'x-forwarded-prefix': prefix }),
      },
    });
  }
}
