import { once } from 'node:events';
import { Agent } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { exchange } from './exchange.ts';
import { HttpClient } from './http-client.ts';
import { asRequestError, RequestError } from './request-error.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const client = () => {
  const made = new HttpClient({ allowPrivateIpAddress: true, allowMetaIpAddress: false });
  cleanups.push(() => made.close());
  return made;
};

/** A server that answers whatever comes by these bytes; `ended` resolves when it has done so. */
async function serve(answer: (socket: Socket) => unknown): Promise<{ url: string; ended: Promise<unknown> }> {
  let done: (value?: unknown) => void = () => {};
  const ended = new Promise((resolve) => {
    done = resolve;
  });
  const server = createServer((socket) => {
    cleanups.push(() => socket.destroy());
    socket.on('error', () => {});
    socket.once('data', async () => {
      await answer(socket);
      done();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close());
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/`, ended };
}

const written = (socket: Socket, bytes: Buffer | string) =>
  new Promise((resolve) => socket.write(bytes, resolve));
const head = (...lines: string[]) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');

/** What somebody who sent a request got of its body: its size in bytes, or the code of its error. */
async function outcomeOf(url: string, beforeReading: Promise<unknown>, idleTimeoutMs = 60_000) {
  const { signal } = new AbortController();
  try {
    const response = await client().send({
      ...{ url, method: 'GET' as const, fromVerifiedToken: false },
      ...{ idleTimeoutMs, signal },
    });
    await beforeReading;
    return await buffer(response.body).then(
      ({ byteLength }) => byteLength,
      (err: unknown) => asRequestError(err, new URL(url), signal).code,
    );
  } catch (err) {
    expect(err).toBeInstanceOf(RequestError);
    return (err as RequestError).code;
  }
}

const size = 200_000;
const bytes = Buffer.alloc(size, 'a');
const length = (count: number) => `Content-Length: ${count}`;
const chunked = 'Transfer-Encoding: chunked';
const close = 'Connection: close';
const chunk = (count: number) => `${count.toString(16)}\r\n`;

const endings: [string, (socket: Socket) => unknown, number | string][] = [
  ['its length, then the end', (socket) => socket.end(head(length(size), close) + bytes), size],
  ['no length, then the end', (socket) => socket.end(head(close) + bytes), size],
  ['HTTP/1.0', (socket) => socket.end(`HTTP/1.0 200 OK\r\n\r\n${bytes}`), size],
  ['no bytes', (socket) => socket.end(head(length(0), close)), 0],
  [
    'all chunks, then the end',
    (socket) => socket.end(`${head(chunked, close)}${chunk(size)}${bytes}\r\n0\r\n\r\n`),
    size,
  ],
  ['no last chunk', (socket) => socket.end(`${head(chunked, close)}${chunk(size)}${bytes}\r\n`), 'network'],
  ['a chunk cut off', (socket) => socket.end(`${head(chunked, close)}${chunk(size + 1)}${bytes}`), 'network'],
  [
    'a chunk cut off, kept alive',
    (socket) => socket.end(`${head(chunked)}${chunk(size + 1)}${bytes}`),
    'network',
  ],
  ['less than its length', (socket) => socket.end(head(length(size + 1), close) + bytes), 'network'],
  ['more than its length', (socket) => socket.end(head(length(size), close) + bytes + bytes), size],
  ['half a head', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le'), 'network'],
  ['nothing', (socket) => socket.end(), 'network'],
  ['no HTTP', (socket) => socket.end('220 mail.test ESMTP\r\n'), 'network'],
  ['a head of 20 KB', (socket) => socket.end(head(`X-Long: ${'a'.repeat(20_000)}`)), 'network'],
  ['two lengths', (socket) => socket.end(head(length(3), length(4), close) + bytes), 'network'],
  [
    'another protocol',
    (socket) =>
      socket.write(head('Connection: Upgrade', 'Upgrade: websocket').replace('200 OK', '101 Other')),
    'network',
  ],
  [
    'an interim answer nobody asked for',
    (socket) => socket.end(`HTTP/1.1 100 Continue\r\n\r\n${head(length(size), close)}${bytes}`),
    size,
  ],
  [
    'a body where there is none',
    (socket) => socket.end(`${head(length(3), close).replace('200 OK', '204 No Content')}abc`),
    0,
  ],
  [
    'a reset in the middle of its length',
    async (socket) => {
      await written(socket, head(length(size * 2)) + bytes);
      socket.resetAndDestroy();
    },
    'network',
  ],
];

describe('[OA11] an answer', () => {
  test.each(endings)('of %s is whole or an error, read at once', async (_what, answer, wanted) => {
    const { url } = await serve(answer);
    expect(await outcomeOf(url, turn())).toBe(wanted);
  });

  test.each(endings)('of %s is whole or an error, read after its end', async (_what, answer, wanted) => {
    const { url, ended } = await serve(answer);
    // Some turns later the client has heard of the end too, if its socket does not wait for a reader.
    const heard = ended.then(async () => {
      for (let turns = 0; turns < 20; turns += 1) await turn();
    });
    expect(await outcomeOf(url, heard)).toBe(wanted);
  });

  test.each([
    ['before its head', ''],
    ['within its head', 'HTTP/1.1 200 OK\r\n'],
    ['within its body', `${head(length(10))}abc`],
  ])('that stops %s is an error when its time is over', async (_where, begun) => {
    const { url } = await serve((socket) => begun && socket.write(begun));
    expect(await outcomeOf(url, turn(), 50)).toBe('timeout');
  });

  test('whose reader is slower than the longest pause is not cut off', async () => {
    const large = Buffer.alloc(20_000_000, 'a');
    const { url } = await serve((socket) => socket.write(head(length(large.length)) + large));
    const agent = new Agent();
    cleanups.push(() => agent.destroy());
    const answer = await exchange(new URL(url), {
      ...{
        path: '/',
        method: 'GET',
        headers: {},
        body: undefined,
        agent,
        relay: null,
        signal: new AbortController().signal,
      },
      ...{ connectTimeoutMs: 60_000, idleTimeoutMs: 60_000 },
    });
    while (answer.readableLength < answer.readableHighWaterMark) await turn();
    answer.socket.emit('timeout');
    expect((await buffer(answer)).byteLength).toBe(large.length);
  });
});
