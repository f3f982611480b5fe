import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { HttpClient } from './http-client.ts';
import { RequestError } from './request-error.ts';
import { readBody, readJson } from './response-body.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** The address of a server that answers every request by these bytes, and ends. */
async function serve(...answer: (string | Buffer)[]): Promise<string> {
  const server = createServer((request) =>
    request.socket.end(Buffer.concat(answer.map((part) => Buffer.from(part)))),
  );
  server.listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  cleanups.push(() => new Promise((done) => server.close(done).closeAllConnections()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const head = (...lines: string[]) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
const encoded = (name: string, content: Buffer) =>
  [head(`Content-Encoding: ${name}`, `Content-Length: ${content.length}`), content] as const;
const zipped = gzipSync(Buffer.alloc(10_000, 'a'));

/** What somebody is told who reads an answer. */
async function read(url: string, path = '/file?token=secret', reader = readBody as typeof readJson) {
  const client = new HttpClient({ allowPrivateIpAddress: true, allowMetaIpAddress: false });
  cleanups.push(() => client.close());
  const { signal } = new AbortController();
  try {
    const asked = { url: url + path, method: 'GET', fromVerifiedToken: false, idleTimeoutMs: 60_000, signal };
    return await reader(await client.send(asked), 1_000, signal);
  } catch (error) {
    expect(error).toBeInstanceOf(RequestError);
    const { code, message } = error as RequestError;
    return `${code}: ${message.replace(url, 'http://storage')}`;
  }
}

const cut = 'gives no whole answer: the connection is cut (ECONNRESET)';

test.each<[string, (string | Buffer)[], string]>([
  ['no answer', [], `network: http://storage/file ${cut}`],
  ['half its length', [head('Content-Length: 100'), 'half'], `network: http://storage/file ${cut}`],
  [
    'another protocol',
    ['HTTP/1.1 101 Other\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    'network: http://storage/file gives no whole answer: it speaks another protocol (EPROTO)',
  ],
  [
    'no HTTP',
    ['220 mail.test ESMTP\r\n'],
    'network: http://storage/file gives no whole answer: it does not speak HTTP (HPE_INVALID_CONSTANT)',
  ],
  [
    'headers that are too large',
    [head(`X-Long: ${'a'.repeat(20_000)}`)],
    'network: http://storage/file gives no whole answer: its headers are larger than 16 KB (HPE_HEADER_OVERFLOW)',
  ],
  [
    'half of what was compressed',
    [...encoded('gzip', zipped.subarray(0, 20))],
    'network: http://storage/file gives no whole answer: its compressed body ends in the middle (Z_BUF_ERROR)',
  ],
  [
    'what was not compressed',
    [...encoded('gzip', Buffer.from('plain'))],
    'encoding: http://storage/file gives no whole answer: its body cannot be decompressed (Z_DATA_ERROR)',
  ],
  [
    'an encoding that nobody knows',
    [...encoded('lzma', Buffer.from('plain'))],
    'encoding: http://storage/file uses an unknown content encoding',
  ],
  [
    'more than allowed, when it is decompressed',
    [...encoded('gzip', zipped)],
    'size: http://storage/file is larger than 1000 bytes',
  ],
])('[OA15] of %s people are told where, and what was wrong', async (_what, answer, told) => {
  expect(await read(await serve(...answer))).toBe(told);
});

test('[OA15] where nothing listens people are told so', async () => {
  const url = await serve();
  await cleanups.pop()!();
  await new Promise((done) => connect(Number(new URL(url).port), '127.0.0.1').once('error', done));
  expect(await read(url)).toBe(
    'network: http://storage/file cannot be reached: nothing listens there (ECONNREFUSED)',
  );
});

test('JSON is read with a byte order mark, and what is none, or too long, is nothing', async () => {
  const json = (text: string) => serve(head('Connection: close'), text);
  expect(await read(await json('\uFEFF{"error":0}'), '/', readJson)).toEqual({ error: 0 });
  expect(await read(await json('<html>'), '/', readJson)).toBeUndefined();
  expect(await read(await json(JSON.stringify('a'.repeat(2_000))), '/', readJson)).toBeUndefined();
});
