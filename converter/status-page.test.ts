import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { parseAddressList } from '../platform/config/address-list.ts';
import type { AddressList } from '../platform/config.ts';
import { openStatusPage } from './status-page.ts';

let page: Server | undefined;
afterEach(() => new Promise((done) => (page ? page.close(done).closeAllConnections() : done(undefined))));

async function ask(path: string, { healthy = true, readers = 'loopback', method = 'GET' } = {}) {
  const registry = new Registry();
  new Counter({ name: 'quire_converter_tests_total', help: 'Nothing.', registers: [registry] }).inc();
  const isHealthy = async () => healthy;
  const list = parseAddressList(readers) as { value: AddressList };
  page = await openStatusPage({ port: 0, host: '127.0.0.1', registry, readers: list.value, isHealthy });
  const { port } = page.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  return { status: response.status, text: await response.text() };
}

test('[DK8] a converter says by its status whether it works, and its metrics to those who may read them', async () => {
  expect(await ask('/healthcheck')).toEqual({ status: 200, text: 'true' });
  expect(await ask('/healthcheck', { healthy: false })).toEqual({ status: 503, text: 'false' });
  expect(await ask('/metrics')).toMatchObject({
    status: 200,
    text: expect.stringContaining('quire_converter_tests_total 1'),
  });
  expect(await ask('/metrics', { readers: '192.0.2.1' })).toMatchObject({ status: 403 });
  expect(await ask('/elsewhere')).toMatchObject({ status: 404 });
  expect(await ask('/healthcheck', { method: 'POST' })).toMatchObject({ status: 405 });
});
