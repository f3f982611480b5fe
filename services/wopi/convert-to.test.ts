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
import { convertToRouter } from './convert-to.ts';

it('[JP7] a file that is too many is answered with 503 and when to come again', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-convert-to-'));
  const app = express();
  app.use(
    convertToRouter({
      config: loadConfig({ WOPI_CONVERT_FROM: 'loopback' }),
      blobs: new FileBlobStore(directory),
      converter: {
        table: { handles: () => true, resolveTarget: (_from, to) => to },
        convert: async ({ isInteractive, owner }) => {
          expect([isInteractive, owner]).toEqual([true, { tenant: '127.0.0.1' }]);
          throw new QueueFullError();
        },
      },
    }),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const form = new FormData();
    form.set('data', new Blob(['a text']), 'a.txt');
    const { port } = server.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}/cool/convert-to/pdf`;
    const response = await fetch(address, { method: 'POST', body: form });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('10');
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(directory, { recursive: true });
  }
});
