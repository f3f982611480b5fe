import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import type { Resolve } from './guarded-agent.ts';
import { HttpClient } from './http-client.ts';
import { proxyOfEnvironment } from './proxies.ts';
import { RequestError } from './request-error.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** What a proxy was asked for: method, address, and the headers that concern it. */
interface Asked {
  what: string;
  host: string | undefined;
  forProxy: string | undefined;
  forHost: string | undefined;
}

/** A proxy that answers everything itself and opens no tunnel. */
async function proxy(): Promise<{ url: URL; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    asked.push({
      ...{ what: `${method} ${url}`, host: headers.host },
      ...{ forProxy: headers['proxy-authorization'], forHost: headers.authorization },
    });
    if (url?.endsWith('/moved')) response.writeHead(302, { location: 'http://192.168.7.7/' });
    response.end('from outside');
  }).listen(0, '127.0.0.1');
  server.on('connect', ({ method, url, headers }, socket) => {
    const forProxy = headers['proxy-authorization'];
    asked.push({ what: `${method} ${url}`, host: headers.host, forProxy, forHost: headers.authorization });
    socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
  });
  await new Promise((done) => server.once('listening', done));
  cleanups.push(() => new Promise((done) => server.close(done).closeAllConnections()));
  return { url: new URL(`http://ann:s%40cret@127.0.0.1:${(server.address() as AddressInfo).port}`), asked };
}

const unknown: Resolve = (_name, _options, callback) =>
  callback(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), []);
const leadsTo =
  (address: string): Resolve =>
  (_name, _options, callback) =>
    callback(null, [{ address, family: 4 }]);

function clientBy(url: URL, resolve: Resolve): HttpClient {
  const client = new HttpClient(
    { allowPrivateIpAddress: false, allowMetaIpAddress: false },
    resolve,
    () => url,
  );
  cleanups.push(() => client.close());
  return client;
}

const get = (url: string) => ({
  ...{ url, method: 'GET' as const, fromVerifiedToken: false, idleTimeoutMs: 60_000 },
  ...{ headers: { authorization: 'Bearer x' }, signal: new AbortController().signal },
});
const credentials = `Basic ${Buffer.from('ann:s@cret').toString('base64')}`;

test('[OA20] an HTTP address is asked of the proxy as it is written, also one that only the proxy knows', async () => {
  const { url, asked } = await proxy();
  const client = clientBy(url, unknown);
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await client.send(get("http://storage.test:81/a//b?name=o'neil"));
    expect([status, await text(body)]).toEqual([200, 'from outside']);
  }
  const one = { what: "GET http://storage.test:81/a//b?name=o'neil", host: 'storage.test:81' };
  expect(asked).toEqual(Array(2).fill({ ...one, forProxy: credentials, forHost: 'Bearer x' }));
});

test('[OA20] to an HTTPS address a tunnel is asked for, without what is for its host', async () => {
  const { url, asked } = await proxy();
  const { status } = await clientBy(url, unknown).send(get('https://storage.test/a'));
  expect(status).toBe(502);
  expect(asked).toEqual([
    { what: 'CONNECT storage.test:443', host: 'storage.test:443', forProxy: credentials, forHost: undefined },
  ]);
});

test('[OA21] what may not be contacted may not by a proxy either, also behind a name or a redirect', async () => {
  const { url, asked } = await proxy();
  const codeOf = async (address: string, resolve: Resolve) => {
    const err = await clientBy(url, resolve)
      .send(get(address))
      .catch((thrown: unknown) => thrown);
    return err instanceof RequestError ? err.code : err;
  };
  for (const address of ['http://10.0.0.1/', 'https://169.254.169.254/', 'http://metadata.google.internal/'])
    expect(await codeOf(address, unknown)).toBe('refused');
  for (const scheme of ['http', 'https'])
    expect(await codeOf(`${scheme}://inside.test/`, leadsTo('192.168.7.7'))).toBe('refused');
  expect(asked).toEqual([]);
  expect(await codeOf('http://outside.test/moved', leadsTo('93.184.215.14'))).toBe('refused');
  expect(asked).toHaveLength(1);
});

test('[OA20] a proxy that is not there is named', async () => {
  const client = clientBy(new URL('http://ann:secret@127.0.0.1:1'), unknown);
  await expect(client.send(get('http://storage.test/a'))).rejects.toThrow(
    /storage\.test.*, by the proxy http:\/\/127\.0\.0\.1:1$/,
  );
});

test('[OA20] the environment names proxies, and hosts that are asked directly; this machine always is', () => {
  for (const name of ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy', 'ALL_PROXY'])
    vi.stubEnv(name, '');
  vi.stubEnv('HTTP_PROXY', 'http://proxy.test:3128');
  vi.stubEnv('HTTPS_PROXY', 'http://secure.test:3128');
  vi.stubEnv('NO_PROXY', 'direct.test,.inside.test,10.0.0.5');
  const of = (address: string) => proxyOfEnvironment(new URL(address))?.host ?? null;
  expect([of('http://a.test/'), of('https://a.test/')]).toEqual(['proxy.test:3128', 'secure.test:3128']);
  const direct = ['http://direct.test/', 'https://b.inside.test/', 'http://10.0.0.5/'];
  const here = ['http://localhost:1/', 'http://127.0.0.9/', 'http://[::1]:2/', 'http://a.localhost/'];
  for (const address of [...direct, ...here]) expect(of(address), address).toBeNull();
  vi.stubEnv('HTTP_PROXY', 'ftp://proxy.test');
  expect(() => of('http://a.test/')).toThrow('HTTP_PROXY');
});
