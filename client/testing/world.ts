import { DocumentClient } from '../document-client.ts';
import type { DocumentClientOptions } from '../options.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeServer, type FakeServerOptions } from './fake-server.ts';
import { MemoryNetwork } from './memory-link.ts';
import { ModelDocument } from './model-document.ts';

/** A server, a network and a clock in memory, with the clients that a test opens in them. */
export class World {
  readonly clock = new FakeClock();
  readonly network = new MemoryNetwork();
  readonly server: FakeServer;

  constructor(options: FakeServerOptions = {}) {
    this.server = new FakeServer(options);
  }

  client(id: string, options: Partial<DocumentClientOptions> = {}) {
    const document = new ModelDocument();
    const client = new DocumentClient({
      url: 'http://server.test',
      key: 'doc',
      transport: this.network.dial(this.server.accept),
      auth: { user: { id, username: id }, openCmd: { format: 'docx' } },
      hooks: document,
      clock: this.clock,
      ...options,
    });
    return { client, document };
  }

  async open(id: string, options: Partial<DocumentClientOptions> = {}) {
    const made = this.client(id, options);
    const opening = made.client.open();
    await this.network.settle();
    await opening;
    const link = this.network.links.at(-1)!;
    return { ...made, link };
  }

  /** Lets a lost client come back. */
  async reconnect() {
    this.clock.advance(20_000);
    await this.network.settle();
  }

  texts() {
    return this.server.log.map(({ change }) => JSON.parse(change) as string);
  }

  sent(user: string, type: string) {
    const connections = this.server.connections.filter((connection) => connection.user.startsWith(user));
    return connections.flatMap((connection) =>
      connection.received.filter((message) => message.type === type),
    );
  }
}
