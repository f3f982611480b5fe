import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';

/**
 * What becomes of connections through a proxy. `passes`: everything as it is. `refuses`: those there are break, new ones
 * are refused. `silent`: those there are and new ones stay, and nothing comes through: what a pulled cable looks like.
 */
export type Passage = 'passes' | 'refuses' | 'silent';

/** Where a proxy passes connections on to. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

const loopback = '127.0.0.1';

/** A TCP proxy that a test puts between two parts, to cut them from each other. */
export class TcpProxy {
  readonly #server: Server;
  readonly #targets: () => readonly Target[];
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #passage: Passage = 'passes';
  #turn = 0;

  private constructor(targets: () => readonly Target[]) {
    this.#targets = targets;
    this.#server = createServer({ allowHalfOpen: false }, (client) => this.#accept(client));
  }

  /**
   * Listens on a free port of an address of this machine. Each connection goes to the next of the targets that takes it;
   * a port alone is one of 127.0.0.1.
   */
  static async start(targets: () => readonly (Target | number)[], host = loopback): Promise<TcpProxy> {
    const proxy = new TcpProxy(() =>
      targets().map((target) => (typeof target === 'number' ? { host: loopback, port: target } : target)),
    );
    proxy.#server.listen(0, host);
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  set(passage: Passage): void {
    this.#passage = passage;
    for (const [client, target] of [...this.#pairs]) {
      if (passage === 'refuses') {
        client.destroy();
        target.destroy();
      } else {
        // What is silent is not read, so that it comes through when the cable is back, as TCP would have it.
        const act = passage === 'silent' ? 'pause' : 'resume';
        client[act]();
        target[act]();
      }
    }
  }

  async close(): Promise<void> {
    for (const [client, target] of this.#pairs) {
      client.destroy();
      target.destroy();
    }
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket): void {
    client.on('error', () => client.destroy());
    if (this.#passage === 'refuses') {
      client.destroy();
      return;
    }
    client.setNoDelay(true);
    client.pause();
    const targets = this.#targets();
    this.#turn += 1;
    this.#reach(
      client,
      [...targets.keys()].map((offset) => targets[(this.#turn + offset) % targets.length]!),
    );
  }

  #reach(client: Socket, targets: readonly Target[]): void {
    const [first, ...others] = targets;
    if (first === undefined || client.destroyed) {
      client.destroy();
      return;
    }
    const target = dial(first.port, first.host);
    target.setNoDelay(true);
    let reached = false;
    target.once('connect', () => {
      reached = true;
      const pair = [client, target] as const;
      this.#pairs.add(pair);
      const part = () => {
        this.#pairs.delete(pair);
        client.destroy();
        target.destroy();
      };
      client.once('close', part);
      target.once('close', part);
      join(client, target);
      join(target, client);
      if (this.#passage === 'silent') target.pause();
      else client.resume();
    });
    target.on('error', () => {
      target.destroy();
      if (!reached) this.#reach(client, others);
    });
  }
}

/** Passes on what one end says, no faster than the other end takes it. */
function join(from: Socket, to: Socket): void {
  from.on('data', (piece) => {
    if (!to.write(piece)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
  });
  from.once('end', () => to.end());
}
