import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Router } from 'express';
import { expect, test } from 'vitest';
import { DatabaseBusyError } from '../db/pool.ts';
import { loadConfig } from '../platform/config.ts';
import { httpApp } from './http/http-app.ts';

test('[PG12] a request that finds no free connection is answered 503 with a time to come again', async () => {
  const router = Router();
  router.get('/busy', async () => {
    throw new DatabaseBusyError('no connection to the database was free in time');
  });
  const warnings: unknown[] = [];
  const log = { warn: (...entry: unknown[]) => void warnings.push(entry), error: console.error };
  const parts = { callers: null, requestMetrics: null, rawBodies: [], metrics: null, example: null };
  const app = httpApp({ ...parts, files: Router(), routers: [router] }, log as never);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/busy`);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await response.json()).toEqual({ error: 'database busy' });
    expect(warnings).toHaveLength(1);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test('[PG13] an address past a pooler is refused without the pooler', () => {
  const direct = { DATABASE_DIRECT_URL: 'postgres://quire@db.test/quire' };
  expect(() => loadConfig(direct)).toThrow('DATABASE_URL is missing');
  const both = loadConfig({ ...direct, DATABASE_URL: 'postgres://quire@pooler.test/quire' });
  expect(both.databaseDirectUrl).toBe(direct.DATABASE_DIRECT_URL);
});
