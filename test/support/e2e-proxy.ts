import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A network between clients and a server that can be cut. */
export class CuttableProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => undefined);
        one.once('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
  }

  /** On a free port unless one is given. */
  static async to(address: string, port = 0): Promise<CuttableProxy> {
    const proxy = new CuttableProxy(new URL(address));
    proxy.#server.listen(port, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Cuts every connection, whatever is under way on it. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }
}
