import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { HttpClient } from './http-client.ts';
import { type PostOutcome, type PostRequest, postJson } from './post-json.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  cleanups.push(() => new Promise((done) => server.close(done).closeAllConnections()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
}

function post(
  url: string,
  more: Partial<PostRequest> = {},
  allowPrivateIpAddress = true,
): Promise<PostOutcome> {
  const client = new HttpClient({ allowPrivateIpAddress, allowMetaIpAddress: false });
  cleanups.push(() => client.close());
  return postJson(client, { url, body: { key: 'D1' }, fromVerifiedToken: false, timeoutMs: 10_000, ...more });
}

const failureOf = (outcome: PostOutcome) => (outcome.kind === 'failure' ? outcome.error.code : outcome.kind);

test('[CB1] a post carries JSON with its headers, and the answer is its status and parsed body', async () => {
  let seen: unknown;
  const url = await serve(async (req, res) => {
    seen = [req.method, req.headers['content-type'], req.headers.authorization, await json(req)];
    res.writeHead(403).end('\uFEFF{"error":0}');
  });
  const outcome = await post(url, { headers: { Authorization: 'Bearer t' } });
  expect(outcome).toEqual({ kind: 'answer', status: 403, body: { error: 0 } });
  expect(seen).toEqual(['POST', 'application/json', 'Bearer t', { key: 'D1' }]);
});

test('[CB2] an answer that is no JSON, empty or longer than 64 KiB has no body', async () => {
  for (const text of ['', '<html>', '{"error":0', JSON.stringify('x'.repeat(70_000))]) {
    const url = await serve((_req, res) => res.end(text));
    expect(await post(url)).toEqual({ kind: 'answer', status: 200, body: undefined });
  }
});

test('[CB3] silence, a broken connection, a refused address and a cancelled call are outcomes, not exceptions', async () => {
  const silent = await serve(() => {});
  expect(failureOf(await post(silent, { timeoutMs: 50 }))).toBe('timeout');
  const halting = await serve((_req, res) => res.write('{'));
  expect(failureOf(await post(halting, { timeoutMs: 50 }))).toBe('timeout');
  const broken = await serve((req) => req.socket.destroy());
  expect(failureOf(await post(broken))).toBe('network');
  expect(failureOf(await post(silent, {}, false))).toBe('refused');
  expect(failureOf(await post('mailto:me'))).toBe('address');
  const controller = new AbortController();
  const cancelling = await serve(() => controller.abort());
  expect(failureOf(await post(cancelling, { signal: controller.signal }))).toBe('cancelled');
});

test('[CB4] a redirected post stays a post with its body, and See Other is an answer like any other', async () => {
  for (const status of [301, 302, 307, 308]) {
    const url = await serve(async (req, res) => {
      if (req.url === '/callback') res.writeHead(status, { location: '/moved' }).end();
      else res.end(JSON.stringify([req.method, await json(req)]));
    });
    expect(await post(url)).toMatchObject({ status: 200, body: ['POST', { key: 'D1' }] });
  }
  const other = await serve((_req, res) => res.writeHead(303, { location: '/x' }).end('{"error":0}'));
  expect(await post(other)).toEqual({ kind: 'answer', status: 303, body: { error: 0 } });
});
