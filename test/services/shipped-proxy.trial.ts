import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { hasNginx, TestNginx } from '../support/nginx.ts';
import { Scene } from '../support/scene.ts';

/** The status of a request whose target goes out as it is written: `fetch` would tidy it up first. */
async function statusOf(port: number, target: string): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${target} HTTP/1.1\r\nHost: docs.test\r\nConnection: close\r\n\r\n`);
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
  });
  await once(socket, 'close');
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

/** Other spellings of an address that is kept from the outside. */
const spellings = (path: string): string[] => {
  const [, first = '', rest = ''] = /^\/([^/]+)(.*)$/.exec(path)!;
  const encoded = `%${first.charCodeAt(0).toString(16)}${first.slice(1)}`;
  return [
    `/${first.toUpperCase()}${rest}`,
    `/${first[0]!.toUpperCase()}${first.slice(1)}${rest}`,
    `/${encoded}${rest}`,
    `/${encoded.toUpperCase()}${rest}`,
    `/${path}`,
    `//${path}`,
    `/x/..${path}`,
    `/x/%2e%2e${path}`,
    `/./${path.slice(1)}`,
    `${path}/`,
    `%2f${path.slice(1)}`,
    `/9.3.0-x/${path}`,
    `/9.3.0-x/${first.toUpperCase()}${rest}`,
    `/9.3.0-a%2fb${path}`,
    `/9.3.0-a%2Fb/${first.toUpperCase()}${rest}`,
    `/9.3.0-a%3f${path}`,
    `/9.3.0-%2e${path}`,
  ];
};
const guarded = ['/metrics', '/info/info.json', '/internal/cluster/ready'];

describe('addresses that are not for the outside', () => {
  let scene: Scene;
  let nginx: TestNginx | null = null;
  let port: number;
  beforeAll(async () => {
    scene = await Scene.open();
    port = Number(new URL(scene.quire.address).port);
    if (hasNginx) nginx = await TestNginx.start([port]);
  });
  afterAll(async () => {
    await nginx?.close();
    await scene?.close();
  });

  it('[RA21] the server answers them in one spelling, with or without a version before them', async () => {
    for (const path of guarded) {
      for (const exact of [path, `/9.3.0-x${path}`]) {
        expect([exact, await statusOf(port, exact)]).toEqual([exact, 200]);
      }
      for (const other of spellings(path)) {
        expect([other, (await statusOf(port, other)) >= 400]).toEqual([other, true]);
      }
    }
    const admin = Number(new URL(scene.quire.adminAddress).port);
    expect(await statusOf(admin, '/admin/')).toBe(200);
    expect(await statusOf(admin, '/admin/api/session')).toBe(401);
    for (const other of ['/ADMIN/', '/%61dmin/', '//admin/', '/x/../admin/', '/9.3.0-x/admin/']) {
      for (const below of ['', 'api/session']) {
        expect([other, await statusOf(admin, other + below)]).toEqual([other, 404]);
      }
    }
  });

  it.skipIf(!hasNginx)(
    '[RA21] the nginx that is shipped passes none of them, and what is named so below others',
    async () => {
      for (const path of [...guarded, '/admin/', '/admin', '/internal']) {
        for (const one of [path, `/9.3.0-x${path}`, ...spellings(path)]) {
          expect([one, (await statusOf(nginx!.port, one)) >= 400]).toEqual([one, true]);
        }
      }
      expect(await statusOf(nginx!.port, '/metrics')).toBe(403);
      expect(await statusOf(nginx!.port, '/healthcheck')).toBe(200);
      expect(await statusOf(nginx!.port, '/9.3.0-x/healthcheck')).toBe(200);
      // A document may be called so.
      expect(await statusOf(nginx!.port, '/doc/metrics/c/?EIO=4&transport=polling')).toBe(200);
    },
  );
});

describe.skipIf(!hasNginx)('what a client says of itself', () => {
  let echo: Server;
  let nginx: TestNginx;
  let seen: IncomingHttpHeaders = {};
  beforeAll(async () => {
    echo = createServer((request, response) => {
      seen = request.headers;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    nginx = await TestNginx.start([(echo.address() as AddressInfo).port]);
  });
  afterAll(async () => {
    await nginx?.close();
    echo?.close();
    echo?.closeAllConnections();
  });

  it('[RA22] is overwritten or dropped by the nginx that is shipped, whichever node and way is taken', async () => {
    const headers = {
      'X-Forwarded-For': '198.51.100.7',
      'X-Forwarded-Host': 'evil.test',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Port': '81',
      'X-Forwarded-Prefix': '/evil',
      'X-Real-IP': '198.51.100.7',
      'CloudFront-Forwarded-Proto': 'https',
      Forwarded: 'for=198.51.100.7;host=evil.test',
    };
    for (const path of ['/', '/doc/k/c/?EIO=4', '/downloadas/k', '/command', '/hosting/discovery']) {
      await fetch(nginx.address + path, { headers });
      const told = Object.fromEntries(
        Object.keys(headers).map((name) => [name.toLowerCase(), seen[name.toLowerCase()]]),
      );
      expect(told).toEqual({
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': `127.0.0.1:${nginx.port}`,
        'x-forwarded-proto': 'http',
        'x-forwarded-port': undefined,
        'x-forwarded-prefix': undefined,
        'x-real-ip': '127.0.0.1',
        'cloudfront-forwarded-proto': undefined,
        forwarded: undefined,
      });
    }
  });
});

/** A server in the place of a node. */
class StandInNode {
  protected readonly server = createServer();

  /** Returns its port. */
  async listen(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** A node that tells, in place of serving, that it was asked. */
class NamedNode extends StandInNode {
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
    this.server.on('request', (_request, response) => response.end(name));
    this.server.on('upgrade', (_request, socket) => {
      socket.end(
        `HTTP/1.1 409 Conflict\r\nConnection: close\r\nContent-Length: ${this.name.length}\r\n\r\n${this.name}`,
      );
    });
  }
}

/** The node that a WebSocket to this address would have. */
async function nodeOfUpgrade(address: string): Promise<string> {
  const socket = new WebSocket(address.replace('http', 'ws'));
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, NodeJS.ReadableStream];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return body;
}

describe.skipIf(!hasNginx)('the node of a document', () => {
  const nodes = ['a', 'b', 'c'].map((name) => new NamedNode(name));
  const keys = Array.from({ length: 24 }, (_, number) => `document ${number}`).map(encodeURIComponent);
  let nginx: TestNginx;
  beforeAll(async () => {
    nginx = await TestNginx.start(await Promise.all(nodes.map((node) => node.listen())));
  });
  afterAll(async () => {
    await nginx?.close();
    for (const node of nodes) node.close();
  });

  /** The nodes that people of a document are led to, each by another way. */
  async function nodesOf(key: string): Promise<Set<string>> {
    const paths = [`/doc/${key}/c/`, `/9.3.0-x/doc/${key}/c/`, `/ws/${key}`];
    const polling = `${nginx.address}/doc/${key}/c/?EIO=4&transport=polling`;
    return new Set([
      ...(await Promise.all(paths.map((path) => nodeOfUpgrade(nginx.address + path)))),
      await (await fetch(polling)).text(),
      await nodeOfUpgrade(`${nginx.address}/doc/${key}/c/?EIO=4&transport=websocket&sid=${key}`),
      await (await fetch(`${nginx.address}/downloadas/${key}`, { method: 'POST', body: 'x' })).text(),
    ]);
  }

  it('[WK14] is one for all its people, whichever way they come, and documents are spread over all nodes', async () => {
    const found = await Promise.all(keys.map(nodesOf));
    expect(found.filter(({ size }) => size !== 1)).toEqual([]);
    expect(new Set(found.flatMap((names) => [...names]))).toEqual(new Set(['a', 'b', 'c']));
  });

  it('[WK14] is one other for all its people when it is gone, and only for documents that it had', async () => {
    const before = await Promise.all(keys.map(nodesOf));
    nodes[0]!.close();
    const after = await Promise.all(keys.map(nodesOf));
    expect(after.filter(({ size }) => size !== 1)).toEqual([]);
    const [had, others] = [true, false].map((had) => keys.filter((_, at) => before[at]!.has('a') === had));
    expect(had!.length).toBeGreaterThan(0);
    for (const key of others!) expect(after[keys.indexOf(key)]).toEqual(before[keys.indexOf(key)]);
    expect(after.some((names) => names.has('a'))).toBe(false);
  });
});

/** A node that keeps WebSockets open, or refuses them as a drained one does. */
class RefusingNode extends StandInNode {
  readonly #sockets = new WebSocketServer({
    server: this.server,
    verifyClient: (_, answer) => answer(!this.isDrained, 503),
  });
  isDrained = false;

  override close(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
    super.close();
  }
}

/** The status of an attempt at a WebSocket; it stays open when it is made. */
function statusOfUpgrade(address: string, opened: WebSocket[]): Promise<number> {
  const socket = new WebSocket(address.replace('http', 'ws'));
  opened.push(socket);
  return new Promise((resolve) => {
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', () => resolve(0));
  });
}

describe.skipIf(!hasNginx)('nodes that were drained one after the other', () => {
  const nodes = [new RefusingNode(), new RefusingNode(), new RefusingNode()];
  const opened: WebSocket[] = [];
  let nginx: TestNginx;
  beforeAll(async () => {
    nginx = await TestNginx.start(await Promise.all(nodes.map((node) => node.listen())));
  });
  afterAll(async () => {
    for (const socket of opened) socket.terminate();
    await nginx?.close();
    for (const node of nodes) node.close();
  });

  it('[WK15] take everybody at once, though nobody whom they took since has left', async () => {
    for (const drained of nodes) {
      drained.isDrained = true;
      const attempts = Array.from({ length: 60 }, (_, number) =>
        statusOfUpgrade(`${nginx.address}/doc/document-${number}/c/?EIO=4&transport=websocket`, opened),
      );
      expect(new Set(await Promise.all(attempts))).toEqual(new Set([101]));
      drained.isDrained = false;
    }
  });
});

/** A node of one version: it has the files of its own pages. */
class PagesNode extends StandInNode {
  constructor(file: string) {
    super();
    this.server.on('request', (request, response) => {
      response.statusCode = request.url === file ? 200 : 404;
      response.end(request.url === file ? file : 'not here');
    });
  }
}

describe.skipIf(!hasNginx)('nodes of several versions', () => {
  const files = ['old', 'new', 'newer', 'newest', 'last'].map(
    (version, at) => `${at % 2 ? '/9.3.0-x' : ''}/web-apps/apps/quire/assets/${version}.js`,
  );
  const nodes = files.map((file) => new PagesNode(file));
  let nginx: TestNginx;
  beforeAll(async () => {
    nginx = await TestNginx.start(await Promise.all(nodes.map((node) => node.listen())));
  });
  afterAll(async () => {
    await nginx?.close();
    for (const node of nodes) node.close();
  });

  it('[OP23] give every page the files of its own version, whichever node is asked first', async () => {
    // nginx goes on with the next node at each request.
    for (const file of files)
      for (const _node of nodes) {
        const answer = await fetch(nginx.address + file);
        expect([file, answer.status, await answer.text()]).toEqual([file, 200, file]);
      }
    // What none has is told, and costs none of them its place.
    for (let round = 0; round < 20; round += 1)
      expect((await fetch(`${nginx.address}/web-apps/apps/quire/assets/none.js`)).status).toBe(404);
    for (const file of files) expect((await fetch(nginx.address + file)).status).toBe(200);
  });
});
