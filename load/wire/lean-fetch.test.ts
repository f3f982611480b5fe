import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LeanFetch } from './lean-fetch.ts';

const sockets = new Set<Socket>();
let closesNext = false;
const server = createServer((request, response) => {
  sockets.add(request.socket);
  if (closesNext) {
    closesNext = false;
    request.socket.destroy();
    return;
  }
  const { pathname } = new URL(request.url!, 'http://x');
  if (pathname === '/gone') response.writeHead(404, { 'content-length': 4 }).end('gone');
  else if (pathname === '/empty') response.writeHead(200, { 'content-length': 0 }).end();
  else if (pathname === '/chunks') {
    response.write('a');
    response.end('b');
  } else if (pathname === '/large') response.setHeader('Content-Length', 300_000).end(Buffer.alloc(300_000));
  else response.setHeader('Content-Length', 2).end(request.url === '/a%20b?x=%C3%BC' ? 'ok' : 'no');
});
let origin = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close().closeAllConnections());

test('[LD19] files are fetched whole over connections that are used again, whatever the form of the answer', async () => {
  const files = new LeanFetch();
  for (const [path, status] of [
    ['/a%20b?x=%C3%BC', 200],
    ['/large', 200],
    ['/empty', 200],
    ['/gone', 404],
    ['/large', 200],
  ] as const) {
    expect([path, await files.statusOf(origin + path)]).toEqual([path, status]);
  }
  expect(sockets.size).toBe(1);
  expect(await files.statusOf(`${origin}/chunks`)).toBe(200);
  const before = sockets.size;
  expect(await Promise.all([files.statusOf(`${origin}/x`), files.statusOf(`${origin}/x`)])).toEqual([
    200, 200,
  ]);
  expect(sockets.size).toBe(before + 2);
  closesNext = true;
  expect(await files.statusOf(`${origin}/x`)).toBe(200);
  closesNext = true;
  await expect(new LeanFetch().statusOf(`${origin}/x`)).rejects.toThrow('could not be fetched');
});
