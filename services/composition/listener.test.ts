import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { loadConfig } from '../../platform/config.ts';
import { Descriptors } from '../../platform/descriptors.ts';
import { TransportMetrics } from '../../platform/metrics/transport.ts';
import { eventually } from '../../test/support/eventually.ts';
import type { Coauthoring } from '../coauthoring/coauthoring.ts';
import { httpServer, openGateways } from './listener.ts';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** The port of a process that may be overloaded, and whose descriptors have a limit. */
async function opened(limit = 1_000) {
  const registry = new Registry();
  const state = { isOverloaded: false, refuses: () => state.isOverloaded };
  const descriptors = new Descriptors(limit);
  const coauthoring = {
    verifyHandshake: async () => ({ ok: true }),
    greet: () => undefined,
    disconnected: async () => undefined,
  };
  const gateways = openGateways(
    loadConfig({ DATA_DIR: '/nowhere' }),
    coauthoring as unknown as Coauthoring,
    new TransportMetrics(registry),
    { isRetired: () => false, isLeaving: () => false, overload: state, descriptors },
  );
  server = httpServer(express(), gateways, null, descriptors).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ended = async (reason: string) => {
    const text = await registry.getSingleMetricAsString('quire_unauthenticated_connections_ended_total');
    return Number(new RegExp(`reason="${reason}"\\} (\\d+)`).exec(text)![1]);
  };
  return { port, state, ended };
}

/** The status with which a connection is answered. */
function upgradeStatus(url: string): Promise<number> {
  return new Promise((resolve) => {
    const client = new WebSocket(url);
    client.once('upgrade', ({ statusCode }) => resolve(statusCode!));
    client.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode!));
    client.on('error', () => undefined);
  });
}

test('[OB32] newcomers are answered 503 over each transport while the process is overloaded, and counted', async () => {
  const { port, state, ended } = await opened();
  const document = `127.0.0.1:${port}/doc/some-key/c/?EIO=4`;
  const answers = async () => [
    (await fetch(`http://${document}&transport=polling`)).status,
    await upgradeStatus(`ws://${document}&transport=websocket`),
    await upgradeStatus(`ws://127.0.0.1:${port}/ws/some-key`),
  ];
  expect(await answers()).toEqual([200, 101, 101]);
  expect(await ended('overloaded')).toBe(0);
  state.isOverloaded = true;
  expect(await answers()).toEqual([503, 503, 503]);
  expect(await ended('overloaded')).toBe(3);
  state.isOverloaded = false;
  expect(await answers()).toEqual([200, 101, 101]);
});

test('[OB32] a session of long polling that is open goes on while the process is overloaded', async () => {
  const { port, state } = await opened();
  const document = `http://127.0.0.1:${port}/doc/some-key/c/?EIO=4&transport=polling`;
  const { sid } = JSON.parse((await (await fetch(document)).text()).slice(1)) as { sid: string };
  state.isOverloaded = true;
  expect((await fetch(`${document}&sid=${sid}`, { method: 'POST', body: '3' })).status).toBe(200);
});

test('[WK17] a connection that would take one of the last descriptors is closed, and counted', async () => {
  const { port, ended } = await opened(40);
  // A quarter stays for other things; and of strangers a quarter of the rest, who would make room for each other.
  const sockets = Array.from({ length: 40 }, () => connect(port, '127.0.0.1'));
  const closed = (socket: (typeof sockets)[number]) =>
    new Promise<void>((resolve) => socket.once('close', () => resolve()).on('error', () => undefined));
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)));
  await Promise.any(sockets.map(closed));
  await eventually(() => expect(sockets.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(8));
  expect((await ended('crowded')) + (await ended('no_descriptor'))).toBeGreaterThanOrEqual(32);
  for (const socket of sockets) socket.destroy();
});
