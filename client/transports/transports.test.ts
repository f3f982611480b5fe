import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { eventually } from '../../test/support/eventually.ts';
import { DocumentClient } from '../document-client.ts';
import { FakeServer } from '../testing/fake-server.ts';
import { ModelDocument } from '../testing/model-document.ts';
import { listen, type SocketServer, type SocketServerOptions } from '../testing/socket-server.ts';
import { plainWsDial } from './plain-ws.ts';
import { socketIoDial } from './socket-io.ts';
import type { Dial, TransportEnd } from './transport.ts';

const undo: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function serve(options?: SocketServerOptions): Promise<{ fake: FakeServer; sockets: SocketServer }> {
  const fake = new FakeServer();
  const sockets = await listen(fake.accept, options);
  undo.push(() => sockets.close());
  return { fake, sockets };
}

function connect(url: string, id: string, transport: 'websocket' | 'polling' | 'plain', token?: string) {
  const document = new ModelDocument();
  const client = new DocumentClient({
    url,
    key: 'doc',
    transport,
    ...(token !== undefined && { token }),
    auth: { user: { id }, openCmd: { format: 'docx' } },
    hooks: document,
    reconnect: { initialDelayMs: 10, maxDelayMs: 20 },
  });
  undo.push(() => client.abort());
  return { client, document };
}

describe.each(['websocket', 'polling', 'plain'] as const)('%s', (transport) => {
  it('[C40] two clients edit one document over real sockets, through a broken connection', async () => {
    const { fake, sockets } = await serve();
    const ann = connect(sockets.url, 'ann', transport);
    await ann.client.open();
    const bob = connect(sockets.url, 'bob', transport);
    await bob.client.open();
    for (const { client, document } of [ann, bob]) {
      document.edit(client.userId);
      client.queueSave();
    }
    await Promise.all([ann.client.saved(), bob.client.saved()]);
    sockets.breakAll();
    ann.document.edit('after');
    ann.client.queueSave();
    await ann.client.saved();
    const log = fake.log.map(({ change }) => JSON.parse(change));
    expect(log).toHaveLength(3);
    await eventually(() => expect(bob.document.confirmed).toEqual(log));
    await ann.client.close();
    await eventually(() => expect(bob.client.participants.map(({ id }) => id)).toEqual(['bob2']));
  });

  it('[C41] a dismissed client stays away', async () => {
    const { fake, sockets } = await serve();
    const { client } = connect(sockets.url, 'ann', transport);
    await client.open();
    const ended = client.once('ended');
    const { peer } = fake.connections[0]!;
    peer.send({ type: 'disconnectReason', code: 4001, description: 'server shutdown' });
    peer.end('dismissed');
    expect((await ended).error).toMatchObject({ code: 'refused', protocolCode: 4001 });
  });
});

it.each(['websocket', 'plain'] as const)(
  '[FK2] %s: a server that goes before it has said a word is tried again at once',
  async (transport) => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    undo.push(() => server.close());
    await once(server, 'listening');
    let connections = 0;
    server.on('connection', (socket) => {
      connections += 1;
      socket.terminate();
    });
    const client = new DocumentClient({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      key: 'doc',
      transport,
      auth: { user: { id: 'ann' } },
      reconnect: { initialDelayMs: 1, maxDelayMs: 1, attempts: 5 },
    });
    undo.push(() => client.abort());
    await expect(client.open()).rejects.toMatchObject({ code: 'unreachable' });
    expect(connections).toBe(6);
  },
);

/** A server that refuses everybody, and the addresses that it was asked for. */
async function refusing(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.writeHead(503, { 'retry-after': '7' }).end();
  });
  server.on('upgrade', (request, socket) => {
    asked.push(request.url!);
    socket.end('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  undo.push(() => void server.close());
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const ended = (dial: Dial, session?: string): Promise<TransportEnd> =>
  new Promise((resolve) => {
    dial({ session }, { open: () => undefined, message: () => undefined, end: resolve });
  });

it('[C64] a client that polls sees how long it is to stay away', async () => {
  const { url } = await refusing();
  const refused = await ended(socketIoDial({ url, key: 'doc', engine: 'polling' }));
  expect(refused).toMatchObject({ kind: 'lost', retryAfterMs: 7_000 });
});

it.each([
  ['polling', (url: string) => socketIoDial({ url, key: 'doc', engine: 'polling' })],
  ['websocket', (url: string) => socketIoDial({ url, key: 'doc', engine: 'websocket' })],
  ['plain', (url: string) => plainWsDial({ url, key: 'doc' })],
] as const)('[C65] %s: who has a session says so in the address', async (_name, dialOf) => {
  const { url, asked } = await refusing();
  await ended(dialOf(url));
  await ended(dialOf(url), 'a session token');
  expect(asked.map((one) => new URL(one, url).searchParams.get('quireReturning'))).toEqual([null, '1']);
});

describe('Socket.IO handshake', () => {
  it('[C42] carries the opening token, and a refusal ends the client with the server’s code', async () => {
    const { sockets } = await serve({ token: 'good' });
    const refused = connect(sockets.url, 'ann', 'websocket', 'bad');
    await expect(refused.client.open()).rejects.toMatchObject({ code: 'refused', protocolCode: 4006 });
    const { client } = connect(sockets.url, 'bob', 'websocket', 'good');
    await client.open();
    expect(sockets.handshakes).toEqual([{ token: 'bad' }, { token: 'good' }]);
  });

  it('[C43] a disconnect packet without a reason ends the client, too', async () => {
    const { fake, sockets } = await serve();
    const { client } = connect(sockets.url, 'ann', 'websocket');
    await client.open();
    const ended = client.once('ended');
    fake.connections[0]!.peer.end('dismissed');
    expect((await ended).error).toMatchObject({ code: 'refused' });
  });

  it('[C44] an address where nobody listens is given up after the attempts', async () => {
    const { sockets } = await serve();
    await sockets.close();
    undo.pop();
    for (const transport of ['websocket', 'polling', 'plain'] as const) {
      const document = new ModelDocument();
      const client = new DocumentClient({
        url: sockets.url,
        key: 'doc',
        transport,
        auth: { user: { id: 'ann' } },
        hooks: document,
        reconnect: { initialDelayMs: 1, maxDelayMs: 1, attempts: 2 },
      });
      await expect(client.open()).rejects.toMatchObject({ code: 'unreachable' });
    }
  });
});
