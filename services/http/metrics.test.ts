import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { watchPool, watchQueue } from '../../platform/metrics/backends.ts';
import { sharedQuery } from '../../platform/metrics/conventions.ts';
import { ConvertingMetrics } from '../../platform/metrics/converting.ts';
import { Metrics } from '../../platform/metrics.ts';
import { Frame } from '../../platform/ports/peer.ts';
import { Connection } from '../coauthoring/gateway/connection.ts';
import { FairScheduler } from '../coauthoring/gateway/fair-scheduler.ts';
import { PersonBudgets } from '../coauthoring/gateway/person-budgets.ts';
import { metricsRouter } from './metrics.ts';

/** A client of `pg` whose connections are made at once, to nothing. */
class SilentClient extends EventEmitter {
  readonly _queryable = true;
  connect(done: (error: null) => void): void {
    setImmediate(done, null);
  }
  end(done?: () => void): void {
    done?.();
  }
  ref(): void {}
  unref(): void {}
}

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
    prepare: async () => undefined,
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
    mostCharactersOf: () => 1_000,
    disconnected: async () => undefined,
    failed: () => undefined,
  };
  const shared = { scheduler: new FairScheduler(), people: new PersonBudgets() };
  const work = { workMsPerSecond: 50, patienceMs: 60_000, requests: 1, ...shared };
  const limits = { outboundQueueBytes: 100, inboundQueueCharacters: 1_000, traffic, ...work };
  const connection = new Connection(
    'c',
    { baseUrl: '', routing: null, network: '' },
    transport,
    handler,
    limits,
  );
  connection.receive({ text: () => null, read: () => ({ value: { type: 'getMessages' } }) }, 30);
  connection.send(new Frame('12345'));
  queuedBytes = 101;
  connection.send(new Frame('12345'));
  connection.send(new Frame('not sent'));
  expect(traffic).toMatchObject({ receivedBytes: 30, sentBytes: 10, highWaterBytes: 101, slowPeers: 1 });
  expect(traffic.takeHighWater()).toBe(101);
  expect(traffic.takeHighWater()).toBe(0);
});

describe('queries that wait for a connection', () => {
  /** A pool as `pg` has it, with a database that never answers: what it counts in the moment in which queries come. */
  const waiting = async (pool: pg.Pool): Promise<number> => {
    const registry = new Registry();
    watchPool(registry, Object.assign(pool, { timeouts: 0 }), pool.options.max);
    const { values } = await registry.getSingleMetric('quire_database_waiting')!.get();
    return values[0]!.value;
  };
  const poolOf = (max: number) => new pg.Pool({ max, Client: SilentClient as never });

  test('[OB8] those for which a connection is idle or may be made are not counted, those for which there is none are', async () => {
    const idle = poolOf(4);
    (await idle.connect()).release();
    const asked = [1, 2, 3].map(() => idle.connect());
    expect(idle.waitingCount).toBe(3);
    expect(await waiting(idle)).toBe(0);
    for (const client of await Promise.all(asked)) client.release();

    const full = poolOf(2);
    const held = await Promise.all([full.connect(), full.connect()]);
    const later = [full.connect(), full.connect(), full.connect()];
    expect(await waiting(full)).toBe(3);
    for (const client of held) client.release();
    for (const one of later) (await one).release();
    expect(await waiting(full)).toBe(0);
    await Promise.all([idle.end(), full.end()]);
  });
});

test('[OB9] counters are there with 0 before anything has happened, with each value of their labels', async () => {
  const metrics = new Metrics();
  const converting = new Registry();
  new ConvertingMetrics(converting, ['assemble']);
  const page = `${await metrics.page()}\n${await converting.metrics()}`;
  for (const series of [
    'quire_deliveries_total{status="2",to="integrator",outcome="given_up"}',
    'quire_deliveries_total{status="3",to="wopi_host",outcome="given_up"}',
    'quire_saves_refused_total{reason="no_log"}',
    'quire_opening_seconds_count{outcome="failed",document="known"}',
    'quire_sign_ins_refused_total{code="4006"}',
    'quire_tidied_total{kind="blobs"}',
    'quire_converter_job_seconds_count{kind="assemble",outcome="error"}',
    'quire_converter_skipped_changes_total',
  ]) {
    expect(page, series).toContain(`${series} 0`);
  }
});

test('[OB11] a value that has no answer is left out in time, and is not asked for again meanwhile', async () => {
  vi.useFakeTimers();
  try {
    let asked = 0;
    let answer = (_value: number): void => undefined;
    const shared = sharedQuery(() => {
      asked += 1;
      return new Promise<number>((resolve) => {
        answer = resolve;
      });
    });
    const first = shared();
    await vi.advanceTimersByTimeAsync(1_600);
    expect(await first).toBeNull();
    for (let scrape = 0; scrape < 5; scrape += 1) {
      const next = shared();
      await vi.advanceTimersByTimeAsync(1);
      expect(await next).toBeNull();
    }
    expect(asked).toBe(1);
    answer(7);
    await vi.advanceTimersByTimeAsync(0);
    expect(await shared()).toBe(7);
  } finally {
    vi.useRealTimers();
  }
});

test('[OB16] the age of the oldest job counts those that wait for another attempt, and none that is worked on', async () => {
  const registry = new Registry();
  const ago = (seconds: number) => Date.now() - seconds * 1_000;
  const jobs = [
    { kind: 'assemble', state: 'delayed', queuedAtMs: ago(151) },
    { kind: 'assemble', state: 'waiting', queuedAtMs: ago(3) },
    { kind: 'open', state: 'active', queuedAtMs: ago(90) },
  ];
  watchQueue(registry, ['assemble', 'open'], async () => jobs);
  const { values } = await registry.getSingleMetric('quire_oldest_job_seconds')!.get();
  const age = (kind: string, state: string) =>
    Math.round(values.find(({ labels }) => labels.kind === kind && labels.state === state)!.value);
  expect(age('assemble', 'delayed')).toBe(151);
  expect(age('assemble', 'waiting')).toBe(3);
  expect([age('open', 'waiting'), age('open', 'delayed')]).toEqual([0, 0]);
});
