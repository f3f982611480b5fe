import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import type { Resolve } from './guarded-agent.ts';
import { HttpClient, type OutgoingRequest } from './http-client.ts';
import { RequestError } from './request-error.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(listener: RequestListener): Promise<{ server: Server; port: number; origin: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  cleanups.push(() => new Promise((done) => server.close(done).closeAllConnections()));
  const { port } = server.address() as AddressInfo;
  return { server, port, origin: `http://127.0.0.1:${port}` };
}

function clientOf(allowPrivateIpAddress: boolean, resolve?: Resolve): HttpClient {
  const client = new HttpClient({ allowPrivateIpAddress, allowMetaIpAddress: false }, resolve);
  cleanups.push(() => client.close());
  return client;
}

const get = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  url,
  method: 'GET',
  fromVerifiedToken: false,
  idleTimeoutMs: 5_000,
  signal: new AbortController().signal,
  ...more,
});

const failureOf = async (sent: Promise<unknown>): Promise<string> => {
  const err = await sent.then(
    () => 'no error',
    (err: unknown) => err,
  );
  expect(err).toBeInstanceOf(RequestError);
  return (err as RequestError).code;
};

const toLoopback: Resolve = (_name, _options, callback) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }]);

test('[OA6] a private address is refused before anything connects, as a literal and behind a name', async () => {
  let connections = 0;
  const { server, port, origin } = await serve((_req, res) => res.end('secret'));
  server.on('connection', () => {
    connections += 1;
  });
  const client = clientOf(false, toLoopback);
  expect(await failureOf(client.send(get(origin)))).toBe('refused');
  expect(await failureOf(client.send(get(`http://public-name.test:${port}/`)))).toBe('refused');
  expect(await failureOf(client.send(get(`http://[::ffff:127.0.0.1]:${port}/`)))).toBe('refused');
  expect(connections).toBe(0);
  const { body } = await client.send(get(origin, { fromVerifiedToken: true }));
  expect(await text(body)).toBe('secret');
  expect(connections).toBe(1);
});

test('[OA6] a connection made for a vouched address is not reused for the same address without a token', async () => {
  const { origin } = await serve((_req, res) => res.end('secret'));
  const client = clientOf(false);
  await text((await client.send(get(origin, { fromVerifiedToken: true }))).body);
  expect(await failureOf(client.send(get(origin)))).toBe('refused');
});

test('[OA3] metadata services are refused whoever names them', async () => {
  const toMetadata: Resolve = (_n, _o, callback) =>
    callback(null, [{ address: '169.254.169.254', family: 4 }]);
  const client = clientOf(true, toMetadata);
  for (const url of ['http://169.254.169.254/latest', 'http://rebound.test/', 'http://[fd00:ec2::254]/']) {
    expect(await failureOf(client.send(get(url, { fromVerifiedToken: true })))).toBe('refused');
  }
});

test('[OA7] each redirect is judged anew, and a token vouches for the host it named only', async () => {
  const inside = await serve((_req, res) => res.end('inside'));
  const outside = await serve((req, res) => {
    const target = req.url === '/own' ? '/there' : req.url === '/other' ? `${inside.origin}/x` : undefined;
    if (target) res.writeHead(302, { location: target }).end();
    else res.end('here');
  });
  const client = clientOf(false);
  const send = (path: string) => client.send(get(outside.origin + path, { fromVerifiedToken: true }));
  expect(await text((await send('/own')).body)).toBe('here');
  expect(await failureOf(send('/other'))).toBe('refused');
  // Who reads the log learns who redirects, and what lets it.
  await expect(send('/other')).rejects.toThrow(
    `${outside.origin}/other redirects there, and a token vouches for its own host alone (ALLOW_PRIVATE_IP_ADDRESS)`,
  );
  const lenient = await clientOf(true).send(get(`${outside.origin}/other`));
  expect(await text(lenient.body)).toBe('inside');
});

test('[OA8] credentials go to the origin they are meant for only', async () => {
  const seen: (string | undefined)[] = [];
  const inside = await serve((req, res) => {
    seen.push(req.headers.authorization, req.headers['x-token'] as string | undefined);
    res.end();
  });
  const outside = await serve((req, res) => {
    seen.push(req.headers.authorization);
    res.writeHead(307, { location: req.url === '/a' ? '/b' : inside.origin }).end();
  });
  const headers = { Authorization: 'Bearer t', 'X-Token': 'Bearer t' };
  const { body } = await clientOf(true).send(get(`${outside.origin}/a`, { headers }));
  await text(body);
  expect(seen).toEqual(['Bearer t', 'Bearer t', undefined, undefined]);
});

test('[OA9] five redirects are followed and the sixth is not', async () => {
  const { origin } = await serve((req, res) => {
    const left = Number(req.url?.slice(1));
    if (left > 0) res.writeHead(301, { location: `/${left - 1}` }).end();
    else res.end('end');
  });
  const client = clientOf(true);
  expect(await text((await client.send(get(`${origin}/5`))).body)).toBe('end');
  expect(await failureOf(client.send(get(`${origin}/6`)))).toBe('redirects');
});

test('[OA10] only http and https addresses without credentials are used, also in redirects', async () => {
  const { origin } = await serve((req, res) => {
    const target = req.url === '/file' ? 'file:///etc/passwd' : 'http://[bad';
    res.writeHead(302, { location: target }).end();
  });
  const client = clientOf(true);
  const urls = ['file:///etc/passwd', 'ftp://host/f', 'nonsense', '', 'http://me:pw@127.0.0.1/', 'data:,x'];
  for (const url of [...urls, `${origin}/file`, `${origin}/bad`]) {
    expect(await failureOf(client.send(get(url))), url).toBe('address');
  }
});

test('[OA15] whoever redirects to what is no address is named', async () => {
  const { origin } = await serve((_req, res) => res.writeHead(302, { location: 'http://[bad' }).end());
  await expect(clientOf(true).send(get(`${origin}/file?secret=1`))).rejects.toThrow(
    `${origin}/file redirects to an address that is malformed`,
  );
});

test('[RA3] a host that the operator has denied is not contacted, by name or by address, whatever vouches for it', async () => {
  const { origin, server } = await serve((_req, res) => res.end('document'));
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const { port } = new URL(origin);
  const send = async (rules: string, url: string) => {
    const { ipFilter } = loadConfig({ IP_FILTER: rules });
    const client = new HttpClient(
      { allowPrivateIpAddress: true, allowMetaIpAddress: false, ipFilter },
      toLoopback,
    );
    cleanups.push(() => client.close());
    return client.send(get(url, { fromVerifiedToken: true }));
  };
  expect(await failureOf(send('deny 127.0.0.0/8', origin))).toBe('refused');
  expect(await failureOf(send('deny 127.*', `http://storage.test:${port}/`))).toBe('refused');
  expect(await failureOf(send('deny *.test', `http://storage.test:${port}/`))).toBe('refused');
  expect(await failureOf(send('allow storage.test, deny *', `http://other.test:${port}/`))).toBe('refused');
  expect(connections).toBe(0);
  const { body } = await send('allow storage.test, deny *', `http://storage.test:${port}/`);
  expect(await text(body)).toBe('document');
});

test('[RA3] a redirect leads past no rule', async () => {
  const target = await serve((_req, res) => res.end('document'));
  const { port } = target.server.address() as AddressInfo;
  const { origin } = await serve((_req, res) =>
    res.writeHead(302, { location: `http://denied.test:${port}/` }).end(),
  );
  const { ipFilter } = loadConfig({ IP_FILTER: 'deny denied.test' });
  const client = new HttpClient(
    { allowPrivateIpAddress: true, allowMetaIpAddress: false, ipFilter },
    toLoopback,
  );
  cleanups.push(() => client.close());
  expect(await failureOf(client.send(get(origin)))).toBe('refused');
});

/** A server that answers the first request of a connection, and does something else to the second. */
async function servingOnce(harm: (socket: Socket) => unknown) {
  const seen: string[] = [];
  const used = new Set<Socket>();
  const { origin } = await serve((req, res) => {
    seen.push(req.method!);
    if (used.has(req.socket)) return void harm(req.socket);
    used.add(req.socket);
    req.resume().once('end', () => res.end('an answer'));
  });
  return { origin, seen };
}

test.each<[string, (socket: Socket) => unknown]>([
  ['ends', (socket) => socket.end()],
  ['is reset', (socket) => socket.resetAndDestroy()],
  ['brings something else', (socket) => socket.end('no HTTP\r\n\r\n')],
])(
  '[OA13] where a kept connection %s, what does no harm twice is sent again on a new one',
  async (_what, harm) => {
    const { origin, seen } = await servingOnce(harm);
    const client = clientOf(true);
    const ask = async (more: Partial<OutgoingRequest> = {}) =>
      text((await client.send(get(origin, more))).body);
    const post = { method: 'POST', body: 'work' };
    expect([await ask(), await ask()]).toEqual(['an answer', 'an answer']);
    expect(seen).toEqual(['GET', 'GET', 'GET']);
    expect([await ask(), await ask({ ...post, isRepeatable: true })]).toEqual(['an answer', 'an answer']);
    expect(seen.slice(3)).toEqual(['GET', 'POST', 'POST']);
    await ask();
    expect(await failureOf(ask(post))).toBe('network');
    expect(seen.slice(6)).toEqual(['GET', 'POST']);
  },
);

test('[OA13] a new connection without an answer is an error at once', async () => {
  let requests = 0;
  const { origin } = await serve((req) => {
    requests += 1;
    req.socket.destroy();
  });
  expect(await failureOf(clientOf(true).send(get(origin)))).toBe('network');
  expect(requests).toBe(1);
});

test.each([
  ['a whole answer', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmore'],
  ['half an answer', 'HTTP/1.1 200 OK\r\nConte'],
])('[OA16] a connection on which %s comes unasked is asked nothing any more', async (_what, unasked) => {
  const sockets: Socket[] = [];
  const { origin } = await serve((req, res) => {
    sockets.push(req.socket);
    res.end('an answer');
  });
  const client = clientOf(true);
  const ask = async () => text((await client.send(get(origin))).body);
  expect([await ask(), await ask()]).toEqual(['an answer', 'an answer']);
  expect(sockets[1]).toBe(sockets[0]);
  const closed = once(sockets[0]!, 'close');
  sockets[0]!.write(unasked);
  await closed;
  expect(await ask()).toBe('an answer');
  expect(sockets[2]).not.toBe(sockets[0]);
});

test('[OA14] a compressed body is read as it was before, and without the headers of its compression', async () => {
  const { origin } = await serve((_req, res) =>
    res.writeHead(200, { 'content-encoding': 'gzip', etag: '"1"' }).end(gzipSync('{"error":0}')),
  );
  const { body, headers } = await clientOf(true).send(get(origin));
  expect(await text(body)).toBe('{"error":0}');
  expect(headers).toMatchObject({ etag: '"1"' });
  expect(headers).not.toHaveProperty('content-encoding');
  expect(headers).not.toHaveProperty('content-length');
});

test('[OA19] letters in a Location are read as the bytes they come in, as in browsers', async () => {
  const asked: string[] = [];
  const { origin } = await serve((req, res) => {
    asked.push(req.url!);
    if (req.url !== '/') return res.end('there');
    const location = Buffer.from('/Büro/ä?q=é 1').toString('latin1');
    return res.socket!.write(
      `HTTP/1.1 302 Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`,
      'latin1',
    );
  });
  const { body } = await clientOf(true).send(get(`${origin}/`));
  expect(await text(body)).toBe('there');
  expect(asked[1]).toBe('/B%C3%BCro/%C3%A4?q=%C3%A9%201');
});

test('[OA19] a host in such a Location is an international name', async () => {
  const names: string[] = [];
  const { origin, port } = await serve((req, res) => {
    if (req.headers.host?.startsWith('xn--')) return res.end('there');
    const location = Buffer.from(`http://büro.test:${port}/`).toString('latin1');
    return res.socket!.write(
      `HTTP/1.1 302 Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`,
      'latin1',
    );
  });
  const client = clientOf(true, (name, options, callback) => {
    names.push(name);
    return toLoopback(name, options, callback);
  });
  expect(await text((await client.send(get(origin))).body)).toBe('there');
  expect(names).toEqual(['xn--bro-hoa.test']);
});

test('[OA14] an interim answer that nobody asked for is passed over', async () => {
  const { origin } = await serve((_req, res) => {
    res.writeContinue();
    res.writeProcessing();
    res.end('an answer');
  });
  expect(await text((await clientOf(true).send(get(origin, { method: 'POST', body: '{}' }))).body)).toBe(
    'an answer',
  );
});

test('a redirect that is not to be followed is an answer', async () => {
  const { origin } = await serve((_req, res) => res.writeHead(302, { location: '/there' }).end());
  const response = await clientOf(true).send(get(origin, { followsRedirects: false }));
  expect(response.status).toBe(302);
  response.body.resume();
});
