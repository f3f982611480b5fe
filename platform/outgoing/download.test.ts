import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DownloadError, type DownloadRequest, download } from './download.ts';
import { HttpClient } from './http-client.ts';

let directory: string;
let file: string;
const cleanups: (() => unknown)[] = [];
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'quire-download-'));
  file = path.join(directory, 'source');
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  rmSync(directory, { recursive: true });
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  cleanups.push(() => new Promise((done) => server.close(done).closeAllConnections()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/f.docx?sig=hidden`;
}

function fetchFrom(url: string, more: Partial<DownloadRequest> = {}) {
  const client = new HttpClient({ allowPrivateIpAddress: true, allowMetaIpAddress: false });
  cleanups.push(() => client.close());
  const limits = { maxSizeBytes: 1_000_000, timeoutMs: 10_000, retryDelayMs: 0 };
  return download(client, { url, file, fromVerifiedToken: false, ...limits, ...more });
}

async function errorOf(downloaded: Promise<unknown>): Promise<DownloadError> {
  const err = await downloaded.then(
    () => undefined,
    (err: unknown) => err,
  );
  expect(err).toBeInstanceOf(DownloadError);
  expect(existsSync(file)).toBe(false);
  expect((err as DownloadError).message).not.toContain('hidden');
  return err as DownloadError;
}

test('[DL1] a download ends as a file with its hash, size, type and version', async () => {
  const bytes = randomBytes(300_000);
  const modified = 'Sat, 21 Nov 2026 12:00:00 GMT';
  const url = await serve((_req, res) =>
    res
      .setHeader('content-type', 'Application/X; q=1')
      .setHeader('etag', '"7"')
      .setHeader('last-modified', modified)
      .end(bytes),
  );
  const hash = createHash('sha256').update(bytes).digest('hex');
  expect(await fetchFrom(url)).toEqual({
    hash,
    sizeBytes: 300_000,
    content: null,
    contentType: 'application/x',
    version: { etag: '"7"', modified },
  });
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

test('[DL20] a body that is small enough stays in memory, and a larger one is a file as a whole, in a directory that is made for it', async () => {
  const incoming = path.join(directory, 'incoming');
  file = path.join(incoming, 'source');
  for (const sizeBytes of [0, 100_000, 100_001, 300_000]) {
    const bytes = randomBytes(sizeBytes);
    const url = await serve((_req, res) => res.end(bytes));
    const { hash, content } = await fetchFrom(url, { inMemoryBytes: 100_000 });
    expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(content?.equals(bytes)).toBe(sizeBytes <= 100_000 ? true : undefined);
    expect(existsSync(incoming)).toBe(sizeBytes > 100_000);
    if (content === null) expect(readFileSync(file).equals(bytes)).toBe(true);
    rmSync(incoming, { recursive: true, force: true });
  }
});

test('[DL2] more bytes than allowed end it, announced or not, compressed or not, without another attempt', async () => {
  let requests = 0;
  const bytes = Buffer.alloc(5_000);
  const url = await serve((req, res) => {
    requests += 1;
    if (req.headers['x-way'] === 'announced') res.end(bytes);
    else if (req.headers['x-way'] === 'gzip') res.setHeader('content-encoding', 'gzip').end(gzipSync(bytes));
    else res.write(bytes, () => res.end());
  });
  for (const way of ['announced', 'chunked', 'gzip']) {
    const err = await errorOf(fetchFrom(url, { maxSizeBytes: 4_999, headers: { 'x-way': way } }));
    expect(err).toMatchObject({ code: 'size', serviceError: -93 });
  }
  expect(requests).toBe(3);
  expect(await fetchFrom(url, { maxSizeBytes: 5_000 })).toMatchObject({ sizeBytes: 5_000 });
});

test('[DL3] endless bytes do not fill the disk', async () => {
  const url = await serve((_req, res) => {
    const more = () => {
      while (!res.destroyed && res.write(Buffer.alloc(65_536)));
    };
    res.on('drain', more);
    more();
  });
  expect(await errorOf(fetchFrom(url))).toMatchObject({ code: 'size' });
});

test('[DL4] a sender that stops or never starts is given up in time, without another attempt', async () => {
  let requests = 0;
  const url = await serve((req, res) => {
    requests += 1;
    if (req.headers['x-way'] === 'stops') res.write('begin');
  });
  for (const way of ['stops', 'silent']) {
    const err = await errorOf(fetchFrom(url, { timeoutMs: 100, headers: { 'x-way': way } }));
    expect(err).toMatchObject({ code: 'timeout', serviceError: -81 });
  }
  expect(requests).toBe(2);
});

test('[DL5] broken connections and passing statuses are tried four times in all', async () => {
  let requests = 0;
  const url = await serve((req, res) => {
    requests += 1;
    if (requests === 1) req.socket.destroy();
    else if (requests === 2) res.writeHead(503).end();
    else if (requests === 3) res.writeHead(200, { 'content-length': 10 }).write('half', () => res.destroy());
    else res.end('whole');
  });
  expect(await fetchFrom(url)).toMatchObject({ sizeBytes: 5 });
  expect(readFileSync(file, 'utf8')).toBe('whole');
  rmSync(file);
  let failures = 0;
  const failing = await serve((_req, res) => {
    failures += 1;
    res.writeHead(500).end();
  });
  expect(await errorOf(fetchFrom(failing))).toMatchObject({ code: 'status', serviceError: -81 });
  expect(failures).toBe(4);
});

test('[DL6] an answer that would stay the same is not asked for again', async () => {
  for (const status of [204, 206, 304, 400, 401, 403, 404, 410]) {
    let requests = 0;
    const url = await serve((_req, res) => {
      requests += 1;
      res.writeHead(status).end();
    });
    expect(await errorOf(fetchFrom(url))).toMatchObject({ code: 'status' });
    expect(requests).toBe(1);
  }
});

test('[DL7] a body sent compressed is stored as it was before, and one that cannot be undone is refused', async () => {
  const url = await serve((req, res) => {
    const encoding = String(req.headers['x-encoding']);
    res.setHeader('content-encoding', encoding).end(encoding === 'gzip' ? gzipSync('plain') : 'x');
  });
  await fetchFrom(url, { headers: { 'x-encoding': 'gzip' } });
  expect(readFileSync(file, 'utf8')).toBe('plain');
  rmSync(file);
  for (const encoding of ['zstd', 'compress']) {
    const err = await errorOf(fetchFrom(url, { headers: { 'x-encoding': encoding } }));
    expect(err.code).toBe('encoding');
  }
});

test('[DL8] the caller may cancel at any time', async () => {
  const controller = new AbortController();
  const url = await serve((_req, res) => res.write('begin', () => controller.abort()));
  expect(await errorOf(fetchFrom(url, { signal: controller.signal }))).toMatchObject({
    code: 'cancelled',
  });
  expect(await errorOf(fetchFrom(url, { signal: controller.signal }))).toMatchObject({
    code: 'cancelled',
  });
});

test('[DL9] a file that exists is neither overwritten nor removed', async () => {
  const url = await serve((_req, res) => res.end('new'));
  writeFileSync(file, 'old');
  await expect(fetchFrom(url)).rejects.toThrow('EEXIST');
  expect(readFileSync(file, 'utf8')).toBe('old');
});

test('[DL5] a host that cannot be reached is a network failure', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  expect(await errorOf(fetchFrom(`http://127.0.0.1:${port}/`))).toMatchObject({ code: 'network' });
});
