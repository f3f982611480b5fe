import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as ask, createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import express, { type NextFunction, type Request, type Response } from 'express';
import { afterEach, describe, expect, test } from 'vitest';
import { BodyError, defaultBodyLimits, RequestBodies } from './request-bodies.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** An application that answers with the JSON that it is sent; `x-address` says from where a request comes. */
async function echo(limits = {}) {
  const bodies = new RequestBodies(({ headers }) => headers['x-address'] as string | undefined, {
    ...defaultBodyLimits,
    ...limits,
  });
  const app = express();
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-bodies-'));
  app.post('/json', bodies.json(1_000_000), (request, response) => void response.json({ got: request.body }));
  app.post('/text', bodies.text(1_000), (request, response) => void response.json({ got: request.body }));
  app.post('/file', async (request, response) => {
    const file = path.join(directory, 'body');
    try {
      await bodies.toFile(request, file, 1_000_000);
      response.json({ got: (await readFile(file)).length });
    } finally {
      await rm(file, { force: true });
    }
  });
  app.use((error: Error, _request: Request, response: Response, next: NextFunction) => {
    if (!(error instanceof BodyError)) return next(error);
    response.status(error.status).json({ error: error.message });
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const post = async (at: string, body: string | Buffer, headers = {}) => {
    const init = { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) };
    const response = await fetch(`http://127.0.0.1:${port}${at}`, init);
    return [response.status, await response.json()] as [number, { got?: unknown; error?: string }];
  };
  /** A request whose body does not end; resolves with the status once it is answered. */
  const begin = (address: string, bytes: number, at = '/json') => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(
      `POST ${at} HTTP/1.1\r\nHost: x\r\nX-Address: ${address}\r\nContent-Length: ${bytes + 1}\r\n\r\n`,
    );
    socket.write('x'.repeat(bytes));
    return new Promise<number>((resolve) => {
      socket.once('data', (data) => resolve(Number(String(data).split(' ')[1])));
    });
  };
  return { post, begin, port };
}

describe('bodies of requests', () => {
  test('[TK17] whole numbers that would be rounded are texts of their digits', async () => {
    const { post } = await echo();
    expect(await post('/json', '{"key":12345678901234567890,"n":9007199254740991}')).toEqual([
      200,
      { got: { key: '12345678901234567890', n: 9_007_199_254_740_991 } },
    ]);
  });

  test('[RA29] JSON is read whatever its type says, with a mark of the order of bytes, and empty as nothing', async () => {
    const { post } = await echo();
    expect(await post('/json', '\ufeff{"ü":[1]}', { 'content-type': 'text/plain' })).toEqual([
      200,
      { got: { ü: [1] } },
    ]);
    expect(await post('/json', '')).toEqual([200, { got: {} }]);
    expect(await post('/json', '7')).toEqual([200, { got: 7 }]);
    expect((await post('/json', '{"a":'))[0]).toBe(400);
    expect(await post('/text', 'builder.OpenFile()')).toEqual([200, { got: 'builder.OpenFile()' }]);
  });

  test('[RA28] a body that is compressed is refused before anything of it is unpacked', async () => {
    const { post } = await echo();
    const large = `[${'{},'.repeat(300_000)}0]`;
    for (const [encoding, body] of [
      ['gzip', gzipSync(large)],
      ['br', brotliCompressSync(large)],
      ['deflate', Buffer.from('x')],
      ['nonsense', Buffer.from('{}')],
    ] as const)
      expect((await post('/json', body, { 'content-encoding': encoding }))[0]).toBe(415);
    expect((await post('/json', '{}', { 'content-encoding': 'identity' }))[0]).toBe(200);
    expect((await post('/json', large))[0]).toBe(400);
  });

  test('[RA7] a body beyond its limit has status 413, whether or not it says how long it is', async () => {
    const { post, port } = await echo();
    expect((await post('/text', 'x'.repeat(1_001)))[0]).toBe(413);
    expect((await post('/file', 'x'.repeat(1_000_001)))[0]).toBe(413);
    for (const [path, limit] of [
      ['/text', 1_000],
      ['/file', 1_000_000],
    ] as const) {
      const chunked = ask({ port, path, method: 'POST', headers: { 'transfer-encoding': 'chunked' } });
      chunked.end('x'.repeat(3 * limit));
      const [answer] = await once(chunked, 'response');
      expect(answer.statusCode).toBe(413);
    }
    expect(await post('/file', 'x'.repeat(1_000_000))).toEqual([200, { got: 1_000_000 }]);
  });

  test('[RA30] a body that stays away, or comes too slowly, is given up', async () => {
    const { begin } = await echo({ patienceMs: 20, leastBytesPerS: 1_000_000, readOffMs: 20 });
    expect(await begin('10.0.0.1', 10)).toBe(408);
    expect(await begin('10.0.0.1', 10, '/file')).toBe(408);
  });

  test('[RA30] where bodies that do not end use the memory up, the address with the most of it loses them, and nobody else', async () => {
    const { post, begin } = await echo({ memoryBytes: 10 * 65_536, readOffMs: 20 });
    const lost: number[] = [];
    for (let index = 0; index < 12; index += 1)
      void begin('10.0.0.1', 60_000).then((status) => lost.push(status));
    const ended = begin('10.0.0.2', 60_000);
    const body = JSON.stringify({ text: 'x'.repeat(200_000) });
    for (let round = 0; round < 5; round += 1)
      expect((await post('/json', body, { 'x-address': '10.0.0.3' }))[0]).toBe(200);
    await expect.poll(() => lost.length).toBeGreaterThan(3);
    expect(new Set(lost)).toEqual(new Set([503]));
    expect(await Promise.race([ended, 'still waits'])).toBe('still waits');
  });
});
