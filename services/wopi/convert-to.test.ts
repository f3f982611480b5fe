import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import express from 'express';
import { expect, it } from 'vitest';
import { QueueFullError } from '../../jobs/jobs.ts';
import { FileBlobStore } from '../../platform/adapters/file-blob-store.ts';
import { loadConfig } from '../../platform/config.ts';
import { convertToRouter, type FileConverter } from './convert-to.ts';

/** Sends a file to `convert-to/pdf` of an application with this converter. */
async function convertTo(converter: FileConverter, fileName: string): Promise<Response> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-convert-to-'));
  const config = loadConfig({ WOPI_CONVERT_FROM: 'loopback' });
  const app = express().use(convertToRouter({ config, blobs: new FileBlobStore(directory), converter }));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const form = new FormData();
    form.set('data', new Blob(['a text']), fileName);
    const { port } = server.address() as AddressInfo;
    return await fetch(`http://127.0.0.1:${port}/cool/convert-to/pdf`, { method: 'POST', body: form });
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(directory, { recursive: true });
  }
}

const everyPair: FileConverter['table'] = { handles: () => true, resolveTarget: (_from, to) => to };

it('[JP7] a file that is too many is answered with 503 and when to come again', async () => {
  const convert: FileConverter['convert'] = async ({ isInteractive, owner }) => {
    expect([isInteractive, owner]).toEqual([true, { tenant: '127.0.0.1' }]);
    throw new QueueFullError();
  };
  const response = await convertTo({ table: everyPair, convert }, 'a.txt');
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('10');
});

it('[CA18] a file that is called by another extension of its format is of that format', async () => {
  const types: string[] = [];
  const convert: FileConverter['convert'] = async ({ fromType }) => {
    types.push(fromType);
    throw new QueueFullError();
  };
  for (const name of ['a.MHTML', 'a.markdown', 'a.odt']) await convertTo({ table: everyPair, convert }, name);
  expect(types).toEqual(['mht', 'md', 'odt']);
});
