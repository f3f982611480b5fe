import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileBlobStore } from '../../platform/adapters/file-blob-store.ts';
import { eventually } from '../../test/support/eventually.ts';
import { FileLinks, filesPath } from '../http/file-links.ts';
import { filesRouter, requestedBytes } from './files.ts';

let directory: string;
let store: FileBlobStore;
let server: Server;
let origin: string;
let errors: unknown[];
const links = new FileLinks({ link: 'secret' }, { temporaryLinkLifeS: 900, publicUrl: undefined });
const past = new FileLinks(
  { link: 'secret' },
  { temporaryLinkLifeS: 900, publicUrl: undefined },
  () => Date.now() - 1_000_000,
);

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'quire-files-'));
  store = new FileBlobStore(directory);
  errors = [];
  const app = express();
  app.use(filesRouter(links, store));
  app.use(((err, _req, res, _next) => {
    errors.push(err);
    res.status(500).end();
  }) satisfies express.ErrorRequestHandler);
  server = app.listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await new Promise((done) => server.close(done).closeAllConnections());
  rmSync(directory, { recursive: true });
  expect(errors).toEqual([]);
});

async function linkTo(content: string | Uint8Array, name = 'Editor.bin', by = links) {
  const { hash } = await store.put(Buffer.from(content));
  return {
    hash,
    link: by.temporary({ docKey: 'D1', hash, path: 'Editor.bin', downloadName: name }, { baseUrl: origin }),
  };
}

test('[FL6] a signed link gives the bytes, as an attachment, to any origin', async () => {
  const { hash, link } = await linkTo('content', 'Übung "1".docx');
  const response = await fetch(link);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('content');
  const header = (name: string) => response.headers.get(name);
  expect(header('content-disposition')).toBe(
    `attachment; filename="_bung _1_.docx"; filename*=UTF-8''%C3%9Cbung%20%221%22.docx`,
  );
  expect(header('content-type')).toMatch(/wordprocessingml/);
  expect(header('x-content-type-options')).toBe('nosniff');
  expect(header('access-control-allow-origin')).toBe('*');
  expect(header('etag')).toBe(`"${hash}"`);
  expect(header('cache-control')).toMatch(/^private, max-age=(900|89\d), immutable$/);
  const head = await fetch(link, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '7', '']);
});

test('[FL6] an empty file is served', async () => {
  const response = await fetch((await linkTo('')).link);
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test('[FL7] forged is 403, expired 410, gone 404, and so is every other method', async () => {
  const { hash, link } = await linkTo('content');
  const statusOf = async (url: string, method = 'GET') => (await fetch(url, { method })).status;
  expect(await statusOf(link.replace('D1', 'D2'))).toBe(403);
  expect(await statusOf(link.replace(/\?.*/, ''))).toBe(403);
  expect(await statusOf(`${origin}${filesPath}/%E0%A4%A?md5=x&expires=1`)).toBe(403);
  expect(await statusOf((await linkTo('content', 'x', past)).link)).toBe(410);
  expect(await statusOf((await linkTo('content', 'x', past)).link.replace('D1', 'D2'))).toBe(403);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect(await statusOf(link, method)).toBe(404);
  await store.delete(hash);
  const gone = await fetch(link);
  expect([gone.status, gone.headers.get('cache-control')]).toEqual([404, 'no-store']);
});

test('[FL8] ranges give parts, and only of the content they were meant for', async () => {
  const { hash, link } = await linkTo('0123456789');
  const fetchPart = async (headers: Record<string, string>) => {
    const response = await fetch(link, { headers });
    return [response.status, response.headers.get('content-range'), await response.text()];
  };
  expect(await fetchPart({ range: 'bytes=2-4' })).toEqual([206, 'bytes 2-4/10', '234']);
  expect(await fetchPart({ range: 'bytes=-2' })).toEqual([206, 'bytes 8-9/10', '89']);
  expect(await fetchPart({ range: 'bytes=10-' })).toEqual([416, 'bytes */10', '']);
  expect(await fetchPart({ range: 'bytes=0-1', 'if-range': `"${hash}"` })).toEqual([
    206,
    'bytes 0-1/10',
    '01',
  ]);
  expect(await fetchPart({ range: 'bytes=0-1', 'if-range': '"other"' })).toEqual([200, null, '0123456789']);
});

test('[FL9] a client that has the content is told so', async () => {
  const { hash, link } = await linkTo('content');
  for (const tag of [`"${hash}"`, `W/"${hash}"`, `"x", "${hash}"`, '*']) {
    const response = await fetch(link, { headers: { 'if-none-match': tag } });
    expect([response.status, await response.text()]).toEqual([304, '']);
  }
  expect((await fetch(link, { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
});

test('[FL10] names cannot add headers or make the file a page', async () => {
  for (const name of ['a\r\nSet-Cookie: x=1', 'x.html', '\uD800.svg.html', '"; filename="b']) {
    const response = await fetch((await linkTo('<script>', name)).link);
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^"]*"; filename\*=UTF-8''[^"]*$/,
    );
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  }
});

test('[FL11] a client that leaves in the middle leaves no open file', async () => {
  const { hash, link } = await linkTo(Buffer.alloc(20_000_000, 'x'));
  const openFiles = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith(hash);
      } catch {
        return false;
      }
    });
  await new Promise<void>((done) => {
    get(link, (response) => {
      response.once('data', () => {
        expect(openFiles()).toHaveLength(1);
        response.destroy();
        done();
      });
    });
  });
  await eventually(() => expect(openFiles()).toEqual([]));
});

test('[OS4] with direct links GET is sent to the store, for as long as the link lives, and HEAD is answered here', async () => {
  const asked: unknown[] = [];
  const directLinks = {
    linkTo: async (...all: unknown[]) => {
      asked.push(all);
      return 'https://bucket.example/blob?signature=1';
    },
  };
  const app = express();
  app.use(filesRouter(links, store, directLinks));
  const direct = app.listen(0, '127.0.0.1');
  await new Promise((done) => direct.once('listening', done));
  const { hash, link } = await linkTo('content', 'a.docx');
  const address = link.replace(origin, `http://127.0.0.1:${(direct.address() as AddressInfo).port}`);
  try {
    const response = await fetch(address, { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('https://bucket.example/blob?signature=1');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const headers = {
      contentType: expect.stringContaining('wordprocessingml'),
      contentDisposition: `attachment; filename="a.docx"; filename*=UTF-8''a.docx`,
    };
    expect(asked).toEqual([[hash, headers, expect.any(Number)]]);
    const head = await fetch(address, { method: 'HEAD', redirect: 'manual' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '7']);
    expect((await fetch(address.replace('md5=', 'md5=x'), { redirect: 'manual' })).status).toBe(403);
  } finally {
    await new Promise((done) => direct.close(done).closeAllConnections());
  }
});

test('[FL8] a range is from-to, from on, or the last so many bytes', () => {
  expect(requestedBytes('bytes=2-4', 10)).toEqual({ kind: 'part', start: 2, end: 4 });
  expect(requestedBytes('bytes=2-', 10)).toEqual({ kind: 'part', start: 2, end: 9 });
  expect(requestedBytes('bytes=-3', 10)).toEqual({ kind: 'part', start: 7, end: 9 });
  expect(requestedBytes('bytes=-30', 10)).toEqual({ kind: 'part', start: 0, end: 9 });
  expect(requestedBytes('bytes=9-99', 10)).toEqual({ kind: 'part', start: 9, end: 9 });
});

test('[FL8] what lies outside is unsatisfiable, what is malformed counts as absent', () => {
  for (const header of ['bytes=10-', 'bytes=10-12', 'bytes=-0']) {
    expect(requestedBytes(header, 10), header).toEqual({ kind: 'unsatisfiable' });
  }
  expect(requestedBytes('bytes=0-', 0)).toEqual({ kind: 'unsatisfiable' });
  for (const header of [undefined, '', 'bytes=-', 'bytes=4-2', 'bytes=0-1,3-4', 'items=0-1', 'bytes=a-b']) {
    expect(requestedBytes(header, 10), header).toEqual({ kind: 'whole' });
  }
});

test('[FL8] a part is never empty and never outside the file', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.nat(), fc.nat(1_000), (text, from, to, size) => {
      for (const header of [text, `bytes=${from}-${to}`, `bytes=-${to}`, `bytes=${from}-`]) {
        const bytes = requestedBytes(header, size);
        if (bytes.kind !== 'part') continue;
        expect(bytes.start).toBeGreaterThanOrEqual(0);
        expect(bytes.end).toBeGreaterThanOrEqual(bytes.start);
        expect(bytes.end).toBeLessThan(size);
      }
    }),
  );
});
