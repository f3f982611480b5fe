import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, expect, test } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { sharedQuery } from '../../platform/metrics/conventions.ts';
import { Metrics } from '../../platform/metrics.ts';
import { Frame } from '../../platform/ports/peer.ts';
import { Connection } from '../coauthoring/gateway/connection.ts';
import { FairScheduler } from '../coauthoring/gateway/fair-scheduler.ts';
import { metricsRouter } from './metrics.ts';

let server: Server | undefined;
afterEach(async () => {
  await new Promise((done) => (server ? server.close(done).closeAllConnections() : done(undefined)));
  server = undefined;
});

async function pageOf(metrics: Metrics, allowFrom: string, headers = {}): Promise<Response> {
  const config = loadConfig({ METRICS_ALLOW_FROM: allowFrom });
  server = express().use(metricsRouter(metrics, config)).listen(0, '127.0.0.1');
  await new Promise((done) => server!.once('listening', done));
  return await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`, { headers });
}

test('[MT1] times are recorded in seconds, and every name begins with quire_ and has a help text', async () => {
  const metrics = new Metrics();
  metrics.collectProcess();
  metrics.delivering.answered(2, true, 1500);
  for (let count = 0; count < 25; count += 1) metrics.transport.countMessage('cursor');
  const response = await pageOf(metrics, 'loopback');
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const page = await response.text();
  expect(page).toContain('quire_callback_duration_seconds_sum{accepted="true",status="2"} 1.5');
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

test('[ME3] a label never takes what was asked for: methods that are not known are one', async () => {
  const metrics = new Metrics();
  for (const method of ['GET', 'BREW', 'PROPFIND']) metrics.http.answered(method, 'none', 404, 1);
  const page = await metrics.page();
  expect(page).toContain('quire_http_request_seconds_count{method="other",route="none",status="404"} 2');
  expect(page).not.toContain('BREW');
});

test('[ME4] what costs a query is asked once for all who look, and failing it is not the end', async () => {
  let asked = 0;
  const shared = sharedQuery(async () => {
    asked += 1;
    throw new Error('the database is away');
  });
  expect(await Promise.all([shared(), shared(), shared()])).toEqual([null, null, null]);
  expect(asked).toBe(1);
});

test('[ME7] what goes over a connection, what piled up for it and its end are counted by transport', () => {
  const metrics = new Metrics();
  const traffic = metrics.transport.traffic.websocket;
  let queuedBytes = 0;
  const transport = {
    write: () => undefined,
    queuedBytes: () => queuedBytes,
    whenDrained: () => undefined,
    end: () => undefined,
    trust: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
  };
  const handler = {
    handle: async () => undefined,
    handleAside: () => true,
    costOf: () => 0,
    disconnected: async () => undefined,
    failed: () => undefined,
  };
  const work = { workMsPerSecond: 50, patienceMs: 60_000, requests: 1, scheduler: new FairScheduler() };
  const limits = { outboundQueueBytes: 100, inboundQueueCharacters: 1_000, traffic, ...work };
  const connection = new Connection('c', { baseUrl: '', routing: null }, transport, handler, limits);
  connection.receive(() => ({ value: { type: 'getMessages' } }), 30);
  connection.send(new Frame('12345'));
  queuedBytes = 101;
  connection.send(new Frame('12345'));
  connection.send(new Frame('not sent'));
  expect(traffic).toMatchObject({ receivedBytes: 30, sentBytes: 10, highWaterBytes: 101, slowPeers: 1 });
  expect(traffic.takeHighWater()).toBe(101);
  expect(traffic.takeHighWater()).toBe(0);
});
