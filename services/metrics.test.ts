import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { Metrics, metricsRouter, recordMs } from './metrics.ts';

let server: Server | undefined;
afterEach(async () => {
  await new Promise((done) => (server ? server.close(done).closeAllConnections() : done(undefined)));
  server = undefined;
});

async function pageOf(metrics: Metrics, allowFrom: string, headers = {}): Promise<Response> {
  const config = loadConfig({ METRICS_ALLOW_FROM: allowFrom });
  server = express().use('/metrics', metricsRouter(metrics, config)).listen(0, '127.0.0.1');
  await new Promise((done) => server!.once('listening', done));
  return await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`, { headers });
}

test('[MT1] times are recorded in seconds, and every name begins with quire_ and has a help text', async () => {
  const metrics = new Metrics();
  metrics.collectProcess();
  recordMs(metrics.callbackDuration, 1500, { accepted: 'true' });
  metrics.messages.inc({ type: 'cursor' }, 25);
  const response = await pageOf(metrics, 'loopback');
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const page = await response.text();
  expect(page).toContain('quire_callback_duration_seconds_sum{accepted="true"} 1.5');
  expect(page).toContain('quire_messages_total{type="cursor"} 25');
  for (const metric of await metrics.registry.getMetricsAsJSON()) {
    expect(metric.name).toMatch(/^quire_/);
    expect(metric.help.length).toBeGreaterThan(10);
  }
});

test('[MT2] metrics are for the addresses that may read them', async () => {
  expect((await pageOf(new Metrics(), '192.0.2.0/24')).status).toBe(403);
});

test('[MT2] who comes through a proxy of this machine is not on this machine', async () => {
  const outside = { 'x-forwarded-for': '198.51.100.4' };
  expect((await pageOf(new Metrics(), 'loopback', outside)).status).toBe(403);
});
