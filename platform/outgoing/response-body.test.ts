import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
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
    'an encoding that cannot be undone',
    [...encoded('gzip, zstd', Buffer.from('plain'))],
    'encoding: http://storage/file uses an unknown content encoding (zstd)',
  ],
  [
    'more encodings than anybody has a reason for',
    [...encoded('gzip, gzip, gzip, gzip, gzip, gzip', Buffer.from('plain'))],
    'encoding: http://storage/file uses too many content encodings',
  ],
  [
    'half of what was compressed without a head',
    [...encoded('deflate', deflateRawSync(Buffer.from('plain text')).subarray(0, 5))],
    'network: http://storage/file gives no whole answer: its compressed body ends in the middle (Z_BUF_ERROR)',
  ],
  [
    'more than allowed, when it is decompressed',
    [...encoded('gzip', zipped)],
    'size: http://storage/file is larger than 1000 bytes',
  ],
])('[OA15] of %s people are told where, and what was wrong', async (_what, answer, told) => {
  expect(await read(await serve(...answer))).toBe(told);
});

test.each<[string, (plain: Buffer) => Buffer]>([
  ...['none', 'UTF-8', 'binary', 'aws-chunked', 'identity', 'lzma', 'constructor', ', ,'].map(
    (name): [string, (plain: Buffer) => Buffer] => [name, (plain) => plain],
  ),
  ['GZip', gzipSync],
  ['x-gzip', gzipSync],
  ['aws-chunked,gzip', gzipSync],
  ['gzip , aws-chunked', gzipSync],
  ['identity, gzip', gzipSync],
  ['gzip, gzip', (plain) => gzipSync(gzipSync(plain))],
  ['gzip, br', (plain) => brotliCompressSync(gzipSync(plain))],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br, deflate', (plain) => deflateRawSync(brotliCompressSync(plain))],
])('[OA18] a body with Content-Encoding %s is read as browsers read it', async (name, encode) => {
  for (const plain of ['', 'a', 'some text that is longer than the head of an encoding']) {
    const url = await serve(...encoded(name, encode(Buffer.from(plain))));
    expect(String(await read(url))).toBe(plain);
  }
});

test('[OA18] two headers are one list, and a body of nothing stays nothing', async () => {
  const twice = gzipSync(gzipSync('text'));
  const two = head('Content-Encoding: gzip', 'Content-Encoding: gzip', `Content-Length: ${twice.length}`);
  expect(String(await read(await serve(two, twice)))).toBe('text');
  expect(String(await read(await serve(...encoded('gzip', Buffer.alloc(0)))))).toBe('');
});

test.each(['gzip', 'deflate', 'br'])(
  '[OA18] who lets go of a body with %s ends its connection',
  async (name) => {
    const begun = new Map([
      ['gzip', zipped],
      ['deflate', deflateRawSync(Buffer.alloc(10_000, 'a'))],
      ['br', brotliCompressSync(Buffer.alloc(10_000, 'a'))],
    ]).get(name)!;
    let ended: Promise<unknown> = Promise.resolve();
    const server = createServer((_request, response) => {
      ended = once(response, 'close');
      response
        .writeHead(200, { 'content-encoding': name, 'content-length': 10_000 })
        .write(begun.subarray(0, 10));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => new Promise((done) => server.close(done).closeAllConnections()));
    const client = new HttpClient({ allowPrivateIpAddress: true, allowMetaIpAddress: false });
    cleanups.push(() => client.close());
    const { signal } = new AbortController();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { body } = await client.send({
      url,
      method: 'GET',
      fromVerifiedToken: false,
      idleTimeoutMs: 60_000,
      signal,
    });
    const reading = body[Symbol.asyncIterator]()
      .next()
      .catch(() => undefined);
    body.on('error', () => undefined);
    body.destroy();
    await Promise.all([ended, reading]);
  },
);

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
